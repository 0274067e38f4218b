import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SessionSummary, summarise } from "./session-summary.ts";

export interface Listing {
  /** Newest first. */
  readonly sessions: readonly SessionSummary[];
  /** One sentence per file that is no session. */
  readonly warnings: readonly string[];
}

/**
 * Every session in `dir`. The index beside them only saves reading: it may be deleted, torn or older than the logs,
 * and a log whose size or time differs from what the index saw is read again.
 */
export function listSessions(dir: string): Listing {
  const known = readIndex(dir);
  const entries: Record<string, Entry> = {};
  const warnings: string[] = [];
  let changed = false;
  for (const file of logsIn(dir)) {
    const id = file.slice(0, -".jsonl".length);
    const stat = statSync(join(dir, file), { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    const seen = Object.hasOwn(known, id) ? known[id] : undefined;
    const fresh = seen?.size === stat.size && seen.mtime === stat.mtimeMs;
    const entry = fresh ? seen : readEntry(join(dir, file), id, stat.size, stat.mtimeMs);
    changed ||= !fresh;
    entries[id] = entry;
    if (entry.problem !== undefined) warnings.push(entry.problem);
  }
  if (changed || Object.keys(known).length !== Object.keys(entries).length) writeIndex(dir, entries);
  const sessions = Object.values(entries).flatMap((entry) => entry.summary ?? []);
  sessions.sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1));
  return { sessions, warnings };
}

interface Entry {
  readonly size: number;
  readonly mtime: number;
  readonly summary?: SessionSummary;
  readonly problem?: string;
}

const INDEX = "index.json";
const INDEX_VERSION = 1;

function logsIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((file) => file.endsWith(".jsonl"));
  } catch {
    return [];
  }
}

function readEntry(file: string, id: string, size: number, mtime: number): Entry {
  try {
    const summary = summarise(readFileSync(file), id, mtime);
    return summary
      ? { size, mtime, summary }
      : { size, mtime, problem: `${file} is not a session log; it is left out` };
  } catch (error) {
    // A size no file has, so that it is tried again next time.
    return { size: -1, mtime, problem: `${file} cannot be read: ${(error as Error).message}` };
  }
}

function readIndex(dir: string): Record<string, Entry> {
  try {
    const index = JSON.parse(readFileSync(join(dir, INDEX), "utf8")) as { version: number; entries: unknown };
    return index.version === INDEX_VERSION && index.entries ? (index.entries as Record<string, Entry>) : {};
  } catch {
    return {};
  }
}

/** Best effort: without an index the next listing reads the logs again. */
function writeIndex(dir: string, entries: Readonly<Record<string, Entry>>): void {
  const draft = join(dir, `${INDEX}.${process.pid}`);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify({ version: INDEX_VERSION, entries }), { mode: 0o600 });
    renameSync(draft, join(dir, INDEX));
  } catch {
    rmSync(draft, { force: true });
  }
}
