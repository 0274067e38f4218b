/** Unified diffs in words, for ears. */
import { reveal } from "../../src/text/neutralise.ts";

interface FileChange {
  readonly from: string;
  readonly to: string;
  readonly lines: ChangedLine[];
}
interface ChangedLine {
  readonly sign: "-" | "+";
  /** 1-based, in the old file for a removed line, in the new one for an added line. */
  readonly number: number;
  readonly text: string;
}

/**
 * `File src/a.ts: 2 lines removed, 3 added.`, then every removed and added line by its number. Control characters are
 * shown. A diff in another format comes back as it is, line by line.
 */
export function diffInWords(diff: string): string[] {
  const files = readDiff(diff);
  if (files.length === 0) return reveal(diff).trimEnd().split("\n");
  return files.flatMap((file) => [summary(file), ...file.lines.map(lineInWords)]);
}

/** Only the first sentence of each file. */
export function diffSummary(diff: string): string[] {
  return readDiff(diff).map(summary);
}

function summary(file: FileChange): string {
  const removed = file.lines.filter(({ sign }) => sign === "-").length;
  const added = file.lines.length - removed;
  if (file.from === "/dev/null") return `New file ${file.to}: ${countLines(added)}.`;
  if (file.to === "/dev/null") return `File ${file.from} deleted: ${countLines(removed)}.`;
  const name = file.from === file.to ? `File ${file.to}` : `File ${file.from} renamed to ${file.to}`;
  if (removed === 0 && added === 0) return `${name}.`;
  return `${name}: ${removed === 0 ? `${countLines(added)} added` : changes(removed, added)}.`;
}

function changes(removed: number, added: number): string {
  return `${countLines(removed)} removed${added === 0 ? "" : `, ${added} added`}`;
}

function lineInWords({ sign, number, text }: ChangedLine): string {
  const shown = reveal(text);
  return `Line ${number} ${sign === "-" ? "removed" : "added"}: ${shown.trim() === "" ? "(blank)" : shown}`;
}

export function countLines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

/**
 * Reads a unified diff (GNU diffutils, "Detailed Description of Unified Format", with git's rename headers). Inside a
 * hunk its counts decide what a line is, so that a removed line `-- x` is no file header.
 */
function readDiff(diff: string): FileChange[] {
  const files: FileChange[] = [];
  let from = "";
  let old = { number: 0, left: 0 };
  let now = { number: 0, left: 0 };
  const open = (to: string) => files.push({ from: plainName(from, to), to: plainName(to, from), lines: [] });
  // After a rename its headers name the same two again; of several deleted files only the old names differ.
  const isOpen = (to: string) => {
    const last = files.at(-1);
    return last?.from === plainName(from, to) && last.to === plainName(to, from);
  };
  const add = (sign: "-" | "+", number: number, text: string) => files.at(-1)?.lines.push({ sign, number, text });
  for (const text of diff.split("\n")) {
    if (old.left > 0 || now.left > 0) {
      if (text.startsWith("\\")) continue;
      const sign = text[0] ?? " ";
      if (sign === "-") add("-", old.number, text.slice(1));
      else if (sign === "+") add("+", now.number, text.slice(1));
      if (sign !== "+") old = { number: old.number + 1, left: old.left - 1 };
      if (sign !== "-") now = { number: now.number + 1, left: now.left - 1 };
      continue;
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) {
      old = { number: Number(hunk[1]), left: Number(hunk[2] ?? 1) };
      now = { number: Number(hunk[3]), left: Number(hunk[4] ?? 1) };
      continue;
    }
    const header = /^(rename from|rename to|---|\+\+\+) ([^\t]*)/.exec(text);
    if (header === null) continue;
    const [, kind, name = ""] = header;
    if (kind === "---" || kind === "rename from") from = name;
    else if (kind === "rename to") open(name);
    else if (!isOpen(name)) open(name);
  }
  return files;
}

/** Without git's `a/` and `b/`, where both sides have them. */
function plainName(name: string, other: string): string {
  const marked = (path: string) => /^[ab]\//.test(path) || path === "/dev/null";
  return marked(name) && marked(other) && name !== "/dev/null" ? name.slice(2) : name;
}
