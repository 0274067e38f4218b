/**
 * Changes to several files, all or none, even when the process dies in the middle. New bytes are staged beside their
 * targets, old ones kept under a second name; a journal says which way an interrupted set is to go (a redo log with
 * undo, after Gray and Reuter, "Transaction Processing", chapter 10). A single file needs only its rename.
 */
import { createHash, randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isRunning, processOwner } from "../system/process-owner.ts";
import { asFileProblem, codeOf, worded } from "./file-errors.ts";
import { type Journal, type JournalEntry, readJournal, writeJournal } from "./journal-file.ts";
import { type JournalFs, nodeJournalFs } from "./journal-fs.ts";
import { type FileChange, FileProblem } from "./project-files.ts";

/**
 * Applies all changes or none. Paths are real paths, each at most once. `stateDir` holds the journal while it is
 * needed. Throws FileProblem for the change that could not be made; then everything is as it was.
 */
export async function applyChanges(
  changes: readonly FileChange[],
  stateDir: string,
  fs: JournalFs = nodeJournalFs,
): Promise<void> {
  refuseDuplicates(changes);
  const [only] = changes;
  if (!only) return;
  const staged = await Promise.all(changes.map(prepare));
  for (const { change, exists } of staged) {
    if (change.kind === "write" && exists) {
      await worded("writing", change.path, () => fs.checkWritable(change.path));
    }
  }
  if (changes.length === 1 && only.kind === "remove") {
    return worded("deleting", only.path, () => fs.remove(only.path));
  }
  await new Transaction(staged, stateDir, fs).run();
}

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

interface Staged {
  readonly change: FileChange;
  readonly exists: boolean;
  readonly mode: number | undefined;
  readonly before: string | undefined;
}

function refuseDuplicates(changes: readonly FileChange[]) {
  const paths = new Set(changes.map((change) => change.path));
  if (paths.size < changes.length) throw new Error("a set of changes names one path twice");
}

async function prepare(change: FileChange): Promise<Staged> {
  const op = change.kind === "write" ? "writing" : "deleting";
  const found = await worded(op, change.path, () =>
    lstat(change.path).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }),
  );
  if (!found && change.kind === "remove") throw new FileProblem(op, change.path, "no such file or directory");
  if (found?.isDirectory()) throw new FileProblem(op, change.path, "is a directory, not a file");
  if (found && change.kind === "write" && !found.isFile()) {
    throw new FileProblem(op, change.path, "is not a regular file");
  }
  const before = found?.isFile() ? await worded(op, change.path, () => hashOfFile(change.path)) : undefined;
  const mode = change.kind === "write" ? (change.mode ?? (found && found.mode & 0o7777)) : undefined;
  return { change, exists: found !== undefined, mode, before };
}

/** One set on its way. */
class Transaction {
  readonly #staged: readonly Staged[];
  readonly #stateDir: string;
  readonly #fs: JournalFs;
  readonly #id = randomBytes(6).toString("hex");

  constructor(staged: readonly Staged[], stateDir: string, fs: JournalFs) {
    this.#staged = staged;
    this.#stateDir = stateDir;
    this.#fs = fs;
  }

