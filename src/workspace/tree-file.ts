import { closeSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import type { Snapshot, SnapshotEntry } from "./snapshot.ts";

type Row = readonly [
  path: string,
  kind: SnapshotEntry["kind"],
  mode: number,
  size: number,
  mtime: number,
  ctime: number,
  inode: number,
  /** JSON makes null of undefined. */
  content: string | null | undefined,
];

interface Head {
  readonly version: 1;
  readonly root: string;
  readonly at: number;
  readonly skipped: readonly (readonly [string, string])[];
  /** Rows that follow. */
  readonly count: number;
}

/** Characters that are written together. */
const BATCH = 1024 * 1024;

/**
 * A snapshot as a file, readable by its owner alone, replaced in one step: lines of JSON, the head and then a row for
 * each path. Throws Node file errors.
 */
export function writeTree(file: string, root: string, { at, entries, skipped }: Snapshot): void {
  const head: Head = { version: 1, root, at, skipped: [...skipped], count: entries.size };
  const output = openSync(`${file}.new`, "w", 0o600);
  try {
    let text = `${JSON.stringify(head)}\n`;
    for (const [path, { kind, mode, size, mtime, ctime, inode, content }] of entries) {
      const row: Row = [path, kind, mode, size, mtime, ctime, inode, content];
      text += `${JSON.stringify(row)}\n`;
      if (text.length < BATCH) continue;
      writeSync(output, text);
      text = "";
    }
    writeSync(output, text);
  } finally {
    closeSync(output);
  }
  renameSync(`${file}.new`, file);
}

/** Undefined when it is not there, damaged, or of another folder. */
export function readTree(file: string, root: string): Snapshot | undefined {
  try {
    const text = readFileSync(file, "utf8");
    let end = text.indexOf("\n");
    const head = JSON.parse(text.slice(0, end)) as Head;
    if (head.version !== 1 || head.root !== root) return undefined;
    const entries = new Map<string, SnapshotEntry>();
    for (let from = end + 1; from < text.length; from = end + 1) {
      end = text.indexOf("\n", from);
      const [path, kind, mode, size, mtime, ctime, inode, content] = JSON.parse(text.slice(from, end)) as Row;
      entries.set(path, { kind, mode, size, mtime, ctime, inode, ...(typeof content === "string" && { content }) });
    }
    return entries.size === head.count ? { at: head.at, entries, skipped: new Map(head.skipped) } : undefined;
  } catch {
    return undefined;
  }
}
