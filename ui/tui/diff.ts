/** A unified diff as lines with numbers and colours. */
import { type DiffRow, numberWidth } from "./diff-rows.ts";
import { clipLine, type Line, type Span, span, wrapLine } from "./spans.ts";

/** With `wrap` long lines continue below themselves (to judge a change), else they are cut (to glance at it). */
export function diffLines(rows: readonly DiffRow[], width: number, wrap: boolean): Line[] {
  const digits = numberWidth(rows);
  return rows.flatMap((row) => {
    const title = titleLine(row, width);
    if (title !== undefined) return [title];
    const number = row.kind === "removed" ? row.old : row.kind === "added" || row.kind === "same" ? row.new : undefined;
    const sign = row.kind === "removed" ? "-" : row.kind === "added" ? "+" : " ";
    const line: Line = [
      span(`${String(number ?? "").padStart(digits)} `, "faint"),
      span(`${sign} `, toneOf(row)),
      ...textSpans(row),
    ];
    return wrap ? wrapLine(line, width, [span(" ".repeat(digits + 3))]) : [clipLine(line, width)];
  });
}

/** The line of a row that is not a line of a file; undefined for those. */
export function titleLine(row: DiffRow, width: number): Line | undefined {
  if (row.kind === "file") return clipLine([{ ...span(row.text, "text"), bold: true }], width);
  if (row.kind === "hunk") return clipLine([span(row.text, "hunk")], width);
  if (row.kind === "remark") return clipLine([span(row.text, "faint")], width);
  return undefined;
}

/** A file's line with the words that changed. */
export function textSpans(row: DiffRow): Span[] {
  if (row.kind !== "removed" && row.kind !== "added") return [span(row.text)];
  const pieces = row.pieces ?? [{ text: row.text, changed: false }];
  return pieces.map((piece) => span(piece.text, piece.changed ? `${row.kind}-word` : row.kind));
}

function toneOf(row: DiffRow): "added" | "removed" | undefined {
  return row.kind === "added" || row.kind === "removed" ? row.kind : undefined;
}
