/**
 * Changes to several files, all or none, even when the process dies in the middle. New bytes are staged beside their
 * targets, old ones kept under a second name; a journal says which way an interrupted set is to go (a redo log with
 * undo, after Gray and Reuter, "Transaction Processing", chapter 10). A single file needs only its rename.
 */
import { randomBytes } from "node:crypto";
import { access, constants, lstat, mkdir, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isRunning, processOwner } from "../system/process-owner.ts";
import { asFileProblem, codeOf, worded } from "./file-errors.ts";
import { type Journal, type JournalEntry, readJournal, writeJournal } from "./journal-file.ts";
import { type JournalFs, nodeJournalFs } from "./journal-fs.ts";
import { hashOf, stateOf, stateOfLink } from "./path-state.ts";
import { FileProblem } from "./project-files.ts";
import { inOrder, type TreeChange } from "./tree-change.ts";

/**
 * Applies all changes or none. Paths are real paths, each at most once. `stateDir` holds the journal while it is
 * needed. Throws FileProblem for the change that could not be made; then everything is as it was.
 */
export async function applyChanges(
  changes: readonly TreeChange[],
  stateDir: string,
  fs: JournalFs = nodeJournalFs,
): Promise<void> {
  refuseDuplicates(changes);
  const [only] = changes;
  if (!only) return;
  const staged: Staged[] = [];
  const ordered = inOrder(changes);
  const gone = new Set(changes.flatMap(({ kind, path }) => (kind === "remove" ? [path] : [])));
  for (let at = 0; at < ordered.length; at += READ_AT_ONCE)
    staged.push(...(await Promise.all(ordered.slice(at, at + READ_AT_ONCE).map((change) => prepare(change, gone)))));
  for (const { change, isFile } of staged) {
    if (change.kind === "write" && isFile) {
      await worded("writing", change.path, () => fs.checkWritable(change.path));
    }
  }
  if (changes.length === 1 && only.kind === "remove") {
    return worded("deleting", only.path, () => fs.remove(only.path));
  }
  await new Transaction(staged, stateDir, fs).run();
}

/** Files that are looked at together: open files are a limited good. */
const READ_AT_ONCE = 64;

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
  readonly change: TreeChange;
  readonly exists: boolean;
  readonly isFile: boolean;
  /** Permission bits it has. */
  readonly oldMode: number;
  readonly before: string | undefined;
}

function refuseDuplicates(changes: readonly TreeChange[]) {
  const paths = new Set(changes.map(({ kind, path }) => (kind === "mode" ? `mode ${path}` : isOfFolder(kind, path))));
  if (paths.size < changes.length) throw new Error("a set of changes names one path twice");
}

/** A folder may give way to a file, and the other way round, in one set. */
const isOfFolder = (kind: TreeChange["kind"], path: string) =>
  kind === "make-directory" || kind === "remove-directory" ? `${path}/` : path;

/** @param gone names the set removes */
async function prepare(change: TreeChange, gone: ReadonlySet<string>): Promise<Staged> {
  const { kind, path } = change;
  const op = OPERATIONS[kind];
  // Behind a link that gives way to a folder there is nothing, whatever it points to.
  if (isBelow(gone, path)) return { change, exists: false, isFile: false, oldMode: 0o777, before: undefined };
  const found = await worded(op, path, () =>
    lstat(path).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
      throw error;
    }),
  );
  const isFile = found?.isFile() === true;
  const fail = (reason: string) => {
    throw new FileProblem(op, path, reason);
  };
  if (!found && (kind === "remove" || kind === "mode")) fail("no such file or directory");
  // What takes the place of a folder comes in a set that removes the folder first.
  if (found?.isDirectory() && (kind === "remove" || kind === "write")) fail("is a directory, not a file");
  if (found && kind === "write" && !isFile) fail("is not a regular file");
  const before = kind === "mode" ? undefined : await worded(op, path, () => stateOf(path));
  if (change.expect !== undefined && change.expect !== (before ?? null)) fail(MEANWHILE);
  return { change, exists: found !== undefined, isFile, oldMode: (found?.mode ?? 0o777) & 0o7777, before };
}

function isBelow(gone: ReadonlySet<string>, path: string): boolean {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) if (gone.has(at)) return true;
  return false;
}

const MEANWHILE = "was changed by another program at the same moment; try again";

