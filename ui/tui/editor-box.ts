import { displayWidth, fitWidth } from "../../src/text/width.ts";
import { layOut } from "./editor-layout.ts";
import type { EditorState } from "./editor-state.ts";
import type { Box } from "./panel.ts";
import { paint, span } from "./spans.ts";
import type { Theme } from "./theme.ts";

export interface EditorView {
  readonly editor: EditorState;
  /** What accepting would add, behind the caret. */
  readonly ghost: string;
  readonly placeholder: string;
}

/** The input box: the rows around the caret, at most `rows` of them, each at most `width` cells. */
export function editorBox(view: EditorView, width: number, rows: number, theme: Theme): Box {
  // One cell is kept for a caret behind a full row.
  const layout = layOut(view.editor, width - 1);
  const top = firstRow(layout.caret.row, layout.rows.length, rows);
  const shown = layout.rows.slice(top, top + rows);
  const caret = { row: layout.caret.row - top, column: layout.caret.column };
  const lines = shown.map((row, index) => {
    const room = width - 1 - displayWidth(row.text);
    const ghost = top + index === layout.rows.length - 1 && room > 1 ? fitWidth(view.ghost, room) : "";
    return paint([span(row.text), span(ghost, "faint")], theme);
  });
  const empty = view.editor.text === "";
  const placeholder = view.ghost === "" ? fitWidth(view.placeholder, width - 1) : "";
  return { lines: empty && placeholder !== "" ? [paint([span(placeholder, "faint")], theme)] : lines, caret };
}

/** Scrolls as little as possible around the end, so that the caret's row is always shown. */
function firstRow(caretRow: number, total: number, rows: number): number {
  const latest = Math.max(0, total - rows);
  return Math.min(latest, Math.max(0, caretRow - rows + 1));
}
