import { lstat, mkdir, readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { applyChanges } from "./apply-journal.ts";
import { codeOf, worded } from "./file-errors.ts";
import type { JournalFs } from "./journal-fs.ts";
import { type DirectoryEntry, FileProblem, type FileStat, type ProjectFiles } from "./project-files.ts";
import { resolvePath } from "./resolve-path.ts";
import { createTurnstile } from "./turnstile.ts";

export interface DiskFilesOptions {
  /** Where the journal of a set of changes lives; made when first needed. */
  readonly stateDir: string;
  /** What `~` stands for. */
  readonly home?: string;
  /** What `$VAR`s in paths stand for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For tests. */
  readonly journalFs?: JournalFs;
}

/** The files on disk. Call `recoverJournals(stateDir)` once before. */
export function diskFiles({ stateDir, home, env, journalFs }: DiskFilesOptions): ProjectFiles {
  const around = { env, exists: isThere, ...(home ? { home } : {}) };
  return {
    resolve: (path, cwd) => resolvePath(path, cwd, around),
    realPath: (path) => worded("resolving", path, () => realPathOf(path)),
    stat: (path) => worded("reading", path, () => statOf(path)),
    read: (path) => worded("reading", path, () => readRegularFile(path)),
    list: (path) => worded("listing", path, () => listDirectory(path)),
    makeDirectory: (path) => worded("creating", path, () => makeDirectory(path)),
    async apply(changes) {
      const real = await Promise.all(
        changes.map(async (change) => ({ ...change, path: await targetOf(change.kind, change.path) })),
      );
      await applyChanges(real, stateDir, journalFs);
    },
    exclusively: createTurnstile(),
  };
}

/** A write goes to what a link points to; a removal is of the name. */
async function targetOf(kind: "write" | "remove", path: string): Promise<string> {
  if (kind === "write") return worded("writing", path, () => realPathOf(path));
  return join(await worded("deleting", path, () => realPathOf(dirname(path))), basename(path));
}

/** `links` counts the dangling links followed on the way: more than the kernel would follow are a loop. */
async function realPathOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  const parent = await realPathOf(dirname(path), links);
  const target = await readlink(join(parent, basename(path))).catch(() => undefined);
  if (target === undefined) return join(parent, basename(path));
  if (links >= 40) throw new FileProblem("resolving", path, "too many symbolic links");
  return realPathOf(resolve(parent, target), links + 1);
}

async function statOf(path: string): Promise<FileStat | undefined> {
  try {
    const found = await stat(path);
    const kind = found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
    return { kind, size: found.size, mode: found.mode & 0o7777 };
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

async function readRegularFile(path: string): Promise<Uint8Array> {
  const found = await stat(path);
  // Reading a pipe or a device may never end.
  if (!found.isFile() && !found.isDirectory()) throw new FileProblem("reading", path, "is not a regular file");
  return readFile(path);
}

async function listDirectory(path: string): Promise<readonly DirectoryEntry[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw codeOf(error) === "ENOTDIR" ? new FileProblem("listing", path, "is not a directory") : error;
  });
  return entries
    .map((entry): DirectoryEntry => {
      const kind = entry.isDirectory()
        ? "directory"
        : entry.isFile()
          ? "file"
          : entry.isSymbolicLink()
            ? "symlink"
            : "other";
      return { name: entry.name, kind };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function makeDirectory(path: string): Promise<boolean> {
  const found = await statOf(path);
  if (found?.kind === "directory") return false;
  if (found) throw new FileProblem("creating", path, "path exists but is not a directory");
  return (await mkdir(path, { recursive: true })) !== undefined;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
