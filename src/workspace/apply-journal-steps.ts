/** What is done with the entries of a journal, forwards and back. Every step may be run again. */
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { OPERATIONS } from "./apply-journal-staged.ts";
import { worded } from "./file-errors.ts";
import type { Journal, JournalEntry } from "./journal-file.ts";
import type { JournalFs } from "./journal-fs.ts";
import { stateOf } from "./path-state.ts";

/** Nothing was changed: only our own files go. */
export async function discard(fs: JournalFs, { entries, directories }: Journal) {
  for (const entry of entries) {
    if (entry.kind === "write") await fs.remove(entry.temp);
    if (entry.kind === "write") await fs.remove(entry.backup);
  }
  await removeDirectories(fs, directories);
}

/** Makes every change that is not made yet; running it again does no harm. `foreign` hears of files others changed. */
export async function finish(fs: JournalFs, { entries }: Journal, foreign: (path: string) => void) {
  for (const entry of entries) await worded(OPERATIONS[entry.kind], entry.path, () => make(fs, entry, foreign));
  const directories = new Set(entries.length > 1 ? entries.map((entry) => dirname(entry.path)) : []);
  for (const path of directories) if (await isThere(path)) await fs.syncDirectory(path);
}

/** Takes our own files away, as far as it goes. From here on nothing can be taken back any more. */
export async function cleanUp(fs: JournalFs, { entries }: Journal) {
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
export async function undo(fs: JournalFs, { entries, directories }: Journal): Promise<string[]> {
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

export async function isThere(path: string): Promise<boolean> {
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