const OPERATIONS: Readonly<Record<TreeChange["kind"], string>> = {
  write: "writing",
  restore: "writing",
  link: "writing",
  remove: "deleting",
  mode: "changing the mode of",
  "make-directory": "creating",
  "remove-directory": "deleting",
};

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
    const folders = await foldersOf(this.#staged);
    const journal: Journal = {
      version: 1,
      phase: "staging",
      owner: processOwner(),
      entries: this.#staged.map((staged, index) => this.#entryOf(staged, index, folders.roomFor(staged.change))),
      directories: folders.missing,
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
        throw new FileProblem("writing", path, MEANWHILE);
      });
    } catch (error) {
      // Without room for this journal the older one leads a restart to the same end.
      if (isSet) await writeJournal(this.#fs, file, { ...journal, phase: "undo" }, true).catch(() => undefined);
      await this.#takeBack(journal, error);
      await this.#fs.remove(file);
      throw error;
    }
    try {
      await cleanUp(this.#fs, committed);
      await this.#fs.remove(file);
    } catch {
      // All is changed as wanted; the next start takes our own files away.
    }
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

  /** `room`: a folder that is there before, while and after the set is applied. */
  #entryOf({ change, before, oldMode }: Staged, index: number, room: string): JournalEntry {
    const { kind, path } = change;
    const beside = join(room, `.${basename(path).slice(0, 40)}.aura-${this.#id}-${index}`);
    const old = before === undefined ? {} : { before };
    switch (kind) {
      case "mode":
        return { kind, path, before: oldMode, after: change.mode };
      case "make-directory":
        return { kind, path, ...(change.mode !== undefined && { mode: change.mode }) };
      case "remove-directory":
        return { kind, path, mode: oldMode };
      case "remove":
        return { kind, path, backup: `${beside}.old`, ...old };
      default: {
        const temp = `${beside}.new`;
        return { kind: "write", path, temp, backup: `${beside}.old`, after: stateAfter(change), ...old };
      }
    }
  }

  async #stage({ entries, directories }: Journal) {
    for (const path of directories) await worded("creating", path, () => this.#fs.makeDirectory(path));
    for (const [index, entry] of entries.entries()) {
      const staged = this.#staged[index]!;
      if (entry.kind !== "write") continue;
      await worded("writing", entry.path, async () => {
        await this.#stageNew(staged, entry.temp);
        if (entry.before !== undefined && entries.length > 1) await this.#fs.keep(entry.path, entry.backup);
      });
    }
  }

  async #stageNew({ change, isFile, oldMode }: Staged, temp: string) {
    if (change.kind === "link") return this.#fs.makeLink(change.target, temp);
    if (change.kind === "restore") return this.#fs.writeFile(temp, await change.read(), change.mode, true);
    if (change.kind !== "write") return;
    await this.#fs.writeFile(temp, change.bytes, change.mode ?? (isFile ? oldMode : undefined), true);
  }
}

function stateAfter(change: TreeChange): string {
  if (change.kind === "link") return stateOfLink(change.target);
  if (change.kind === "restore") return change.state;
  return change.kind === "write" ? hashOf(change.bytes) : "";
}

interface Folders {
  /** On the way to files that are to be written, outermost first. */
  readonly missing: readonly string[];
  /** Where the new and the old bytes of a change wait. */
  roomFor(change: TreeChange): string;
}

async function foldersOf(staged: readonly Staged[]): Promise<Folders> {
  const made = new Set(staged.flatMap(({ change }) => (change.kind === "make-directory" ? [change.path] : [])));
  const gone = new Set(staged.flatMap(({ change }) => (change.kind === "remove-directory" ? [change.path] : [])));
  const missing = new Set<string>();
  const rooms = new Map<string, string>();
  for (const { change } of staged) {
    const folder = dirname(change.path);
    if (change.kind !== "remove")
      for (let at = folder; !missing.has(at) && !made.has(at) && !(await isThere(at)); at = dirname(at))
        missing.add(at);
    if (rooms.has(folder)) continue;
    let room = folder;
    while (!missing.has(room) && dirname(room) !== room && (made.has(room) || gone.has(room) || (await isClosed(room))))
      room = dirname(room);
    rooms.set(folder, room);
  }
  return {
    missing: [...missing].sort((a, b) => a.length - b.length),
    roomFor: ({ path }) => rooms.get(dirname(path))!,
  };
}

