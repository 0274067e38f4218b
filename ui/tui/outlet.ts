/**
 * The way out to the terminal. A terminal that reads slowly, or not at all, must not stop what we do: writing does not
 * wait for it. Nor must what it has not read fill our memory: while it is behind, frames are left out.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";

/** What a screen is written to; a pty or a test's stand-in. */
export interface OutputStream {
  readonly columns?: number;
  readonly rows?: number;
  /** Bytes that were written and are still on their way. */
  readonly writableLength?: number;
  write(bytes: string, done?: () => void): unknown;
  on(event: "resize" | "drain", listener: () => void): unknown;
  off(event: "resize" | "drain", listener: () => void): unknown;
  /** Of Node's streams on a terminal. */
  readonly _handle?: { setBlocking?(blocks: boolean): unknown };
}

/** More bytes than this on their way: the terminal is behind. */
const MOST_WAITING = 16 * 1024;
/** A terminal gets this long to take what it is owed before somebody else has it. */
const FLUSH_MS = 1_000;
const LAST_WORDS_MS = 300;
const TRY_AGAIN_MS = 10;
/** Ends a sequence that was cut in the middle (ECMA-48, CAN). */
const CANCEL = "\x18";

export class Outlet {
  /** `onDrain` when the terminal has caught up. */
  constructor(
    private readonly stdout: OutputStream,
    private readonly onDrain: () => void,
  ) {}

  open(): void {
    // Node makes terminals block (lib/tty.js); there is no public way to undo it.
    this.stdout._handle?.setBlocking?.(false);
    this.stdout.on("drain", this.onDrain);
  }

  write(bytes: string): void {
    this.stdout.write(bytes);
  }

  get isBehind(): boolean {
    return this.waiting > MOST_WAITING;
  }

  /** Resolves when the terminal has everything, or will not take it. */
  async flushed(): Promise<void> {
    if (this.waiting === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FLUSH_MS);
      this.stdout.write("", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Writes while the process ends: nothing that waits will be written any more. */
  lastWords(bytes: string): void {
    if (this.waiting === 0) this.stdout.write(bytes);
    else writeToTerminal(CANCEL + bytes);
  }

  async close(): Promise<void> {
    this.stdout.off("drain", this.onDrain);
    await this.flushed();
    this.stdout._handle?.setBlocking?.(true);
  }

  private get waiting(): number {
    return this.stdout.writableLength ?? 0;
  }
}

/** Past the stream, and without ever hanging on a terminal that takes nothing. */
function writeToTerminal(bytes: string): void {
  try {
    const terminal = openSync("/dev/tty", constants.O_WRONLY | constants.O_NONBLOCK);
    const rest = Buffer.from(bytes);
    const end = performance.now() + LAST_WORDS_MS;
    for (let at = 0; at < rest.length && performance.now() < end; ) at += writeSome(terminal, rest, at);
    closeSync(terminal);
  } catch {
    // The terminal is gone: there is nothing to restore.
  }
}

function writeSome(terminal: number, bytes: Buffer, at: number): number {
  try {
    return writeSync(terminal, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_AGAIN_MS);
    return 0;
  }
}
