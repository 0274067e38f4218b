/** The terminal's modes: taken at the start, given back on every way out. */

import type { InputStream } from "../view/input-stream.ts";
import { ASK_SYNCHRONIZES } from "./key-decoder.ts";
import type { Outlet } from "./outlet.ts";

/** How the caret looks (DECSCUSR): as the terminal has it, a block, a bar. */
export type CursorShape = "own" | "block" | "bar";
const SHAPES: Readonly<Record<CursorShape, string>> = { own: "\x1b[0 q", block: "\x1b[2 q", bar: "\x1b[6 q" };

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
  cursor(shape: CursorShape): void;
  /** Safe to call twice. */
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
  outlet: Pick<Outlet, "write" | "flushed" | "lastWords">,
  { enter, leave }: Courtesies = { enter: () => "", leave: () => "" },
): Terminal {
  let taken = false;
  let alternates = 0;
  let mouse = false;
  let cursor: CursorShape = "own";

  const release = (write: (bytes: string) => void) => {
    if (!taken) return;
    taken = false;
    process.off("exit", releaseNow);
    process.off("uncaughtExceptionMonitor", releaseNow);
    const extras =
      (mouse ? LEAVE_MOUSE : "") + (cursor === "own" ? "" : SHAPES.own) + (alternates > 0 ? LEAVE_ALTERNATE : "");
    write(extras + leave() + LEAVE_MODES);
    try {
      stdin.setRawMode?.(false);
    } catch {
      // The terminal is gone: there is nothing to restore.
    }
  };

  const giveBack = () => release((bytes) => outlet.write(bytes));
  const releaseNow = () => release((bytes) => outlet.lastWords(bytes));

  const take = () => {
    if (taken) return;
    taken = true;
    // The monitor runs before Node prints an uncaught error, so that it is readable.
    process.on("exit", releaseNow);
    process.on("uncaughtExceptionMonitor", releaseNow);
    stdin.setRawMode?.(true);
    const extras = (mouse ? ENTER_MOUSE : "") + (cursor === "own" ? "" : SHAPES[cursor]);
    outlet.write(ENTER_MODES + enter() + (alternates > 0 ? ENTER_ALTERNATE : "") + extras);
  };

  return {
    take,
    giveBack,
    alternate(on) {
      const before = alternates;
      alternates = Math.max(0, alternates + (on ? 1 : -1));
      if (taken && before === 0 && on) outlet.write(ENTER_ALTERNATE);
      if (taken && before === 1 && !on) outlet.write(LEAVE_ALTERNATE);
    },
    mouse(on) {
      if (taken && on !== mouse) outlet.write(on ? ENTER_MOUSE : LEAVE_MOUSE);
      mouse = on;
    },
    cursor(shape) {
      if (taken && shape !== cursor) outlet.write(SHAPES[shape]);
      cursor = shape;
    },
    suspend: async () => {
      giveBack();
      await outlet.flushed();
      await new Promise<void>((resolve) => {
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
      });
    },
  };
}
