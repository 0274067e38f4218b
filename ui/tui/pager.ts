/** A long text, scrolled; it takes the whole window on the alternate screen and leaves the transcript as it was. */
import { neutralise } from "../../src/text/neutralise.ts";
import { expandTabs, fitWidth } from "../../src/text/width.ts";
import { wrapText } from "../../src/text/wrap.ts";
import type { Frame } from "./painter.ts";
import { clampScroll, type ScrollState, scrollTop } from "./scroll.ts";
import { paint, span } from "./spans.ts";
import type { Theme } from "./theme.ts";

export interface PagerState {
  readonly title: string;
  readonly text: string;
  readonly scroll: ScrollState;
}

export function openPager(title: string, text: string): PagerState {
  return { title: neutralise(title), text: expandTabs(neutralise(text)), scroll: scrollTop };
}

/** Wrapped lines, kept while width and text stay the same. */
export function createPagerLayout(): (pager: PagerState, columns: number) => readonly string[] {
  let key: { text: string; columns: number } | undefined;
  let lines: readonly string[] = [];
  return (pager, columns) => {
    if (key?.text !== pager.text || key.columns !== columns) {
      key = { text: pager.text, columns };
      lines = wrapText(pager.text, columns);
    }
    return lines;
  };
}

/** The window's lines; `top` is the scroll position as it really is. */
export function pagerFrame(
  pager: PagerState,
  lines: readonly string[],
  columns: number,
  rows: number,
  theme: Theme,
): Frame & { top: number } {
  const room = Math.max(1, rows - 3);
  const top = clampScroll(pager.scroll, lines.length, room);
  const percent = lines.length <= room ? 100 : Math.round((100 * top) / (lines.length - room));
  const head = fitWidth(`${pager.title} (${lines.length} lines) — esc/q to close`, columns);
  const shown = lines.slice(top, top + room);
  const fill = Array.from({ length: room - shown.length }, () => "");
  return {
    lines: [paint([span(head, "heading")], theme), ...shown, ...fill, paint([span(`${percent}%`, "faint")], theme)],
    caret: undefined,
    top,
  };
}
