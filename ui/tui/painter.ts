/**
 * Keeps the bottom of the terminal equal to a frame, above it a growing scrollback. Only lines that differ are
 * written, nothing is ever cleared beyond the frame, and lines that become scrollback while they stand where they
 * already were cost nothing.
 */
import { scrollRegion } from "./scroll-region.ts";

export interface Caret {
  readonly row: number;
  readonly column: number;
}

export interface Frame {
  /** Painted lines, each at most `columns` wide; fewer than the window has rows. */
  readonly lines: readonly string[];
  /** Where typing goes, within `lines`; undefined hides the cursor. */
  readonly caret: Caret | undefined;
  /** The frame fills the window and its first so many lines scroll. */
  readonly scrolls?: number;
}

export interface Painter {
  /** Prints `scrollback` once and shows `frame` below it. `behind` follows in the same write. */
  paint(scrollback: readonly string[], frame: Frame, behind?: string): void;
  /** Wipes what is visible (not the scrollback) and starts at the top: after a resize, a suspend or Ctrl+L. */
  restart(): void;
  /** Removes the frame and leaves the cursor where it began. */
  leave(): void;
}

export interface PainterOptions {
  readonly write: (bytes: string) => void;
  /** Height of the window now. */
  readonly rows: () => number;
  /** The terminal has said that it understands synchronized output (mode 2026). */
  readonly synchronize: () => boolean;
}

export function createPainter(options: PainterOptions): Painter {
  let shown: readonly string[] = [];
  let caret: Caret | undefined = { row: 0, column: 0 };
  /** Row of the cursor within the frame. */
  let row = 0;
  let wipe = false;
  let begun = false;

  const send = (bytes: string, behind = "") => {
    const frame = bytes !== "" && options.synchronize() ? `\x1b[?2026h${bytes}\x1b[?2026l` : bytes;
    if (frame + behind !== "") options.write(frame + behind);
  };

  return {
    paint(scrollback, frame, behind) {
      // The cursor needs a line to stand on.
      const lines = frame.lines.length === 0 ? [""] : frame.lines;
      const wanted = scrollback.length === 0 ? lines : [...scrollback, ...lines];
      const start = wipe ? "\x1b[H\x1b[J" : begun ? "" : "\r\x1b[J";
      begun = true;
      const scrolled = wipe || frame.scrolls === undefined ? undefined : scrollRegion(shown, lines, frame.scrolls);
      const body =
        scrolled === undefined
          ? change(wipe ? [] : shown, wanted, wipe ? 0 : row, options.rows())
          : rewriteLines(scrolled.lines, wanted, 0, scrolled.bytes);
      wipe = false;
      const place = placeCaret(body.row, scrollback.length, frame, body.column);
      const moved = caret?.row !== frame.caret?.row || caret?.column !== frame.caret?.column;
      const visibility =
        (caret === undefined) === (frame.caret === undefined) ? "" : frame.caret ? "\x1b[?25h" : "\x1b[?25l";
      const unchanged = start === "" && body.bytes === "" && scrollback.length === 0 && !moved;
      shown = lines;
      caret = frame.caret;
      row = (place.row ?? body.row) - scrollback.length;
      send(unchanged ? "" : start + body.bytes + place.bytes + visibility, behind);
    },
    restart() {
      wipe = true;
    },
    leave() {
      const home = row > 0 ? `\x1b[${row}A` : row < 0 ? `\x1b[${-row}B` : "";
      if (begun) send(`${home}\r\x1b[J\x1b[?25h`);
      begun = false;
      shown = [];
      row = 0;
      caret = { row: 0, column: 0 };
    },
  };
}

interface Change {
  readonly bytes: string;
  /** Where the cursor is afterwards; column undefined when it was not moved. */
  readonly row: number;
  readonly column: number | undefined;
}

/** What turns the lines `before`, with the cursor on row `at`, into `after`. */
function change(before: readonly string[], after: readonly string[], at: number, rows: number): Change {
  const shifted = shift(before, after, at, rows);
  return shifted === undefined
    ? rewriteLines(before, after, at, "")
    : rewriteLines(shifted.lines, after, shifted.row, shifted.bytes);
}

