/**
 * A folder as it is at a moment, so that what happens next can be told and taken back: path, kind, size, mode, times and
 * inode of everything below it, and the contents of its files by hash. A file whose times, size and inode are those of
 * the snapshot before has the content it had (as git's index decides, "racy git": unless it was written just then).
 */
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import type { FileState, PathChange } from "../protocol/file-change.ts";
import { hashOf } from "./path-state.ts";

export interface SnapshotEntry {
  readonly kind: "file" | "link" | "directory";
  readonly mode: number;
  readonly size: number;
  /** Milliseconds, with fractions. */
  readonly mtime: number;
  readonly ctime: number;
  readonly inode: number;
  /** Hash of a file's content, target of a link; absent when the content is not kept. */
  readonly content?: string;
}

export interface Snapshot {
  /** Milliseconds since 1970, before the first file was looked at. */
  readonly at: number;
  /** By path below the root, with slashes. */
  readonly entries: ReadonlyMap<string, SnapshotEntry>;
  /** Folders that were not looked into, with why. */
  readonly skipped: ReadonlyMap<string, string>;
}

export interface SnapshotLimits {
  /** Paths; what is deeper is not looked into. */
  readonly maxPaths: number;
  /** Content of larger files is not kept. */
  readonly maxFileBytes: number;
  /** Content of all files together; what comes later is not kept. */
  readonly maxBytes: number;
}

export const SNAPSHOT_LIMITS: SnapshotLimits = {
  maxPaths: 250_000,
  maxFileBytes: 16 * 1024 * 1024,
  maxBytes: 512 * 1024 * 1024,
};

export interface SnapshotOptions {
  /** Absolute and real. */
  readonly root: string;
  readonly limits: SnapshotLimits;
  readonly previous: Snapshot | undefined;
  /** Why a folder is not looked into; undefined when it is. */
  skip(path: string, entries: readonly Dirent[]): string | undefined;
  isKept(hash: string): boolean;
  /** `bytes` are used for something else afterwards. */
  keep(path: string, hash: string, bytes: Uint8Array): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** How long the event loop may be held. */
const SLICE_MS = 10;
/** The clock of file systems moves in steps of up to this; a file changed within one may look unchanged. */
const TICK_MS = 20;

/** Looks at the nearest folders first. Links are never followed. Never throws: what cannot be read is left out. */
export async function takeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { root, limits, now } = options;
  const at = now();
  const entries = new Map<string, SnapshotEntry>();
  const skipped = new Map<string, string>();
  const contents = new Contents(options);
  let sliceEnds = performance.now() + SLICE_MS;
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const children = listFolder(join(root, folder));
    if (!children) {
      skipped.set(folder, "cannot be read");
      continue;
    }
    const why = folder === "" ? undefined : options.skip(folder, children);
    const isFull = entries.size + children.length > limits.maxPaths;
    if (why !== undefined || isFull) {
      skipped.set(folder, why ?? "there are too many files");
      continue;
    }
    for (const { name } of children) {
      if (performance.now() > sliceEnds) {
        await new Promise(setImmediate);
        sliceEnds = performance.now() + SLICE_MS;
      }
      const path = folder === "" ? name : `${folder}/${name}`;
      const entry = contents.look(path);
      if (!entry) continue;
      entries.set(path, entry);
      if (entry.kind === "directory") folders.push(path);
    }
  }
  return { at, entries, skipped };
}

/** What is different, in the order of paths. Where one of the two did not look, nothing is different. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly PathChange[] {
  const changes: PathChange[] = [];
  for (const [path, entry] of before.entries) {
    const now = after.entries.get(path);
    if (now ? isSame(entry, now) : isUnder(after.skipped, path)) continue;
    changes.push({ path, before: stateOfEntry(entry), ...(now && { after: stateOfEntry(now) }) });
  }
  for (const [path, entry] of after.entries)
    if (!before.entries.has(path) && !isUnder(before.skipped, path)) changes.push({ path, after: stateOfEntry(entry) });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Is it below a folder that was not looked into? */