  async run() {
    const file = join(this.#stateDir, `apply-${process.pid}-${this.#id}.json`);
    const journal: Journal = {
      version: 1,
      phase: "staging",
      owner: processOwner(),
      entries: this.#staged.map((staged, index) => this.#entryOf(staged, index)),
      directories: await missingDirectories(this.#staged.map((staged) => staged.change)),
    };
    await worded("writing", file, async () => {
      await mkdir(this.#stateDir, { recursive: true });
      await writeJournal(this.#fs, file, journal, false);
    });
    const committed: Journal = { ...journal, phase: "commit" };
    const isSet = journal.entries.length > 1;
    try {
      await this.#stage(journal);
      if (isSet) await worded("writing", file, () => writeJournal(this.#fs, file, committed, true));
    } catch (error) {
      await discard(this.#fs, journal);
      await this.#fs.remove(`${file}.new`);
      await this.#fs.remove(file);
      throw error;
    }
    try {
      await finish(this.#fs, committed, (path) => {
        throw new FileProblem("writing", path, "was changed by another program at the same moment; try again");
      });
    } catch (error) {
      // Without room for this journal the older one leads a restart to the same end.
      if (isSet) await writeJournal(this.#fs, file, { ...journal, phase: "undo" }, true).catch(() => undefined);
      await this.#takeBack(journal, error);
      await this.#fs.remove(file);
      throw error;
    }
    await this.#fs.remove(file);
  }

  async #takeBack(journal: Journal, because: unknown) {
    try {
      await undo(this.#fs, journal);
    } catch (error) {
      const reason = because instanceof Error ? because.message : String(because);
      throw new Error(`${reason}; taking the other changes back failed as well, the next start tries again`, {
        cause: error,
      });
    }
  }

  #entryOf({ change, before }: Staged, index: number): JournalEntry {
    const beside = join(dirname(change.path), `.${basename(change.path).slice(0, 40)}.aura-${this.#id}-${index}`);
    const old = before === undefined ? {} : { before };
    if (change.kind === "remove") return { kind: "remove", path: change.path, backup: `${beside}.old`, ...old };
    const after = hashOf(change.bytes);
    return { kind: "write", path: change.path, temp: `${beside}.new`, backup: `${beside}.old`, after, ...old };
  }

  async #stage({ entries, directories }: Journal) {
    for (const path of directories) await worded("creating", path, () => this.#fs.makeDirectory(path));
    for (const [index, entry] of entries.entries()) {
      const { change, mode, exists } = this.#staged[index]!;
      if (entry.kind !== "write" || change.kind !== "write") continue;
      await worded("writing", entry.path, async () => {
        await this.#fs.writeFile(entry.temp, change.bytes, mode, true);
        if (exists && entries.length > 1) await this.#fs.keep(entry.path, entry.backup);
      });
    }
  }
}

/** Directories on the way to files that are to be written, outermost first. */
async function missingDirectories(changes: readonly FileChange[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const change of changes) {
    if (change.kind === "remove") continue;
    for (let at = dirname(change.path); !missing.has(at) && !(await isThere(at)); at = dirname(at)) missing.add(at);
  }
  return [...missing].sort((a, b) => a.length - b.length);
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

/** Nothing was changed: only our own files go. */
async function discard(fs: JournalFs, { entries, directories }: Journal) {
  for (const entry of entries) {
    if (entry.kind === "write") await fs.remove(entry.temp);
    if (entry.kind === "write") await fs.remove(entry.backup);
  }
  await removeDirectories(fs, directories);
}

/** Makes every change that is not made yet; running it again does no harm. `foreign` hears of files others changed. */
async function finish(fs: JournalFs, { entries }: Journal, foreign: (path: string) => void) {
  for (const entry of entries) {
    const isMade = entry.kind === "write" ? !(await isThere(entry.temp)) : await isThere(entry.backup);
    if (isMade) continue;
    const op = entry.kind === "write" ? "writing" : "deleting";
    await worded(op, entry.path, async () => {
      if (!(await isAsItWas(entry))) foreign(entry.path);
      else if (entry.kind === "write") await fs.rename(entry.temp, entry.path);
      else await fs.rename(entry.path, entry.backup);
    });
  }
  const directories = new Set(entries.length > 1 ? entries.map((entry) => dirname(entry.path)) : []);
  for (const path of directories) await fs.syncDirectory(path);
  for (const entry of entries) {
    if (entry.kind === "write") await fs.remove(entry.temp);
    await fs.remove(entry.backup);
  }
}

async function isAsItWas({ kind, path, before }: JournalEntry): Promise<boolean> {
  if (before !== undefined) return (await stateOf(path)) === before;
  // Without a hash a write is of a new file, and a removal of a link.
  return (await isThere(path)) === (kind === "remove");
}

/** Takes back every change that was made; running it again does no harm. Returns the files somebody else changed. */
async function undo(fs: JournalFs, { entries, directories }: Journal): Promise<string[]> {
  const left: string[] = [];
  for (const entry of entries) {
    const wasMade = entry.kind === "remove" ? await isThere(entry.backup) : !(await isThere(entry.temp));
    if (wasMade && !(await takeBack(fs, entry))) left.push(entry.path);
    if (entry.kind === "write") await fs.remove(entry.temp);
    // A rename between two names of one file does nothing (rename(2)), so the second name may still be there.
    await fs.remove(entry.backup);
  }
  await removeDirectories(fs, directories);
  return left;
}

async function takeBack(fs: JournalFs, entry: JournalEntry): Promise<boolean> {
  if (entry.kind === "remove") {
    if (await isThere(entry.path)) return false;
    await fs.rename(entry.backup, entry.path);
    return true;
  }
  const now = await stateOf(entry.path);
  if (now === entry.before) return true;
  if (now !== entry.after) return false;
  if (entry.before === undefined) await fs.remove(entry.path);
  else await fs.rename(entry.backup, entry.path);
  return true;
}

async function removeDirectories(fs: JournalFs, directories: readonly string[]) {
  for (const path of [...directories].reverse()) await fs.removeDirectory(path);
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The hash of a file's bytes; undefined when there is none. */
async function stateOf(path: string): Promise<string | undefined> {
  return (await stat(path).catch(() => undefined))?.isFile() ? hashOfFile(path) : undefined;
}

const hashOfFile = async (path: string) => hashOf(await readFile(path));
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
