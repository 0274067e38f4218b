/** The terminal's modes: taken at the start, given back on every way out. */

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
const ENTER_MODES = "\x1b[?2004h\x1b[>1u";
const LEAVE_MODES = "\x1b[<u\x1b[?2004l\x1b[?25h";

const NO_SHELL_MS = 200;

export interface Terminal {
  take(): void;
  /** Safe to call twice, and from an exit handler. */
  giveBack(): void;
  /** Stops the process as Ctrl+Z does; resolves when it goes on and the modes are taken again. */
  suspend(): Promise<void>;
}

export function createTerminal(stdin: InputStream, stdout: OutputStream): Terminal {
  let taken = false;

  const giveBack = () => {
    if (!taken) return;
    taken = false;
    process.off("exit", giveBack);
    process.off("uncaughtExceptionMonitor", giveBack);
    stdout.write(LEAVE_MODES);
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
    stdout.write(ENTER_MODES);
  };

  return {
    take,
    giveBack,
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
