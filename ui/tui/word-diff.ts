/** What differs between two versions of a line, word by word. */

/** A piece of a line. The texts of one side, joined, are that line. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

export interface WordDiff {
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
  /** Characters both have, spaces not counted. */
  readonly common: number;
}

/** Longer lines are not compared: the work grows with the product of their words. */
const MOST_WORDS = 300;
/** Lines that share less than this are two lines, not one that changed; marking words in them would mark all of it. */
const LEAST_SHARED = 0.3;

/** Undefined when the lines have too little in common. Words are compared by longest common subsequence. */
export function wordDiff(before: string, after: string): WordDiff | undefined {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length > MOST_WORDS || now.length > MOST_WORDS) return undefined;
  const shared = sharedWords(old, now);
  const oldPieces = piecesOf(old, new Set(shared.map(([at]) => at)));
  const newPieces = piecesOf(now, new Set(shared.map(([, at]) => at)));
  const same = shared.reduce((sum, [at]) => sum + (old[at] ?? "").trim().length, 0);
  const longer = Math.max(before.replace(/\s+/g, "").length, after.replace(/\s+/g, "").length);
  return same < LEAST_SHARED * longer ? undefined : { before: oldPieces, after: newPieces, common: same };
}

/** Words, runs of spaces, and every other character by itself. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|./gsu) ?? [];
}

/** Pairs of positions of a longest common subsequence. */
function sharedWords(old: readonly string[], now: readonly string[]): [number, number][] {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const length = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) pairs.push([i++, j++]);
    else if (length(i + 1, j) >= length(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Joins neighbours of one kind; a lone space between two changed words is part of the change. */
function piecesOf(words: readonly string[], shared: ReadonlySet<number>): Piece[] {
  const isChanged = (at: number) => at >= 0 && at < words.length && !shared.has(at);
  const pieces: { text: string; changed: boolean }[] = [];
  words.forEach((text, at) => {
    const changed = isChanged(at) || (text.trim() === "" && isChanged(at - 1) && isChanged(at + 1));
    const last = pieces.at(-1);
    if (last?.changed === changed) last.text += text;
    else pieces.push({ text, changed });
  });
  return pieces;
}
