/** What the pager shows: its title, the rows in sight with found places marked, and a line that says where it stands. */
import { displayWidth, fitWidth } from "../../src/text/width.ts";
import { wrapRows } from "../../src/text/wrap.ts";
import type { Size } from "./frame.ts";
import type { Highlighter } from "./highlight.ts";
import type { Binding } from "./keymap.ts";
import { lookLines } from "./output-look.ts";
import type { PagerState } from "./pager.ts";
import { type Found, findAll } from "./pager-search.ts";
import type { Frame } from "./painter.ts";
import { keyShown, type PlaceAction } from "./place-keys.ts";
import { clampScroll } from "./scroll.ts";
import { clipLine, type Line, paint, type Span, sliceLine, span } from "./spans.ts";
import type { Theme } from "./theme.ts";

/** A screen row: a part of a source line, and where it begins in the text. */
interface PagerRow {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

export interface PagerLayout {
  readonly rows: readonly PagerRow[];
  readonly lines: readonly Line[];
  readonly found: readonly Found[];
}

/** Rows and found places, kept while what they depend on stays the same. */
export function createPagerLayout(): (
  pager: PagerState,
  columns: number,
  highlighter: Highlighter | undefined,
  looks: number,
) => PagerLayout {
  let rowKey = "";
  let text: string | undefined;
  let query: string | undefined;
  let layout: PagerLayout = { rows: [], lines: [], found: [] };
  return (pager, columns, highlighter, looks) => {
    const key = `${columns} ${looks}`;
    if (rowKey !== key || text !== pager.text) {
      rowKey = key;
      layout = { ...layout, rows: rowsOf(pager.text, columns), lines: lookLines(pager.text, pager.look, highlighter) };
      query = undefined;
    }
    if (query !== pager.query || text !== pager.text) {
      query = pager.query;
      layout = { ...layout, found: findAll(pager.text, pager.query) };
    }
    text = pager.text;
    return layout;
  };
}

export interface PagerLook {
  readonly theme: Theme;
  /** The keys in force, which the pager names. */
  readonly bindings: readonly Binding[];
}

export interface PagerFrame extends Frame {
  /** The pager, scrolled no further than its text is long. */
  readonly pager: PagerState;
}

export function pagerFrame(
  pager: PagerState,
  layout: PagerLayout,
  { columns, rows }: Size,
  waiting: number,
  { theme, bindings }: PagerLook,
): PagerFrame {
  const room = Math.max(1, rows - 3);
  const top = topOf(pager, layout, room);
  const total = layout.rows.length;
  const percent = total <= room ? 100 : Math.round((100 * top) / (total - room));
  const count = pager.text === "" ? 0 : layout.lines.length;
  const counted = `${count} ${count === 1 ? "line" : "lines"}${pager.filter === "" ? "" : ` with "${pager.filter}"`}`;
  const head = fitWidth(`${pager.title} (${counted}) — ${keyShown("pager-close", bindings, 2)} to close`, columns);
  const shown = layout.rows.slice(top, top + room).map((row) => paint(rowLine(row, pager, layout), theme));
  const fill = Array.from({ length: room - shown.length }, () => "");
  const keyOf = (action: PlaceAction) => keyShown(action, bindings);
  const foot = clipLine(footLine(pager, layout, percent, waiting, keyOf), columns);
  const caret =
    pager.prompt === undefined
      ? undefined
      : { row: room + 1, column: Math.min(columns - 1, 1 + displayWidth(pager.prompt.typed)) };
  return {
    lines: [paint([span(head, "heading")], theme), ...shown, ...fill, paint(foot, theme)],
    caret,
    pager: { ...pager, scroll: { top }, topOffset: layout.rows[top]?.offset ?? 0, seeks: false },
  };
}

function topOf(pager: PagerState, { rows, found }: PagerLayout, room: number): number {
  const top = clampScroll(pager.scroll, rows.length, room);
  const place = pager.seeks ? found[pager.hit] : undefined;
  if (place === undefined) return top;
  const after = rows.findIndex((row) => row.offset > place.start);
  const row = (after < 0 ? rows.length : after) - 1;
  if (row >= top && row < top + room) return top;
  return clampScroll({ top: row - Math.floor(room / 3) }, rows.length, room);
}

const NO_KEY = "-";

function footLine(
  pager: PagerState,
  { found }: PagerLayout,
  percent: number,
  waiting: number,
  keyOf: (action: PlaceAction) => string,
): Line {
  if (pager.prompt !== undefined) return [span(pager.prompt.sign, "accent"), span(pager.prompt.typed)];
  const hints: readonly (readonly [string, string])[] = [
    [keyOf("pager-search"), "search"],
    [keyOf("pager-filter"), "filter"],
    [`${keyOf("pager-top")} ${keyOf("pager-bottom")}`, "ends"],
  ];
  const hint = hints.flatMap(([keys, what]) => (keys === NO_KEY ? [] : [`${keys} ${what}`])).join(" • ");
  const place = `match ${pager.hit + 1} of ${found.length} for "${pager.query}"`;
  const what =
    pager.query === ""
      ? hint
      : found.length === 0
        ? `nothing matches "${pager.query}"`
        : `${place} • ${keyOf("next-match")} ${keyOf("previous-match")}`;
  const asks = waiting === 0 ? [] : [span(`Aura waits for your answer (${keyOf("pager-close")}) • `, "warn")];
  return [...asks, span(`${percent}% • ${what}`, "faint")];
}

/** A row with its found places marked. */
function rowLine(row: PagerRow, pager: PagerState, { lines, found }: PagerLayout): Line {
  const line = sliceLine(lines[row.line] ?? [], row.start, row.end);
  const end = row.offset + row.end - row.start;
  // The places are sorted: the first that could touch this row is found by halving.
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle]?.end ?? 0) <= row.offset) low = middle + 1;
    else high = middle;
  }
  let marked = line;
  for (let at = low; at < found.length; at++) {
    const place = found[at];
    if (place === undefined || place.start >= end) break;
    const tone = at === pager.hit ? "found-here" : "found";
    marked = mark(marked, place.start - row.offset, place.end - row.offset, tone);
  }
  return marked;
}

function mark(line: Line, start: number, end: number, tone: "found" | "found-here"): Line {
  const inside = sliceLine(line, Math.max(0, start), end).map((part): Span => span(part.text, tone));
  return [...sliceLine(line, 0, Math.max(0, start)), ...inside, ...sliceLine(line, end, Number.MAX_SAFE_INTEGER)];
}

function rowsOf(text: string, columns: number): PagerRow[] {
  const rows: PagerRow[] = [];
  let offset = 0;
  text.split("\n").forEach((source, line) => {
    for (const { start, end } of wrapRows(source, columns)) rows.push({ line, start, end, offset: offset + start });
    offset += source.length + 1;
  });
  return rows;
}
