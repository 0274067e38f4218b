import { randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { isRunning, processOwner } from "./process-owner.ts";

export interface LockOptions {
  /** How long to wait for the owner before giving up. Default 10 s. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs `act` while holding the advisory lock of `path`, against other processes and against ourselves. The lock is the
 * file `<path>.lock`, created exclusively; it names its owner, and the lock of an owner that died is taken over.
 * @throws Error when somebody living holds the lock longer than `waitMs`; whatever `act` throws
 */
export async function withLock<T>(path: string, act: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(lock), { recursive: true });
  const release = await acquire(lock, options);
  try {
    return await act();
  } finally {
    await release();
  }
}

/** A lock without a readable owner is one being written, unless it stays that way for this long. */
const UNSIGNED_MS = 2000;
/** The owner of a lock on another machine cannot be looked up; this old, it is given up. */
const FOREIGN_MS = 60_000;

async function acquire(lock: string, options: LockOptions): Promise<() => Promise<void>> {
  const { waitMs = 10_000, signal } = options;
  const deadline = performance.now() + waitMs;
  const owner = describeSelf();
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    signal?.throwIfAborted();
    if (await create(lock, owner)) return () => release(lock, owner);
    const content = await readLock(lock);
    if (content && isStale(content) && (await bury(lock))) continue;
    if (performance.now() >= deadline) throw new Error(`${lock} is held by ${nameOwner(content)}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function release(lock: string, owner: string): Promise<void> {
  if ((await readLock(lock))?.text === owner) await rm(lock, { force: true });
}

/**
 * Removes the lock of a dead owner. Several may see the same corpse, and the slower must not remove the fresh lock of the
 * faster: only who holds the burial's own lock may remove, and looks again first.
 */
async function bury(lock: string): Promise<boolean> {
  const burial = `${lock}.stale`;
  if (!(await create(burial, describeSelf()))) {
    const other = await readLock(burial);
    if (other && other.ageMs > UNSIGNED_MS) await rm(burial, { force: true });
    return false;
  }
  try {
    const content = await readLock(lock);
    if (content && isStale(content)) await rm(lock, { force: true });
    return true;
  } finally {
    await rm(burial, { force: true });
  }
}

async function create(lock: string, owner: string): Promise<boolean> {
  try {
    const file = await open(lock, "wx", 0o600);
    try {
      await file.writeFile(owner);
    } finally {
      await file.close();
    }
    return true;
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw problem;
  }
}

interface LockContent {
  readonly text: string;
  readonly ageMs: number;
}

async function readLock(lock: string): Promise<LockContent | undefined> {
  try {
    const file = await open(lock, "r");
    try {
      const [text, { mtimeMs }] = [await file.readFile("utf8"), await file.stat()];
      return { text, ageMs: Date.now() - mtimeMs };
    } finally {
      await file.close();
    }
  } catch {
    return undefined; // released meanwhile
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in whatever unit the system has; tells it from a later one with the same id. */
  readonly began?: string | undefined;
}

function describeSelf(): string {
  const owner: Owner = { pid: process.pid, host: hostname(), began: processOwner().started };
  return JSON.stringify({ ...owner, id: randomUUID() });
}

function isStale(content: LockContent): boolean {
  const owner = readOwner(content.text);
  if (!owner) return content.ageMs > UNSIGNED_MS;
  if (owner.host !== hostname()) return content.ageMs > FOREIGN_MS;
  return !isRunning({ pid: owner.pid, started: owner.began });
}

function readOwner(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    if (typeof owner?.pid !== "number" || typeof owner.host !== "string") return undefined;
    return { pid: owner.pid, host: owner.host, began: owner.began };
  } catch {
    return undefined;
  }
}

function nameOwner(content: LockContent | undefined): string {
  const owner = content && readOwner(content.text);
  return owner ? `process ${owner.pid} on ${owner.host}` : "another process";
}
