/**
 * Contents of files, kept by their hash so that they can be put back. Each process appends to a pair of files of its
 * own, so that nobody waits: `<owner>.pack` holds the bytes, `<owner>.idx` says where: 32 bytes of SHA-256, then offset
 * and length in 6 bytes each, big-endian. Readers look at all pairs. A pair torn by the death of its writer loses its
 * last entry; what is read back is checked against its hash.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isRunning, processOwner } from "../system/process-owner.ts";
import { hashOf } from "./path-state.ts";

export interface BlobStore {
  /** The name under which this process keeps things in `dir`. */
  readonly owner: string;
  readonly dir: string;
  has(hash: string): boolean;
  /** Copies the bytes; they are on disk after `flush`, or earlier. */
  put(hash: string, bytes: Uint8Array): void;
  flush(): void;
  /** Undefined when they are not kept, no longer kept, or damaged. */
  read(hash: string): Uint8Array | undefined;
  close(): void;
}

interface Place {
  readonly pack: string;
  readonly offset: number;
  readonly length: number;
}

const ENTRY = 44;
/** Bytes that are written together. */
const BATCH = 4 * 1024 * 1024;

/** @param dir made, readable by its owner alone. Throws Node file errors. */
export function openBlobs(dir: string): BlobStore {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const places = new Map<string, Place>();
  for (const name of packsIn(dir)) readIndex(dir, name, places);
  const { pid, started } = processOwner();
  const owner = `${pid}-${started ?? "0"}-${randomBytes(4).toString("hex")}`;
  const pack = join(dir, `${owner}.pack`);
  let files: { readonly pack: number; readonly index: number } | undefined;
  let end = 0;
  /** One buffer for all small ones: to read 100,000 files must not leave 100,000 buffers behind. */
  let batch: Buffer | undefined;
  let filled = 0;
  let waiting: { readonly hash: string; readonly length: number }[] = [];

  function write(bytes: Uint8Array) {
    files ??= { pack: openNew(pack), index: openNew(join(dir, `${owner}.idx`)) };
    writeAll(files.pack, bytes);
    const index = Buffer.alloc(ENTRY * waiting.length);
    for (const [at, { hash, length }] of waiting.entries()) {
      index.write(hash, at * ENTRY, "hex");
      index.writeUIntBE(end, at * ENTRY + 32, 6);
      index.writeUIntBE(length, at * ENTRY + 38, 6);
      places.set(hash, { pack, offset: end, length });
      end += length;
    }
    // Behind the bytes: an entry never speaks of bytes that are not there.
    writeAll(files.index, index);
    waiting = [];
    filled = 0;
  }

  function flush() {
    if (waiting.length > 0) write(batch!.subarray(0, filled));
  }

  return {
    owner,
    dir,
    has: (hash) => places.has(hash),
    put(hash, bytes) {
      if (places.has(hash)) return;
      if (filled + bytes.length > BATCH) flush();
      places.set(hash, { pack, offset: -1, length: bytes.length });
      waiting.push({ hash, length: bytes.length });
      if (bytes.length > BATCH) return write(bytes);
      batch ??= Buffer.allocUnsafeSlow(BATCH);
      batch.set(bytes, filled);
      filled += bytes.length;
    },
    flush,
    read(hash) {
      flush();
      const place = places.get(hash);
      const bytes = place && readPlace(place);
      return bytes && hashOf(bytes) === hash ? bytes : undefined;
    },
    close() {
      flush();
      batch = undefined;
      if (!files) return;
      closeSync(files.pack);
      closeSync(files.index);
      files = undefined;
    },
  };
}

export interface PruneLimits {
  readonly maxBytes: number;
  /** Unused for so long, a file goes. */
  readonly maxAgeMs: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Lets go of what is old, and of the oldest while there is too much; what a living process keeps stays. */
export function pruneBlobs(dir: string, { maxBytes, maxAgeMs, now }: PruneLimits): void {
  const owners = new Map<string, { bytes: number; used: number }>();
  for (const name of listed(dir)) {
    const owner = /^(\d+-\d+-[0-9a-f]+)\./.exec(name)?.[1];
    const found = owner && statSync(join(dir, name), { throwIfNoEntry: false });
    if (!owner || !found) continue;
    const sum = owners.get(owner) ?? { bytes: 0, used: 0 };
    owners.set(owner, { bytes: sum.bytes + found.size, used: Math.max(sum.used, found.mtimeMs) });
  }
  let total = [...owners.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [owner, { bytes, used }] of [...owners].sort(([, a], [, b]) => a.used - b.used)) {
    if (isAlive(owner) || (now - used <= maxAgeMs && total <= maxBytes)) continue;
    for (const end of ENDS) rmSync(join(dir, `${owner}.${end}`), { force: true });
    total -= bytes;
  }
}

/** What one owner keeps: bytes, where they are, and the tree it last looked at. */
const ENDS = ["idx", "pack", "tree"];

/** Its time of change is its time of use: what is used is not pruned for its age. */
export function markUsed(dir: string, now: number): void {
  for (const name of packsIn(dir)) utimesSync(join(dir, `${name}.pack`), now / 1000, now / 1000);
}

function isAlive(owner: string): boolean {
  const [pid, started] = owner.split("-");
  return isRunning({ pid: Number(pid), ...(started !== "0" && { started }) });
}

const packsIn = (dir: string) =>
  listed(dir).flatMap((name) => (name.endsWith(".idx") ? [name.slice(0, -".idx".length)] : []));

function listed(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // nothing was ever kept
  }
}

function readIndex(dir: string, name: string, places: Map<string, Place>): void {
  const pack = join(dir, `${name}.pack`);
  try {
    const index = readFileSync(join(dir, `${name}.idx`));
    for (let at = 0; at + ENTRY <= index.length; at += ENTRY)
      places.set(index.toString("hex", at, at + 32), {
        pack,
        offset: index.readUIntBE(at + 32, 6),
        length: index.readUIntBE(at + 38, 6),
      });
  } catch {
    // Pruned by another process at this moment.
  }
}

function readPlace({ pack, offset, length }: Place): Uint8Array | undefined {
  try {
    const file = openSync(pack, "r");
    try {
      if (fstatSync(file).size < offset + length) return undefined;
      const bytes = Buffer.alloc(length);
      for (let at = 0; at < length; ) at += readSync(file, bytes, at, length - at, offset + at);
      return bytes;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined; // pruned
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

const openNew = (path: string) =>
  openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