/** A folder that is none, or that nothing can be put into. */
async function isClosed(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return true;
  return access(path, constants.W_OK).then(
    () => false,
    () => true,
  );
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
  for (const entry of entries) await worded(OPERATIONS[entry.kind], entry.path, () => make(fs, entry, foreign));
  const directories = new Set(entries.length > 1 ? entries.map((entry) => dirname(entry.path)) : []);
  for (const path of directories) if (await isThere(path)) await fs.syncDirectory(path);
}

/** Takes our own files away, as far as it goes. From here on nothing can be taken back any more. */
async function cleanUp(fs: JournalFs, { entries }: Journal) {
  const files = entries.flatMap((entry) => {
    if (entry.kind === "write") return [entry.temp, entry.backup];
    return entry.kind === "remove" ? [entry.backup] : [];
  });
  const problems: unknown[] = [];
  for (const file of files) await fs.remove(file).catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw problems[0];
}

async function make(fs: JournalFs, entry: JournalEntry, foreign: (path: string) => void): Promise<void> {
  switch (entry.kind) {
    case "mode": {
      const now = await modeOf(entry.path);
      if (now === entry.after) return;
      if (now === entry.before) await fs.changeMode(entry.path, entry.after);
      else foreign(entry.path);
      return;
    }
    case "make-directory":
      if (await isThere(entry.path)) {
        if (!(await isFolder(entry.path))) return foreign(entry.path);
      } else await fs.makeDirectory(entry.path);
      if (entry.mode !== undefined) await fs.changeMode(entry.path, entry.mode);
      return;
    case "remove-directory":
      if (await isFolder(entry.path)) await fs.removeDirectory(entry.path);
      return;
    case "write":
      if (!(await isThere(entry.temp))) return;
      if (await isAsItWas(entry)) await fs.rename(entry.temp, entry.path);
      else foreign(entry.path);
      return;
    case "remove":
      if ((await isThere(entry.backup)) || (await isGone(entry))) return;
      if (await isAsItWas(entry)) await fs.rename(entry.path, entry.backup);
      else foreign(entry.path);
  }
}

async function isAsItWas({ kind, path, before }: FileEntry): Promise<boolean> {
  if (before !== undefined) return (await stateOf(path)) === before;
  // Without a state a write is of something new; a removal is of what has none, such as a pipe.
  return (await isThere(path)) === (kind === "remove");
}

/** A folder may stand there by now. */
const isGone = async ({ path, before }: FileEntry) =>
  before === undefined ? !(await isThere(path)) : (await stateOf(path)) === undefined;

type FileEntry = Extract<JournalEntry, { kind: "write" | "remove" }>;

/** Takes back every change that was made; running it again does no harm. Returns the files somebody else changed. */
async function undo(fs: JournalFs, { entries, directories }: Journal): Promise<string[]> {
  const left: string[] = [];
  for (const entry of [...entries].reverse()) if (!(await takeBack(fs, entry))) left.push(entry.path);
  await removeDirectories(fs, directories);
  return left;
}

/** False when somebody else has changed it since. */
async function takeBack(fs: JournalFs, entry: JournalEntry): Promise<boolean> {
  switch (entry.kind) {
    case "mode": {
      if ((await modeOf(entry.path)) !== entry.after) return true;
      await fs.changeMode(entry.path, entry.before);
      return true;
    }
    case "make-directory":
      if (await isFolder(entry.path)) await fs.removeDirectory(entry.path);
      return true;
    case "remove-directory":
      if (!(await isThere(entry.path))) await fs.makeDirectory(entry.path);
      if (await isFolder(entry.path)) await fs.changeMode(entry.path, entry.mode);
      return true;
    default: {
      const wasMade = entry.kind === "remove" ? await isThere(entry.backup) : !(await isThere(entry.temp));
      const isBack = !wasMade || (await takeBackFile(fs, entry));
      if (entry.kind === "write") await fs.remove(entry.temp);
      // A rename between two names of one file does nothing (rename(2)), so the second name may still be there.
      await fs.remove(entry.backup);
      return isBack;
    }
  }
}

async function takeBackFile(fs: JournalFs, entry: FileEntry): Promise<boolean> {
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

const isFolder = async (path: string) => (await lstat(path).catch(() => undefined))?.isDirectory() === true;

async function modeOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && !found.isSymbolicLink() ? found.mode & 0o7777 : undefined;
}
