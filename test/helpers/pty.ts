/** Runs a program in a real pseudo-terminal and reads its screen as a grid. */
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Between the program and the terminal, in both directions; without it nothing is. */
  readonly link?: SlowLink;
}

export interface SlowLink {
  /** From one end to the other. */
  readonly latencyMs: number;
  /** What the terminal takes at a time, every millisecond; the program's output is not read faster than that. */
  readonly outputBytes: number;
  /** What is typed arrives in pieces of so many bytes, this many milliseconds apart. */
  readonly inputBytes: number;
  readonly inputGapMs: number;
}

/** One visible character and how it looks; a wide one covers the cell after it too. */
export interface GridCell {
  readonly text: string;
  readonly width: number;
  /** Number in the palette of 256, `#rrggbb`, or undefined for the terminal's own colour. */
  readonly color: number | string | undefined;
  readonly background: number | string | undefined;
  readonly bold: boolean;
  readonly faint: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

export interface PtyScreen {
  /** Everything the program wrote. */
  readonly raw: () => string;
  /** Everything the terminal answered by itself. */
  readonly answers: () => string;
  /** The visible rows, without trailing blanks. */
  readonly rows: () => string[];
  /** Scrollback and visible rows as one text. */
  readonly text: () => string;
  readonly cursor: () => { row: number; column: number };
  /** A visible cell's foreground colour and attributes, for what a grid of characters does not show. */
  readonly cell: (row: number, column: number) => { color: number; bold: boolean; inverse: boolean };
  /** The visible rows, cell by cell. */
  readonly grid: () => GridCell[][];
  readonly type: (keys: string) => void;
  /** Resolves when the screen satisfies `test`, checked after each write; fails with the screen after `ms`. */
  readonly until: (test: (screen: string) => boolean, ms?: number) => Promise<void>;
  readonly shows: (text: string, ms?: number) => Promise<void>;
  readonly resize: (columns: number, rows: number) => void;
  readonly kill: (signal?: string) => void;
  readonly exit: Promise<{ exitCode: number; signal?: number }>;
  readonly pid: number;
}

export function openPty(command: string, args: readonly string[], options: PtyOptions = {}): PtyScreen {
  const columns = options.columns ?? 80;
  const rows = options.rows ?? 24;
  const { NO_COLOR: _noColor, CI: _ci, COLORTERM: _colorTerm, ...inherited } = process.env;
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
  const pty = spawn(command, [...args], {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: options.cwd ?? process.cwd(),
    env: { ...inherited, ...options.env },
    ...(options.link && { encoding: null }),
  });
  let raw = "";
  const watchers = new Set<() => void>();
  let answers = "";
  const send = options.link === undefined ? (keys: string) => pty.write(keys) : slowInput(options.link, pty);
  terminal.onData((answer) => {
    answers += answer;
    send(answer);
  });
  const show = (data: string | Uint8Array) =>
    terminal.write(data, () => {
      for (const watcher of [...watchers]) watcher();
    });
  if (options.link === undefined)
    pty.onData((data) => {
      raw += data;
      show(data);
    });
  else {
    const decoder = new TextDecoder();
    slowOutput(options.link, pty, (piece) => {
      raw += decoder.decode(piece, { stream: true });
      show(piece);
    });
  }
  const exit = new Promise<{ exitCode: number; signal?: number }>((resolve) => {
    // The last bytes may still be on their way into the grid.
    pty.onExit((status) => terminal.write("", () => resolve(status)));
  });
  const line = (index: number) => terminal.buffer.active.getLine(index)?.translateToString(true) ?? "";
  const visible = () =>
    Array.from({ length: terminal.rows }, (_, row) => line(terminal.buffer.active.viewportY + row).trimEnd());
  const screen: PtyScreen = {
    raw: () => raw,
    answers: () => answers,
    rows: visible,
    text: () => Array.from({ length: terminal.buffer.active.length }, (_, row) => line(row).trimEnd()).join("\n"),
    cursor: () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX }),
    cell: (row, column) => {
      const cell = terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row)?.getCell(column);
      return {
        color: cell?.getFgColor() ?? -1,
        bold: (cell?.isBold() ?? 0) !== 0,
        inverse: (cell?.isInverse() ?? 0) !== 0,
      };
    },
    grid: () =>
      Array.from({ length: terminal.rows }, (_, row) => {
        const cells = terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row);
        return Array.from({ length: terminal.cols }, (_, column) => cells?.getCell(column))
          .filter((cell) => cell !== undefined && cell.getWidth() > 0)
          .map((cell) => gridCell(cell as XtermCell));
      }),
    type: send,
    until: (test, ms = 10_000) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!test(visible().join("\n"))) return;
          clearTimeout(timer);
          watchers.delete(check);
          resolve();
        };
        const timer = setTimeout(() => {
          watchers.delete(check);
          reject(new Error(`the screen never came to show it:\n${visible().join("\n")}`));
        }, ms);
        watchers.add(check);
        check();
      }),
    shows: (text, ms) => screen.until((grid) => grid.includes(text), ms),
    resize: (nextColumns, nextRows) => {
      terminal.resize(nextColumns, nextRows);
      pty.resize(nextColumns, nextRows);
    },
    kill: (signal) => pty.kill(signal),
    exit,
    pid: pty.pid,
  };
  return screen;
}

/** Bytes arrive late and in small pieces, whatever sequence or character that cuts in two. */
function slowInput({ latencyMs, inputBytes, inputGapMs }: SlowLink, pty: IPty): (keys: string) => void {
  let due = 0;
  return (keys) => {
    const bytes = Buffer.from(keys);
    for (let at = 0; at < bytes.length; at += inputBytes) {
      due = Math.max(due + inputGapMs, performance.now() + latencyMs);
      const piece = bytes.subarray(at, at + inputBytes);
      // It takes bytes too: a piece may be half a character.
      setTimeout(() => pty.write(piece as unknown as string), Math.max(0, due - performance.now()));
    }
  };
}

/** Reads on only when what was read has been passed on: the program feels how slow the link is. */
function slowOutput({ latencyMs, outputBytes }: SlowLink, pty: IPty, pass: (piece: Uint8Array) => void): void {
  pty.onData((data) => {
    const bytes = data as unknown as Buffer;
    pty.pause();
    let at = 0;
    const next = () => {
      const piece = bytes.subarray(at, at + outputBytes);
      at += outputBytes;
      setTimeout(() => pass(piece), latencyMs);
      if (at < bytes.length) setTimeout(next, 1);
      else pty.resume();
    };
    next();
  });
}

type XtermCell = NonNullable<
  ReturnType<NonNullable<ReturnType<xterm.Terminal["buffer"]["active"]["getLine"]>>["getCell"]>
>;

function gridCell(cell: XtermCell): GridCell {
  const colour = (isDefault: boolean, isRgb: boolean, value: number) =>
    isDefault ? undefined : isRgb ? `#${value.toString(16).padStart(6, "0")}` : value;
  return {
    text: cell.getChars() || " ",
    width: cell.getWidth(),
    color: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    faint: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}
