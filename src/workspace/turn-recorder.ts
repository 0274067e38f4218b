/** What one turn after the other changes in a folder, whoever does it: our tools, the shell, or what they start. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { FileState, PathChange } from "../protocol/file-change.ts";
import { isInside } from "../system/paths.ts";
import { type BlobStore, markUsed, openBlobs, type PruneLimits, pruneBlobs } from "./blob-store.ts";
import { changeOf, isSameState } from "./net-changes.ts";
import { fullPath, pathStateOf } from "./restore.ts";
import { whySkipped } from "./skipped-folders.ts";
import { changesBetween, isUnder, type Snapshot, type SnapshotLimits, takeSnapshot } from "./snapshot.ts";
import { readTree, writeTree } from "./tree-file.ts";

export interface RecorderOptions {
  /** Absolute and real. */
  readonly root: string;
  /** Where the contents go. */
  readonly dir: string;
  readonly limits: SnapshotLimits;
  readonly prune: Omit<PruneLimits, "now">;
  /** Folders and files of ours, absolute: they change without anybody's doing. */
  readonly own: readonly string[];
  /** Contents of such files are kept in memory alone, and so not beyond the end of the process. */
  isSecret(path: string): boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A turn that was broken off by the death of its process. */
export interface BrokenTurn {
  readonly tree?: string;
  /** Files our tools were about to change, as they were; `at` in milliseconds since 1970. */
  readonly paths: readonly { readonly path: string; readonly before?: FileState; readonly at: number }[];
}

/** How long after its last sign of life a dead process's children may still have written. */
const AFTERMATH_MS = 5_000;
const HEARTBEAT_MS = 1_000;
/** Of secrets, all together. */
const MOST_SECRET_BYTES = 4 * 1024 * 1024;

