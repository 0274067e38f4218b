import { closeSync, linkSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { isRunning, processOwner } from "../system/process-owner.ts";

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Tells a process from a later one with the same number; empty where the system does not say. */
  readonly started: string;
}

export type LockResult =
  | { readonly kind: "taken"; release(): void }
  /** Another living process writes this session. */
  | { readonly kind: "busy"; readonly owner: LockOwner };

/** A lock of another machine is believed this long after it was made; its process cannot be asked. */
const FOREIGN_LOCK_MS = 12 * 60 * 60 * 1000;

/**
 * Marks `file` as written by this process. A marker whose process is gone is taken over. Throws when the directory
 * cannot be written.
 */
export function takeLock(file: string): LockResult {
  const mine = JSON.stringify(ownerOf(process.pid));
  for (;;) {
    if (createMarker(file, mine)) return { kind: "taken", release: () => releaseMarker(file, mine) };
    const found = readMarker(file);
    if (found === undefined) continue;
    const owner = parseOwner(found);
    if (owner && isAlive(owner, file)) return { kind: "busy", owner };
    moveAside(file, found);
  }
}

/** Who holds the lock at `file`, when that process lives. */
export function lockOwner(file: string): LockOwner | undefined {
  const found = readMarker(file);
  const owner = found === undefined ? undefined : parseOwner(found);
  return owner && isAlive(owner, file) ? owner : undefined;
}

function createMarker(file: string, content: string): boolean {
  // Written beside and linked into place, so that nobody ever reads a marker that is still empty.
  const own = `${file}.${process.pid}`;
  const handle = openSync(own, "w", 0o600);
  try {
    writeSync(handle, content);
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    closeSync(handle);
    unlinkSync(own);
  }
}

function releaseMarker(file: string, mine: string): void {
  if (readMarker(file) === mine) unlinkIfThere(file);
}

function readMarker(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const { pid, host, started } = JSON.parse(text) as Partial<LockOwner>;
    return typeof pid === "number" && typeof host === "string" ? { pid, host, started: String(started) } : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the dead marker we read, and nothing else: another process may have replaced it a moment ago. */
function moveAside(file: string, dead: string): void {
  const aside = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  try {
    if (readMarker(aside) !== dead) linkSync(aside, file);
  } catch {
    // Somebody took the lock meanwhile; the next look tells.
  }
  unlinkIfThere(aside);
}

function unlinkIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Gone already.
  }
}

function isAlive(owner: LockOwner, file: string): boolean {
  if (owner.host !== hostname()) return Date.now() - modified(file) < FOREIGN_LOCK_MS;
  return isRunning(owner);
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function ownerOf(pid: number): LockOwner {
  return { pid, host: hostname(), started: processOwner(pid).started ?? "" };
}
