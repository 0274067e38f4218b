/** The input as rows of cells: where it breaks, and where the caret stands. Pure. */
import { displayWidth, widestWidth } from "../../src/text/width.ts";
import type { EditorState, Paste } from "./editor-state.ts";
import { FIRST_ATOM, graphemesOf } from "./editor-text.ts";

/** One row of the editor as shown; `start` and `end` are offsets in the state's text. */
interface EditorRow {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface EditorLayout {
  readonly rows: readonly EditorRow[];
  readonly caret: { readonly row: number; readonly column: number };
}

/** Breaks the text into rows of at most `width` cells (at least 2). The caret may stand one cell behind a full row. */
export function layOut(state: EditorState, width: number): EditorLayout {
  const rows: EditorRow[] = [];
  let caret = { row: 0, column: 0 };
  let start = 0;
  let text = "";
  let used = 0;
  /** Cells of the row where a terminal counts most of them. */
  let most = 0;
  let offset = 0;
  const close = (end: number) => {
    rows.push({ start, end, text });
    start = offset;
    text = "";
    used = 0;
    most = 0;
  };
  for (const grapheme of graphemesOf(state.text)) {
    if (offset === state.cursor) caret = { row: rows.length, column: used };
    if (grapheme === "\n") {
      offset += 1;
      close(offset - 1);
      continue;
    }
    const shown = showGrapheme(grapheme, state.pastes, used);
    const cells = widestWidth(shown);
    if (most > 0 && most + cells > width) {
      close(offset);
      if (offset === state.cursor) caret = { row: rows.length, column: 0 };
    }
    text += shown;
    used += displayWidth(shown);
    most += cells;
    offset += grapheme.length;
  }
  if (state.cursor >= offset) caret = { row: rows.length, column: used };
  rows.push({ start, end: offset, text });
  return { rows, caret };
}

/** Whether the cursor is on the first (or last) row, where Up (or Down) means history. */
export function atEdge(state: EditorState, direction: -1 | 1, width: number): boolean {
  const { rows, caret } = layOut(state, width);
  return direction < 0 ? caret.row === 0 : caret.row === rows.length - 1;
}

/** Where the cursor goes a row up or down: to the same column, or to the end of the text. */
export function rowAway(state: EditorState, by: -1 | 1, width: number): number {
  const { rows, caret } = layOut(state, width);
  const row = rows[caret.row + by];
  if (row === undefined) return by < 0 ? 0 : state.text.length;
  let used = 0;
  let cursor = row.start;
  for (const grapheme of graphemesOf(state.text.slice(row.start, row.end))) {
    const cells = displayWidth(showGrapheme(grapheme, state.pastes, used));
    if (used + cells > caret.column) break;
    used += cells;
    cursor += grapheme.length;
  }
  return cursor;
}

function showGrapheme(grapheme: string, pastes: readonly Paste[], column: number): string {
  if (grapheme === "\t") return " ".repeat(4 - (column % 4));
  const code = grapheme.codePointAt(0) ?? 0;
  if (code >= FIRST_ATOM) return pastes[code - FIRST_ATOM]?.label ?? "";
  return grapheme;
}
