/** From the screen to the panel below the transcript. Pure. */
import { choiceLines } from "./choice-list.ts";
import { type DialogFrame, dialogView } from "./dialog-view.ts";
import { editorBox } from "./editor-box.ts";
import { BOX_INSET, type Panel } from "./panel.ts";
import { promptView } from "./prompt-view.ts";
import type { Screen } from "./screen.ts";
import { paint } from "./spans.ts";
import { queueLines, statusLines } from "./status-bar.ts";
import { todoLines } from "./todo-panel.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Below this there is no room for boxes: one line says so. */
export const MIN_SIZE: Size = { columns: 20, rows: 5 };
/** Rows of the list under the input. */
const MOST_CHOICES = 8;
/** Rows of the todo panel, in a window that has room for it. */
const MOST_TODOS = 6;

export type PanelTools = Pick<DialogFrame, "theme" | "highlighter" | "markdown" | "keyOf">;

export interface PanelView {
  readonly panel: Panel;
  /** Rows a page key scrolls. */
  readonly page: number;
}

/** At most `rows - 1` lines, so that the window never scrolls by itself. */
export function panelView(screen: Screen, size: Size, tools: PanelTools): PanelView {
  const { theme } = tools;
  const width = size.columns - 2 * BOX_INSET;
  const { status } = screen.view;
  const below = (help: string) =>
    statusLines({ status, flash: screen.flash, help, queued: screen.view.queue.length }, size.columns, theme);
  if (screen.dialog !== undefined) {
    // Where there is no room for both, the keys matter more than the status.
    const lower = (help: string) => lastOf(below(help), size.rows - 5);
    const height = Math.max(1, size.rows - 1 - 3 - lower("").length);
    const view = dialogView(screen.dialog, { ...tools, width, height, waiting: screen.view.requests.length });
    return {
      panel: { above: [], box: { ...view.box, lines: view.box.lines.slice(0, height) }, below: lower(view.help) },
      page: view.page,
    };
  }
  const todos = todoLines(screen.view.todos, size.columns, size.rows < 16 ? Math.min(1, size.rows - 8) : MOST_TODOS);
  const above = [
    ...todos.map((line) => paint(line, theme)),
    ...queueLines(screen.view.queue, size.columns, theme),
  ].slice(0, Math.max(0, size.rows - 8));
  const prompt = promptView(screen);
  const lower = below(prompt.help).slice(0, Math.max(0, size.rows - 4));
  const room = size.rows - 1 - 2 - lower.length - above.length;
  // The list leaves the input a few rows.
  const height = Math.max(0, Math.min(MOST_CHOICES, room - 2));
  const list = choiceLines(prompt.choices, prompt.selected, height, size.columns, theme);
  const rows = Math.max(1, Math.min(room - list.length, Math.max(3, Math.floor(size.rows / 3))));
  const box = editorBox(prompt, width, rows, theme);
  return { panel: { above, box, below: [...list, ...lower] }, page: rows };
}

/** Cells of a row of the prompt's editor. */
export function editorWidth(size: Size): number {
  return size.columns - 2 * BOX_INSET - 1;
}

function lastOf<T>(list: readonly T[], count: number): readonly T[] {
  return count > 0 ? list.slice(-count) : [];
}
