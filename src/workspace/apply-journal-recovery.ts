import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../system/process-owner.ts";
import { cleanUp, discard, finish, isThere, undo } from "./apply-journal-steps.ts";
import { asFileProblem, codeOf } from "./file-errors.ts";
import { type Journal, readJournal, writeJournal } from "./journal-file.ts";
import { type JournalFs, nodeJournalFs } from "./journal-fs.ts";
import { stateOf } from "./path-state.ts";

export interface Recovered {
  readonly outcome: /** Nothing had been changed yet. */
    | "discarded"
    | "finished"
    | "undone"
    /** Could not be brought to an end; it is tried again at the next start. */
    | "stuck";
  readonly paths: readonly string[];
  /** Files that somebody changed since; they were left as they are. */
  readonly left: readonly string[];
  readonly problem?: string;
}

/** Brings every set to an end that a dead process left in `stateDir`. Sets of living processes are left alone. */
export async function recoverJournals(stateDir: string, fs: JournalFs = nodeJournalFs): Promise<readonly Recovered[]> {
  const names = await readdir(stateDir).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw asFileProblem(error, "listing", stateDir);
  });
  const recovered: Recovered[] = [];
  for (const name of names.filter((name) => /^apply-\d+-\w+\.json$/.test(name)).sort()) {
    const outcome = await recover(join(stateDir, name), fs);
    if (outcome) recovered.push(outcome);
  }
  for (const name of names) {
    const pid = /^apply-(\d+)-\w+\.json\.new$/.exec(name)?.[1];
    // A journal that was not even put in place: its set had not been begun.
    if (pid && !isRunning({ pid: Number(pid) })) await fs.remove(join(stateDir, name));
  }
  return recovered;
}

async function recover(file: string, fs: JournalFs): Promise<Recovered | undefined> {
  const journal = await readJournal(file);
  if (!journal) {
    await fs.remove(file);
    return undefined;
  }
  if (isRunning(journal.owner)) return undefined;
  const paths = journal.entries.map((entry) => entry.path);
  try {
    const { outcome, left } = await bringToAnEnd(file, journal, fs);
    await fs.remove(`${file}.new`);
    await fs.remove(file);
    return { outcome, paths, left };
  } catch (error) {
    return { outcome: "stuck", paths, left: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

async function bringToAnEnd(file: string, journal: Journal, fs: JournalFs) {
  if (journal.phase === "staging") {
    await discard(fs, journal);
    return { outcome: "discarded", left: [] } as const;
  }
  if (journal.phase === "commit" && (await canFinish(journal))) {
    try {
      const left: string[] = [];
      await finish(fs, journal, (path) => left.push(path));
      await cleanUp(fs, journal);
      return { outcome: "finished", left } as const;
    } catch {
      await fs.remove(`${file}.new`);
      await writeJournal(fs, file, { ...journal, phase: "undo" }, true);
    }
  }
  return { outcome: "undone", left: await undo(fs, journal) } as const;
}

/** Not when a file is as it was and its new bytes are gone: then taking back had begun. */
async function canFinish({ entries }: Journal): Promise<boolean> {
  for (const entry of entries) {
    if (entry.kind !== "write" || entry.before === entry.after || (await isThere(entry.temp))) continue;
    if ((await stateOf(entry.path)) === entry.before) return false;
  }
  return true;
}
