/** Which removed line became which added line, so that their words can be compared and shown side by side. */
import { type WordDiff, wordDiff } from "./word-diff.ts";

export interface LinePair {
  readonly removed: number;
  readonly added: number;
  readonly words: WordDiff;
}

/** Runs with more combinations than this are paired line by line in order. */
const MOST_COMBINATIONS = 200;

/** Pairs in the order of both runs, so that together they have the most in common. */
export function pairLines(removed: readonly string[], added: readonly string[]): LinePair[] {
  if (removed.length * added.length > MOST_COMBINATIONS || removed.length === added.length) {
    return removed.flatMap((before, at) => {
      const words = wordDiff(before, added[at] ?? "");
      return at >= added.length || words === undefined ? [] : [{ removed: at, added: at, words }];
    });
  }
  const words = removed.map((before) => added.map((after) => wordDiff(before, after)));
  // best[i][j]: what the lines from i and from j on can have in common.
  const best = Array.from({ length: removed.length + 1 }, () => new Float64Array(added.length + 1));
  const common = (i: number, j: number) => words[i]?.[j]?.common ?? 0;
  const value = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = removed.length - 1; i >= 0; i--)
    for (let j = added.length - 1; j >= 0; j--)
      (best[i] as Float64Array)[j] = Math.max(value(i + 1, j), value(i, j + 1), value(i + 1, j + 1) + common(i, j));
  const pairs: LinePair[] = [];
  for (let i = 0, j = 0; i < removed.length && j < added.length; ) {
    const found = words[i]?.[j];
    if (found !== undefined && value(i, j) === value(i + 1, j + 1) + found.common)
      pairs.push({ removed: i++, added: j++, words: found });
    else if (value(i, j) === value(i + 1, j)) i++;
    else j++;
  }
  return pairs;
}