/**
 * When lines are added or removed above an unchanged end (the panel, most of the time), the terminal moves that end:
 * line feeds make room at the bottom, scrolling when they must, and Insert Line (or Delete Line) moves the rest.
 */
function shift(before: readonly string[], after: readonly string[], at: number, rows: number) {
  const by = after.length - before.length;
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  const first = before.length - same;
  if (by === 0 || same < 2) return undefined;
  // What scrolls out of the window on the way must be right already, and what is to be moved must stay inside.
  const leaving = Math.max(0, after.length - rows);
  if (leaving > first || before.slice(0, leaving).some((line, index) => line !== after[index])) return undefined;
  const end = before.slice(first);
  if (by > 0) {
    const bottom = before.length - 1;
    const bytes = `${vertical(at, bottom)}${"\r\n".repeat(by)}${vertical(bottom + by, first)}\x1b[${by}L`;
    return { bytes, row: first, lines: [...before.slice(0, first), ...Array<string>(by).fill(""), ...end] };
  }
  const target = first + by;
  if (target < 0) return undefined;
  return { bytes: `${vertical(at, target)}\x1b[${-by}M`, row: target, lines: [...before.slice(0, target), ...end] };
}

function vertical(from: number, to: number): string {
  return to < from ? `\x1b[${from - to}A` : to > from ? `\x1b[${to - from}B` : "";
}

function rewriteLines(before: readonly string[], after: readonly string[], at: number, start: string): Change {
  let bytes = start;
  let row = at;
  let column: number | undefined;
  const goTo = (target: number) => {
    const reach = Math.max(before.length - 1, row, 0);
    if (target <= reach) bytes += vertical(row, target);
    else {
      bytes += vertical(row, reach);
      // Only a line feed makes a new row at the bottom of the screen.
      bytes += "\r\n".repeat(target - reach);
      row = target;
      column = 0;
      return;
    }
    row = target;
  };
  let highest = before.length;
  for (let index = 0; index < after.length; index++) {
    const line = after[index] ?? "";
    if (index < before.length && before[index] === line) continue;
    const fresh = index >= highest;
    goTo(index);
    if (index >= highest) highest = index + 1;
    const written = rewrite(fresh ? undefined : before[index], line);
    bytes += (column === 0 ? "" : "\r") + written;
    column = undefined;
  }
  if (after.length < before.length) {
    goTo(after.length);
    bytes += `${column === 0 ? "" : "\r"}\x1b[J`;
    column = 0;
  }
  return { bytes, row, column };
}

/** A changed line, written over the old one. A common plain beginning is stepped over. */
function rewrite(before: string | undefined, line: string): string {
  if (before === undefined) return line;
  const same = commonPlain(before, line);
  // Stepping over costs up to six bytes.
  const kept = same > 6 ? same : 0;
  const step = kept > 0 ? `\x1b[${kept}C` : "";
  // Erased before writing: after a full row the cursor still stands on its last cell and would take it away.
  return step + (before.length === kept ? "" : "\x1b[K") + line.slice(kept);
}

/** Length of the beginning both lines share, as far as it is printable ASCII: there a character is a cell. */
function commonPlain(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let index = 0;
  while (index < end) {
    const code = a.charCodeAt(index);
    if (code !== b.charCodeAt(index) || code < 0x20 || code > 0x7e) break;
    index++;
  }
  // The character that follows may combine with the last one.
  const follows = Math.max(a.charCodeAt(index) || 0, b.charCodeAt(index) || 0);
  return follows > 0x7e && index > 0 ? index - 1 : index;
}

function placeCaret(
  row: number,
  offset: number,
  frame: Frame,
  column: number | undefined,
): { bytes: string; row?: number } {
  const target = frame.caret === undefined ? undefined : frame.caret.row + offset;
  if (target === undefined || frame.caret === undefined) return { bytes: "" };
  const horizontal = frame.caret.column === column ? "" : `\x1b[${frame.caret.column + 1}G`;
  return { bytes: vertical(row, target) + horizontal, row: target };
}