/** One for a conversation. `beforeAnything` and `beforeFiles` must have returned before the change they announce. */
export class TurnRecorder {
  readonly #options: RecorderOptions;
  readonly #blobs: BlobStore;
  readonly #secrets = new Map<string, Uint8Array>();
  #secretBytes = 0;
  /** The newest look at the folder, of an earlier process too. */
  #last: Snapshot | undefined;
  #before: Promise<Snapshot> | undefined;
  #isLooked = false;
  readonly #known = new Map<string, FileState | undefined>();
  #heart: NodeJS.Timeout | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    const now = options.now();
    markUsed(options.dir, now);
    pruneBlobs(options.dir, { ...options.prune, now });
    this.#blobs = openBlobs(options.dir);
  }

  /** Folders that were not looked into, with why. */
  get skipped(): ReadonlyMap<string, string> {
    this.#last ??= readNewestTree(this.#options.dir, this.#options.root);
    return this.#last?.skipped ?? new Map();
  }

  /** Before something runs that may change any file. Returns the name of the tree it looked at. */
  async beforeAnything(): Promise<string> {
    this.#before ??= this.#look();
    this.#last = await this.#before;
    this.#isLooked = true;
    if (!this.#heart) {
      const file = this.#treeFile(this.#blobs.owner);
      writeTree(file, this.#options.root, this.#last);
      this.#heart = setInterval(() => beat(file, this.#options.now()), HEARTBEAT_MS).unref();
    }
    return this.#blobs.owner;
  }

  /** Before one of our tools changes these files. Returns how those are that were not known yet. */
  async beforeFiles(paths: readonly string[]): Promise<readonly PathChange[]> {
    const told: PathChange[] = [];
    for (const full of paths) {
      const path = this.#nameOf(full);
      if (this.#known.has(path) || this.#isSeen(path)) continue;
      const state = await this.#stateOf(path);
      this.#known.set(path, state);
      told.push(changeOf(path, state, undefined));
    }
    this.#blobs.flush();
    return told;
  }

  /** What has changed since the first of the two above; the next turn begins. */
  async end(): Promise<readonly PathChange[]> {
    clearInterval(this.#heart);
    this.#heart = undefined;
    const before = await this.#before;
    const changes = new Map<string, PathChange>();
    if (before) {
      this.#last = await this.#look();
      for (const change of changesBetween(before, this.#last)) changes.set(change.path, change);
    }
    for (const [path, state] of this.#known) {
      const now = await this.#stateOf(path);
      changes.delete(path);
      if (!isSameState(state, now)) changes.set(path, changeOf(path, state, now));
    }
    this.#blobs.flush();
    this.#before = undefined;
    this.#isLooked = false;
    this.#known.clear();
    return [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** What a turn had changed that did not come to its end; what was changed later is somebody else's. */
  async sinceBroken({ tree, paths }: BrokenTurn): Promise<readonly PathChange[]> {
    const changes = new Map<string, PathChange>();
    const file = tree !== undefined && /^[\w-]+$/.test(tree) ? this.#treeFile(tree) : undefined;
    const before = file === undefined ? undefined : readTree(file, this.#options.root);
    if (file !== undefined && before) {
      const until = statSync(file).mtimeMs + AFTERMATH_MS;
      this.#last = before;
      this.#last = await this.#look();
      for (const change of changesBetween(before, this.#last))
        if ((this.#last.entries.get(change.path)?.ctime ?? 0) <= until) changes.set(change.path, change);
    }
    for (const { path, before: state, at } of paths) {
      const now = await this.#stateOf(path);
      const changedAt = statSync(fullPath(this.#options.root, path), { throwIfNoEntry: false })?.ctimeMs ?? 0;
      const isTheirs = changedAt > at + AFTERMATH_MS && !changes.has(path);
      changes.delete(path);
      if (!isTheirs && !isSameState(state, now)) changes.set(path, changeOf(path, state, now));
    }
    this.#blobs.flush();
    return [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Undefined for what is not kept, or no longer. */
  contentOf(hash: string): Uint8Array | undefined {
    return this.#secrets.get(hash) ?? this.#blobs.read(hash);
  }

  close(): void {
    clearInterval(this.#heart);
    this.#blobs.close();
    const file = this.#treeFile(this.#blobs.owner);
    // Only a turn that is broken off needs a tree of its own; else the newest serves whoever comes next.
    if (!this.#before && existsSync(file)) renameSync(file, this.#treeFile("last"));
  }

  async #look(): Promise<Snapshot> {
    const { root, limits, now } = this.#options;
    this.#last ??= readNewestTree(this.#options.dir, root);
    const previous = this.#last;
    const snapshot = await takeSnapshot({
      root,
      limits,
      previous,
      skip: (path, entries) => (this.#isOwn(path) ? "Aura's own" : whySkipped(path, entries)),
      isKept: (hash) => this.#secrets.has(hash) || this.#blobs.has(hash),
      keep: (path, hash, bytes) => this.#keep(path, hash, bytes),
      now,
    });
    this.#blobs.flush();
    if (!this.#options.own.some((own) => snapshot.entries.has(relative(root, own)))) return snapshot;
    const entries = new Map([...snapshot.entries].filter(([path]) => !this.#isOwn(path)));
    return { ...snapshot, entries };
  }

  /** Does the look at the whole folder say how it was? */
  #isSeen(path: string): boolean {
    if (!this.#isLooked || !this.#last || isAbsolute(path) || isUnder(this.#last.skipped, path)) return false;
    const entry = this.#last.entries.get(path);
    return entry === undefined ? !this.#isOwn(path) : entry.kind !== "file" || entry.content !== undefined;
  }

  async #stateOf(path: string): Promise<FileState | undefined> {
    const { root, limits } = this.#options;
    const full = fullPath(root, path);
    const quick = await pathStateOf(full, true);
    if (quick?.kind !== "file" || quick.size < 0 || quick.size > limits.maxFileBytes) return quick;
    const bytes = readFileSync(full);
    const state = await pathStateOf(full);
    if (state?.kind === "file" && state.hash !== undefined) this.#keep(path, state.hash, bytes);
    return state;
  }

  #keep(path: string, hash: string, bytes: Uint8Array): void {
    if (!this.#options.isSecret(path)) return this.#blobs.put(hash, bytes);
    if (this.#secrets.has(hash) || this.#secretBytes + bytes.length > MOST_SECRET_BYTES) return;
    this.#secrets.set(hash, Uint8Array.from(bytes));
    this.#secretBytes += bytes.length;
  }

  #isOwn(path: string): boolean {
    const full = fullPath(this.#options.root, path);
    return this.#options.own.some((own) => isInside(own, full));
  }

  #nameOf(full: string): string {
    const { root } = this.#options;
    return isInside(root, full) ? relative(root, full).split(sep).join("/") : full;
  }

  #treeFile(owner: string): string {
    return join(this.#options.dir, `${owner}.tree`);
  }
}

function beat(file: string, now: number): void {
  try {
    utimesSync(file, now / 1000, now / 1000);
  } catch {
    // Pruned by hand: then there is nothing to go back to after a crash.
  }
}

function readNewestTree(dir: string, root: string): Snapshot | undefined {
  const newest = readdirSync(dir)
    .filter((name) => name.endsWith(".tree"))
    .map((name) => ({ file: join(dir, name), at: statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)[0];
  return newest && readTree(newest.file, root);
}
