/** A unified diff with the old text on the left and the new text on the right. */
import { textSpans, titleLine } from "./diff.ts";
import { type ChangeRun, changeAt, type DiffRow, numberWidth } from "./diff-rows.ts";
import { type Line, padLine, span, wrapLine } from "./spans.ts";

/** Cells inside the box of a window 140 columns wide; narrower, the columns would be too thin to read code in. */
export const SIDE_BY_SIDE_WIDTH = 136;

/** Long lines continue below themselves, on their own side. */
export function diffColumns(rows: readonly DiffRow[], width: number): Line[] {
  const digits = numberWidth(rows);
  const left = Math.floor((width - 3) / 2);
  const right = width - 3 - left;
  const out: Line[] = [];
  const put = (old: DiffRow | undefined, now: DiffRow | undefined) => {
    const before = side(old, old?.kind === "removed" || old?.kind === "same" ? old.old : undefined, digits, left);
    const after = side(now, now?.kind === "added" || now?.kind === "same" ? now.new : undefined, digits, right);
    for (let index = 0; index < Math.max(before.length, after.length); index++)
      out.push([...padLine(before[index] ?? [], left), span(" │ ", "border"), ...(after[index] ?? [])]);
  };
  for (let index = 0; index < rows.length; ) {
    const row = rows[index] as DiffRow;
    const run = changeAt(rows, index);
    const changed = run.removed.length + run.added.length;
    for (const [old, now] of sideBySide(run)) put(old, now);
    const title = titleLine(row, width);
    if (title !== undefined) out.push(title);
    else if (changed === 0) put(row, row);
    index += Math.max(1, changed);
  }
  return out;
}

/** A line beside the one it became; what became nothing fills the room between. */
function sideBySide({ removed, added }: ChangeRun): [DiffRow | undefined, DiffRow | undefined][] {
  const out: [DiffRow | undefined, DiffRow | undefined][] = [];
  let [old, now] = [0, 0];
  const fill = (oldEnd: number, nowEnd: number) => {
    while (old < oldEnd || now < nowEnd)
      out.push([old < oldEnd ? removed[old++] : undefined, now < nowEnd ? added[now++] : undefined]);
  };
  for (const [at, row] of removed.entries()) {
    if (row.became === undefined) continue;
    fill(at, row.became);
    fill(at + 1, row.became + 1);
  }
  fill(removed.length, added.length);
  return out;
}

function side(row: DiffRow | undefined, number: number | undefined, digits: number, width: number): Line[] {
  if (row === undefined) return [];
  const sign = row.kind === "removed" ? "-" : row.kind === "added" ? "+" : " ";
  const tone = row.kind === "removed" || row.kind === "added" ? row.kind : undefined;
  const gutter = [span(`${String(number ?? "").padStart(digits)} `, "faint"), span(`${sign} `, tone)];
  return wrapLine([...gutter, ...textSpans(row)], width, [span(" ".repeat(digits + 3))]);
}
