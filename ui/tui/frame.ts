/** From the screen to the panel below the transcript. Pure. */
import { dialogView } from "./dialog-view.ts";
import { editorBox } from "./editor-box.ts";
import type { Highlighter } from "./highlight.ts";
import { BOX_INSET, type Panel } from "./panel.ts";
import { ghostOf, type Screen } from "./screen.ts";
import { queueLines, statusLines } from "./status-bar.ts";
import type { Theme } from "./theme.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Below this there is no room for boxes: one line says so. */
export const MIN_SIZE: Size = { columns: 20, rows: 6 };
const PLACEHOLDER = "Type your message...";
const HELP = "enter send • alt+enter new line • tab mode • shift+tab agent • /help";
const BUSY_HELP = "esc cancel • enter queue • ctrl+o output • /help";

export interface PanelView {
  readonly panel: Panel;
  /** Rows a page key scrolls. */
  readonly page: number;
}

/** At most `rows - 1` lines, so that the window never scrolls by itself. */
export function panelView(screen: Screen, size: Size, theme: Theme, highlighter: Highlighter | undefined): PanelView {
  const width = size.columns - 2 * BOX_INSET;
  const { status } = screen.view;
  const below = (help: string) =>
    statusLines({ status, flash: screen.flash, help, queued: screen.view.queue.length }, size.columns, theme);
  if (screen.dialog !== undefined) {
    const height = Math.max(1, size.rows - 1 - 3 - below("").length);
    const view = dialogView(screen.dialog, { width, height, waiting: screen.view.requests.length, theme, highlighter });
    return {
      panel: { above: [], box: { ...view.box, lines: view.box.lines.slice(0, height) }, below: below(view.help) },
      page: view.page,
    };
  }
  const above = queueLines(screen.view.queue, size.columns, theme).slice(0, Math.max(0, size.rows - 8));
  const lower = below(status?.busy ? BUSY_HELP : HELP);
  const room = size.rows - 1 - 2 - lower.length - above.length;
  const rows = Math.max(1, Math.min(room, Math.max(3, Math.floor(size.rows / 3))));
  const ghost = ghostOf(screen);
  const box = editorBox(
    { editor: screen.editor, ghost: ghost.text + ghost.hint, placeholder: PLACEHOLDER },
    width,
    rows,
    theme,
  );
  return { panel: { above, box, below: lower }, page: rows };
}

/** Cells of a row of the prompt's editor. */
export function editorWidth(size: Size): number {
  return size.columns - 2 * BOX_INSET - 1;
}
