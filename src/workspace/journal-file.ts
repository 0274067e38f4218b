import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ProcessOwner } from "../system/process-owner.ts";
import type { JournalFs } from "./journal-fs.ts";

/** One step of a set, with where new bytes wait and old ones are kept. */
export type JournalEntry =
  | {
      /** Of a file or a link. */
      readonly kind: "write";
      readonly path: string;
      readonly temp: string;
      readonly backup: string;
      /** The state (`path-state.ts`) before, absent for a new file; and after. */
      readonly before?: string;
      readonly after: string;
    }
  | { readonly kind: "remove"; readonly path: string; readonly backup: string; readonly before?: string }
  | { readonly kind: "mode"; readonly path: string; readonly before: number; readonly after: number }
  | { readonly kind: "make-directory"; readonly path: string; readonly mode?: number }
  | { readonly kind: "remove-directory"; readonly path: string; readonly mode: number };

/** What `apply` is in the middle of. */
export interface Journal {
  readonly version: 1;
  /** staging: nothing is changed yet. commit: will be finished. undo: will be taken back. */
  readonly phase: "staging" | "commit" | "undo";
  /** The process that writes the journal. */
  readonly owner: ProcessOwner;
  readonly entries: readonly JournalEntry[];
  /** Directories made for the set, outermost first. */
  readonly directories: readonly string[];
}

/** Replaces the journal in one step. `durable` outlives a power cut, not only the process. */
export async function writeJournal(fs: JournalFs, file: string, journal: Journal, durable: boolean): Promise<void> {
  const temp = `${file}.new`;
  await fs.writeFile(temp, Buffer.from(JSON.stringify(journal)), undefined, durable);
  await fs.rename(temp, file);
  if (durable) await fs.syncDirectory(dirname(file));
}

/** Undefined when the file is not a whole journal: then its set had not been begun. */
export async function readJournal(file: string): Promise<Journal | undefined> {
  try {
    const parsed = JSON.parse(await readFile(file, "utf8")) as Journal;
    return parsed.version === 1 && Array.isArray(parsed.entries) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
