import { basename, dirname } from "node:path";
import {
  type DirectoryEntry,
  type FileChange,
  FileProblem,
  type FileStat,
  type ProjectFiles,
} from "./project-files.ts";
import { resolvePath } from "./resolve-path.ts";
import { createTurnstile } from "./turnstile.ts";

export interface MemoryFilesOptions {
  /** Absolute path → text or bytes. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface MemoryFiles extends ProjectFiles {
  /** A copy of every file, sorted by path. */
  all(): ReadonlyMap<string, Uint8Array>;
}

interface Entry {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** Files that live in this object only: no links, no permissions, nothing to recover. */
export function memoryFiles(options: MemoryFilesOptions = {}): MemoryFiles {
  let files = new Map<string, Entry>();
  const directories = new Set<string>(["/"]);
  for (const [path, content] of Object.entries(options.files ?? {})) {
    files.set(path, { bytes: typeof content === "string" ? Buffer.from(content) : content, mode: 0o644 });
    addParents(directories, path);
  }

  const exists = async (path: string) => files.has(path) || directories.has(path);
  const around = { env: options.env ?? {}, exists, ...(options.home ? { home: options.home } : {}) };

  const stat = async (path: string): Promise<FileStat | undefined> => {
    const file = files.get(path);
    if (file) return { kind: "file", size: file.bytes.length, mode: file.mode };
    return directories.has(path) ? { kind: "directory", size: 0, mode: 0o755 } : undefined;
  };

  const parentsAreDirectories = (op: string, path: string, among: ReadonlyMap<string, Entry>) => {
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      if (among.has(at)) throw new FileProblem(op, path, `${at} is a file, not a directory`);
    }
  };

  return {
    resolve: (path, cwd) => resolvePath(path, cwd, around),
    realPath: async (path) => path,
    stat,
    async read(path) {
      const file = files.get(path);
      if (file) return file.bytes;
      throw new FileProblem(
        "reading",
        path,
        directories.has(path) ? "is a directory, not a file" : "no such file or directory",
      );
    },
    async list(path) {
      if (!directories.has(path)) {
        throw new FileProblem("listing", path, files.has(path) ? "is not a directory" : "no such file or directory");
      }
      return childrenOf(path, files.keys(), directories);
    },
    async makeDirectory(path) {
      if (files.has(path)) throw new FileProblem("creating", path, "path exists but is not a directory");
      parentsAreDirectories("creating", path, files);
      if (directories.has(path)) return false;
      addParents(directories, path);
      directories.add(path);
      return true;
    },
    async apply(changes) {
      const next = new Map(files);
      for (const change of changes) applyOne(change, next, directories, parentsAreDirectories);
      files = next;
      for (const path of files.keys()) addParents(directories, path);
    },
    exclusively: createTurnstile(),
    all: () => new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, entry]) => [path, entry.bytes])),
  };
}

function applyOne(
  change: FileChange,
  files: Map<string, Entry>,
  directories: ReadonlySet<string>,
  checkParents: (op: string, path: string, among: ReadonlyMap<string, Entry>) => void,
) {
  const op = change.kind === "write" ? "writing" : "deleting";
  if (directories.has(change.path)) throw new FileProblem(op, change.path, "is a directory, not a file");
  if (change.kind === "remove") {
    if (!files.delete(change.path)) throw new FileProblem(op, change.path, "no such file or directory");
    return;
  }
  checkParents(op, change.path, files);
  files.set(change.path, {
    bytes: Uint8Array.from(change.bytes),
    mode: change.mode ?? files.get(change.path)?.mode ?? 0o644,
  });
}

function childrenOf(path: string, files: Iterable<string>, directories: Iterable<string>): DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  for (const file of files) if (dirname(file) === path) entries.push({ name: basename(file), kind: "file" });
  for (const directory of directories) {
    if (directory !== "/" && dirname(directory) === path)
      entries.push({ name: basename(directory), kind: "directory" });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function addParents(directories: Set<string>, path: string) {
  for (let at = dirname(path); !directories.has(at); at = dirname(at)) directories.add(at);
}
