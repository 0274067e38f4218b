/** The terminal's modes: taken at the start, given back on every way out. */

import { ASK_SYNCHRONIZES } from "./key-decoder.ts";

/** What a screen reads from; a pty or a test's stand-in. */
export interface InputStream {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end" | "error", listener: () => void): unknown;
  off(event: "data", listener: (chunk: Buffer) => void): unknown;
  off(event: "end" | "error", listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface OutputStream {
  readonly columns?: number;
  readonly rows?: number;
  write(bytes: string): unknown;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Bracketed paste, and the kitty keyboard protocol where there is one (others ignore it). */
const ENTER_MODES = `\x1b[?2004h\x1b[>1u${ASK_SYNCHRONIZES}`;
const LEAVE_MODES = "\x1b[<u\x1b[?2004l\x1b[?25h";

const ENTER_ALTERNATE = "\x1b[?1049h";
const LEAVE_ALTERNATE = "\x1b[?1049l";
/** Button events, told in the SGR form. */
const ENTER_MOUSE = "\x1b[?1000h\x1b[?1006h";
const LEAVE_MOUSE = "\x1b[?1006l\x1b[?1000l";

const NO_SHELL_MS = 200;

export interface Terminal {
  take(): void;
  /** Goes to the alternate screen, and with the last `false` back; calls nest. */
  alternate(on: boolean): void;
  /** Whether the wheel is told to us; selecting by mouse is the terminal's while it is not. */
  mouse(on: boolean): void;
  /** Safe to call twice, and from an exit handler. */
  giveBack(): void;
  /** Stops the process as Ctrl+Z does; resolves when it goes on and the modes are taken again. */
  suspend(): Promise<void>;
}

/** What else is to be said to the terminal when it is taken and when it is given back. */
export interface Courtesies {
  readonly enter: () => string;
  readonly leave: () => string;
}

export function createTerminal(
  stdin: InputStream,
  stdout: OutputStream,
  { enter, leave }: Courtesies = { enter: () => "", leave: () => "" },
): Terminal {
  let taken = false;
  let alternates = 0;
  let mouse = false;

  const giveBack = () => {
    if (!taken) return;
    taken = false;
    process.off("exit", giveBack);
    process.off("uncaughtExceptionMonitor", giveBack);
    const extras = (mouse ? LEAVE_MOUSE : "") + (alternates > 0 ? LEAVE_ALTERNATE : "");
    stdout.write(extras + leave() + LEAVE_MODES);
    try {
      stdin.setRawMode?.(false);
    } catch {
      // The terminal is gone: there is nothing to restore.
    }
  };

  const take = () => {
    if (taken) return;
    taken = true;
    // The monitor runs before Node prints an uncaught error, so that it is readable.
    process.on("exit", giveBack);
    process.on("uncaughtExceptionMonitor", giveBack);
    stdin.setRawMode?.(true);
    stdout.write(ENTER_MODES + enter() + (alternates > 0 ? ENTER_ALTERNATE : "") + (mouse ? ENTER_MOUSE : ""));
  };

  return {
    take,
    giveBack,
    alternate(on) {
      const before = alternates;
      alternates = Math.max(0, alternates + (on ? 1 : -1));
      if (taken && before === 0 && on) stdout.write(ENTER_ALTERNATE);
      if (taken && before === 1 && !on) stdout.write(LEAVE_ALTERNATE);
    },
    mouse(on) {
      if (taken && on !== mouse) stdout.write(on ? ENTER_MOUSE : LEAVE_MOUSE);
      mouse = on;
    },
    suspend: () =>
      new Promise((resolve) => {
        giveBack();
        const resume = () => {
          process.off("SIGCONT", resume);
          clearTimeout(timer);
          take();
          resolve();
        };
        process.on("SIGCONT", resume);
        // Without a job-controlling shell above us the signal does nothing, and nobody would ever wake us.
        const timer = setTimeout(resume, NO_SHELL_MS);
        process.kill(process.pid, "SIGTSTP");
      }),
  };
}
