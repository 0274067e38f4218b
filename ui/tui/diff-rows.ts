/** A unified diff as rows that know their line numbers and, for a changed line, its words. */
import { neutralise } from "../../src/text/neutralise.ts";
import { expandTabs } from "../../src/text/width.ts";
import { pairLines } from "./pair-lines.ts";
import type { Piece } from "./word-diff.ts";

export type DiffRow =
  /** A file's name, a hunk's place, a remark. */
  | { readonly kind: "file" | "hunk" | "remark"; readonly text: string }
  | { readonly kind: "same"; readonly old: number | undefined; readonly new: number | undefined; readonly text: string }
  | {
      readonly kind: "removed";
      readonly old: number;
      readonly text: string;
      readonly pieces?: readonly Piece[];
      /** Which of the added lines behind it, from 0, it became. */
      readonly became?: number;
    }
  | { readonly kind: "added"; readonly new: number; readonly text: string; readonly pieces?: readonly Piece[] };

/** Reads the unified format (GNU diffutils, "Detailed Description of Unified Format"), made by us or by git. */
export function diffRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let at = { old: 0, new: 0 };
  let left = { old: 0, new: 0 };
  let seenHunk = false;
  for (const line of neutralise(diff).replace(/\n$/, "").split("\n")) {
    const hunk = HUNK.exec(line);
    const inside = left.old > 0 || left.new > 0;
    const text = expandTabs(line.slice(1));
    if (hunk !== null) {
      at = { old: Number(hunk[1]), new: Number(hunk[3]) };
      left = { old: Number(hunk[2] ?? 1), new: Number(hunk[4] ?? 1) };
      seenHunk = true;
      rows.push({ kind: "hunk", text: line });
    } else if (!inside && HEADER.test(line)) rows.push({ kind: "file", text: expandTabs(line) });
    else if (line.startsWith("+")) {
      rows.push({ kind: "added", new: at.new++, text });
      left = { ...left, new: left.new - 1 };
    } else if (line.startsWith("-")) {
      rows.push({ kind: "removed", old: at.old++, text });
      left = { ...left, old: left.old - 1 };
    } else if (line.startsWith("\\")) rows.push({ kind: "remark", text: line });
    else {
      rows.push({ kind: "same", old: seenHunk ? at.old : undefined, new: seenHunk ? at.new : undefined, text });
      at = { old: at.old + 1, new: at.new + 1 };
      left = { old: left.old - 1, new: left.new - 1 };
    }
  }
  return withWords(rows);
}

/** A run of removed lines and the run of added lines behind it. */
export interface ChangeRun {
  readonly removed: readonly Extract<DiffRow, { kind: "removed" }>[];
  readonly added: readonly Extract<DiffRow, { kind: "added" }>[];
}

/** The change that begins at `start`; both runs are empty when none does. */
export function changeAt(rows: readonly DiffRow[], start: number): ChangeRun {
  const removed: Extract<DiffRow, { kind: "removed" }>[] = [];
  const added: Extract<DiffRow, { kind: "added" }>[] = [];
  for (let index = start; index < rows.length; index++) {
    const row = rows[index];
    if (row?.kind === "removed" && added.length === 0) removed.push(row);
    else if (row?.kind === "added") added.push(row);
    else break;
  }
  return { removed, added };
}

/** Digits the highest line number takes, at least three. */
export function numberWidth(rows: readonly DiffRow[]): number {
  let highest = 0;
  for (const row of rows) {
    if (row.kind === "removed") highest = Math.max(highest, row.old);
    else if (row.kind === "added") highest = Math.max(highest, row.new);
    else if (row.kind === "same") highest = Math.max(highest, row.old ?? 0, row.new ?? 0);
  }
  return Math.max(3, String(highest).length);
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const HEADER =
  /^(diff |index |Index: |={5,}|--- |\+\+\+ |new file|deleted file|old mode|new mode|similarity |rename |copy )/;

/** Characters of changed lines that are compared word by word; a huge change is not what words are looked for in. */
const MOST_COMPARED = 60_000;

function withWords(rows: readonly DiffRow[]): DiffRow[] {
  const out: DiffRow[] = [];
  let left = MOST_COMPARED;
  for (let index = 0; index < rows.length; ) {
    const { removed, added } = changeAt(rows, index);
    if (removed.length + added.length === 0) {
      out.push(rows[index] as DiffRow);
      index++;
      continue;
    }
    const pairs = left > 0 ? pairLines(textsOf(removed), textsOf(added)) : [];
    left -= [...removed, ...added].reduce((sum, row) => sum + row.text.length, 0);
    const ofRemoved = new Map(pairs.map((pair) => [pair.removed, pair]));
    const ofAdded = new Map(pairs.map((pair) => [pair.added, pair]));
    for (const [at, row] of removed.entries()) {
      const pair = ofRemoved.get(at);
      out.push(pair === undefined ? row : { ...row, pieces: pair.words.before, became: pair.added });
    }
    for (const [at, row] of added.entries()) {
      const pair = ofAdded.get(at);
      out.push(pair === undefined ? row : { ...row, pieces: pair.words.after });
    }
    index += removed.length + added.length;
  }
  return out;
}

const textsOf = (rows: readonly { readonly text: string }[]) => rows.map((row) => row.text);
