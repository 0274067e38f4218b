import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LockOwner, takeLock } from "./session-lock.ts";
import { encodeRecord, type SessionHeader, type SessionRecord } from "./session-record.ts";

/** The open end of one session. Nothing here throws: a log that cannot be written never stops a conversation. */
export interface SessionLog {
  readonly id: string;
  readonly file: string;
  /** Whether there is a file. Before the first message of a new session there is none. */
  readonly started: boolean;
  /** On disk (in the system's cache: it survives the death of this process) when this returns. */
  append(record: SessionRecord): void;
  /** Makes the file now, without waiting for the first message (`/save`). */
  start(): void;
  /** On the medium when this returns. At the end of each turn. */
  flush(): void;
  /** Flushes and lets others write this session. Appending afterwards does nothing. */
  close(): void;
}

export type OpenedLog =
  | { readonly kind: "opened"; readonly log: SessionLog }
  /** Another process writes it: fork it, or say so. */
  | { readonly kind: "busy"; readonly owner: LockOwner };

export interface LogOptions {
  /** `<home>/sessions`. */
  readonly dir: string;
  /** Written first when the file is new. */
  readonly header: SessionHeader;
  /** Told once when writing begins to fail, and not again until it has worked in between. */
  readonly warn: (text: string) => void;
  readonly disk?: LogDisk;
  /** Bytes remembered while the disk refuses; default 16 MiB. What comes after is counted and lost. */
  readonly maxPending?: number;
}

/** The four calls through which a log touches the disk. */
export interface LogDisk {
  open(file: string): number;
  /** Returns how many bytes were taken. */
  write(handle: number, bytes: Uint8Array): number;
  sync(handle: number): void;
  close(handle: number): void;
}

export function sessionFile(dir: string, id: string): string {
  return join(dir, `${id}.jsonl`);
}

export function lockFile(dir: string, id: string): string {
  return join(dir, `${id}.lock`);
}

/** The log of a new session. Its file and its lock are made with the first message. */
export function createLog(options: LogOptions): SessionLog {
  return new Log(options);
}

/** The log of a session on disk, to be continued. */
export function continueLog(options: LogOptions): OpenedLog {
  const log = new Log(options);
  const owner = log.lock();
  if (owner) return { kind: "busy", owner };
  log.start();
  return { kind: "opened", log };
}

class Log implements SessionLog {
  readonly id: string;
  readonly file: string;
  started = false;
  readonly #options: LogOptions;
  readonly #disk: LogDisk;
  #handle: number | undefined;
  #release: (() => void) | undefined;
  /** Lines the disk has not taken yet, in order; the first may be the rest of a line. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #lost = 0;
  /** Written, and not yet known to be on the medium. */
  #unsynced = false;
  #failing = false;
  #closed = false;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#disk = options.disk ?? realDisk;
    this.id = options.header.id;
    this.file = sessionFile(options.dir, this.id);
  }

  append(record: SessionRecord): void {
    if (this.#closed) return;
    this.#remember(encodeRecord(record));
    if (!this.started && record.type !== "message") return;
    this.started = true;
    // While the disk refuses, deltas wait for something rarer to try again, so that a stream stays a stream.
    if (!this.#failing || record.type !== "reply-delta") this.#write();
  }

  start(): void {
    if (this.#closed) return;
    this.started = true;
    this.#write();
  }

  flush(): void {
    if (!this.started || this.#closed) return;
    this.#write();
    // A sync waits for the medium even when there is nothing to bring there.
    if (this.#handle === undefined || !this.#unsynced) return;
    try {
      this.#disk.sync(this.#handle);
      this.#unsynced = false;
    } catch (error) {
      this.#complain(error);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    this.#pending = [];
    this.#closeFile();
    this.#release?.();
  }

  /** The living process that has this session, or nothing when it is ours now. */
  lock(): LockOwner | undefined {
    if (this.#release) return undefined;
    try {
      mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 });
      const lock = takeLock(lockFile(this.#options.dir, this.id));
      if (lock.kind === "busy") return lock.owner;
      this.#release = () => lock.release();
    } catch (error) {
      this.#complain(error);
    }
    return undefined;
  }

  #remember(line: string): void {
    const limit = this.#options.maxPending ?? 16 * 1024 * 1024;
    if (this.#pendingBytes > limit) {
      this.#lost++;
      return;
    }
    const bytes = Buffer.from(line);
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  #write(): void {
    try {
      this.#openFile();
      this.#drain();
      if (this.#lost > 0) {
        this.#pendingBytes = 0;
        this.#remember(encodeRecord({ type: "lost", records: this.#lost }));
        this.#lost = 0;
        this.#drain();
      }
      this.#failing = false;
    } catch (error) {
      this.#complain(error);
    }
  }

  #openFile(): void {
    if (this.#handle !== undefined) return;
    this.lock();
    const handle = this.#disk.open(this.file);
    this.#handle = handle;
    const end = lastByte(this.file);
    const first = end === undefined ? encodeRecord(this.#options.header) : end === NEWLINE ? "" : "\n";
    // A line torn by the death of its writer is closed, so that it cannot swallow the next one.
    if (first) this.#pending.unshift(Buffer.from(first));
  }

  #drain(): void {
    while (this.#pending.length > 0) {
      const bytes = this.#pending[0]!;
      const taken = this.#disk.write(this.#handle!, bytes);
      this.#unsynced = true;
      this.#pendingBytes = Math.max(0, this.#pendingBytes - taken);
      if (taken < bytes.length) this.#pending[0] = bytes.subarray(taken);
      else this.#pending.shift();
      if (taken === 0) throw new Error("the disk took no bytes");
    }
    this.#pendingBytes = 0;
  }

  #closeFile(): void {
    try {
      if (this.#handle !== undefined) this.#disk.close(this.#handle);
    } catch (error) {
      this.#complain(error);
    }
    this.#handle = undefined;
  }

  #complain(error: unknown): void {
    if (!this.#failing)
      this.#options.warn(
        `The session is not being saved: ${this.file}: ${reasonOf(error)}. The conversation goes on; saving is tried again.`,
      );
    this.#failing = true;
  }
}

const NEWLINE = 0x0a;

const realDisk: LogDisk = {
  open(file) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, "a", 0o600);
  },
  write: (handle, bytes) => writeSync(handle, bytes),
  sync: (handle) => fsyncSync(handle),
  close: (handle) => closeSync(handle),
};

/** Undefined for an empty or missing file. */
function lastByte(file: string): number | undefined {
  let handle: number;
  try {
    handle = openSync(file, "r");
  } catch {
    return undefined;
  }
  try {
    const byte = new Uint8Array(1);
    const size = fstatSync(handle).size;
    return size > 0 && readSync(handle, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined;
  } finally {
    closeSync(handle);
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const known: Record<string, string> = {
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    EIO: "the disk reports an input/output error",
    EROFS: "the disk is read-only",
    EACCES: "permission denied",
  };
  return (code && known[code]) ?? (error instanceof Error ? error.message : String(error));
}
