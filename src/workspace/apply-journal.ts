/**
 * Changes to several files, all or none, even when the process dies in the middle. New bytes are staged beside their
 * targets, old ones kept under a second name; a journal says which way an interrupted set is to go (a redo log with
 * undo, after Gray and Reuter, "Transaction Processing", chapter 10). A single file needs only its rename.
 */
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { processOwner } from "../system/process-owner.ts";
import { foldersOf } from "./apply-journal-folders.ts";
import { MEANWHILE, prepare, refuseDuplicates, type Staged } from "./apply-journal-staged.ts";
import { cleanUp, discard, finish, undo } from "./apply-journal-steps.ts";
import { worded } from "./file-errors.ts";
import { type Journal, type JournalEntry, writeJournal } from "./journal-file.ts";
import { type JournalFs, nodeJournalFs } from "./journal-fs.ts";
import { hashOf, stateOfLink } from "./path-state.ts";
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