export function isUnder(folders: ReadonlyMap<string, string>, path: string): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
    if (folders.has(path.slice(0, end))) return true;
  return folders.has("");
}

function stateOfEntry({ kind, mode, size, mtime, content }: SnapshotEntry): FileState {
  if (kind === "link") return { kind, target: content ?? "" };
  if (kind === "directory") return { kind, mode };
  return content === undefined ? { kind, mode, size, mtime } : { kind, mode, size, hash: content };
}

function isSame(a: SnapshotEntry, b: SnapshotEntry): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === "link") return a.content === b.content;
  if (a.mode !== b.mode) return false;
  if (a.kind === "directory") return true;
  if (a.content !== undefined && b.content !== undefined) return a.content === b.content;
  return a.size === b.size && a.mtime === b.mtime && a.inode === b.inode;
}

/** Looks at single paths, and into files that may have changed, until there is too much. */
class Contents {
  readonly #options: SnapshotOptions;
  #bytes = 0;
  #room = Buffer.allocUnsafeSlow(64 * 1024);

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  look(path: string): SnapshotEntry | undefined {
    const { root, previous } = this.#options;
    const full = join(root, path);
    try {
      const found = lstatSync(full);
      const kind = found.isFile()
        ? "file"
        : found.isDirectory()
          ? "directory"
          : found.isSymbolicLink()
            ? "link"
            : "other";
      if (kind === "other") return undefined;
      const { size, mtimeMs: mtime, ctimeMs: ctime, ino: inode } = found;
      const entry = { kind, mode: found.mode & 0o7777, size, mtime, ctime, inode } as const;
      if (kind === "directory") return entry;
      if (kind === "link") return { ...entry, content: readlinkSync(full) };
      const known = this.#known(entry, previous?.entries.get(path));
      if (known) return known;
      const content = this.#read(path, full, entry.size);
      return content === undefined ? entry : { ...entry, content };
    } catch {
      return undefined; // gone while we looked, or not ours to look at
    }
  }

  /** The same object where nothing has changed: two snapshots share what they can. */
  #known(entry: SnapshotEntry, before: SnapshotEntry | undefined): SnapshotEntry | undefined {
    const { previous, isKept } = this.#options;
    if (!previous || before?.kind !== "file" || before.content === undefined) return undefined;
    const { mode, size, mtime, ctime, inode } = before;
    const isUnchanged = size === entry.size && mtime === entry.mtime && ctime === entry.ctime && inode === entry.inode;
    if (!isUnchanged || Math.max(mtime, ctime) > previous.at - TICK_MS) return undefined;
    if (!isKept(before.content) || !this.#hasRoom(size)) return undefined;
    return mode === entry.mode ? before : { ...entry, content: before.content };
  }

  #read(path: string, full: string, size: number): string | undefined {
    if (!this.#hasRoom(size)) return undefined;
    const bytes = this.#readWhole(full);
    if (!bytes) {
      this.#bytes -= size;
      return undefined;
    }
    const hash = hashOf(bytes);
    this.#options.keep(path, hash, bytes);
    return hash;
  }

  /** A regular file's bytes, until the next call; undefined when it is not one any more, or cannot be read. */
  #readWhole(path: string): Uint8Array | undefined {
    let file: number;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return undefined;
    }
    try {
      const found = fstatSync(file);
      if (!found.isFile() || found.size > this.#options.limits.maxFileBytes) return undefined;
      if (this.#room.length < found.size) this.#room = Buffer.allocUnsafeSlow(found.size * 2);
      let at = 0;
      for (let read = -1; at < found.size && read !== 0; at += read)
        read = readSync(file, this.#room, at, found.size - at, at);
      return this.#room.subarray(0, at);
    } finally {
      closeSync(file);
    }
  }

  #hasRoom(size: number): boolean {
    const { maxFileBytes, maxBytes } = this.#options.limits;
    if (size > maxFileBytes || this.#bytes + size > maxBytes) return false;
    this.#bytes += size;
    return true;
  }
}

function listFolder(path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
