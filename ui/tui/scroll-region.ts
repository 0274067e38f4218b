/**
 * When most lines of a region only moved up or down, the terminal moves them: set the margins (DECSTBM), scroll (SU or
 * SD), take the margins back. For frames that begin in the window's first row. Pure.
 */
export interface Scrolled {
  readonly bytes: string;
  /** What the window shows then. The cursor is in the first cell. */
  readonly lines: readonly string[];
}

/** Scrolling costs about a line's worth of bytes and has to save more. */
const WORTH = 3;

/** `height` is how many rows from the top on scroll. Undefined when it would not help. */
export function scrollRegion(
  before: readonly string[],
  after: readonly string[],
  height: number,
): Scrolled | undefined {
  if (before.length !== after.length || height > before.length) return undefined;
  const by = bestMove(before, after, height);
  if (by === 0) return undefined;
  const blank = Array<string>(Math.abs(by)).fill("");
  const moved = by > 0 ? [...before.slice(by, height), ...blank] : [...blank, ...before.slice(0, height + by)];
  const scroll = by > 0 ? `\x1b[${by}S` : `\x1b[${-by}T`;
  return { bytes: `\x1b[1;${height}r${scroll}\x1b[r`, lines: [...moved, ...before.slice(height)] };
}

/** How many rows the lines moved up (negative: down); 0 when too few did. */
function bestMove(before: readonly string[], after: readonly string[], height: number): number {
  let best = 0;
  let most = inPlace(before, after, 0, height) + WORTH;
  for (let by = 1 - height; by < height; by++) {
    if (by === 0 || height - Math.abs(by) <= most) continue;
    const count = inPlace(before, after, by, height);
    if (count > most) {
      best = by;
      most = count;
    }
  }
  return best;
}

/** Lines with something on them that are right after a move by `by`. */
function inPlace(before: readonly string[], after: readonly string[], by: number, height: number): number {
  let count = 0;
  for (let row = Math.max(0, -by); row < Math.min(height, height - by); row++) {
    if (after[row] !== "" && after[row] === before[row + by]) count++;
  }
  return count;
}
