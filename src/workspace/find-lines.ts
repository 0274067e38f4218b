/**
 * The matcher of aura 3.3: exact, then without trailing blanks, then without surrounding blanks, then with typographic
 * punctuation as ASCII. A later stage only speaks when the earlier ones found nothing.
 */

export interface Found {
  /** 0-based first lines of every match of the first stage that has one, ascending. */
  readonly at: readonly number[];
  /** The stage was not the exact one. */
  readonly fuzzy: boolean;
}

/** Where `wanted` stands as a block in `lines`, at or after `from`. `wanted` is not empty. */
export function findBlock(lines: readonly string[], wanted: readonly string[], from: number): Found | undefined {
  for (const [stage, key] of STAGES.entries()) {
    const at = occurrences(lines, wanted.map(key), from, key);
    if (at.length > 0) return { at, fuzzy: stage > 0 };
  }
  return undefined;
}

/** Whether `wanted` stands at `at`, at any stage. */
export function standsAt(lines: readonly string[], wanted: readonly string[], at: number): boolean {
  if (at < 0 || at + wanted.length > lines.length) return false;
  return STAGES.some((key) => wanted.every((text, index) => key(lines[at + index] ?? "") === key(text)));
}

/**
 * The first line at or after `from` that holds `header`: as a whole word before as a part of one, so that `class B`
 * does not stop at `class Base`.
 */
export function findHeader(lines: readonly string[], header: string, from: number): number | undefined {
  for (const accepts of [holdsAsWord, (line: string, text: string) => line.includes(text)]) {
    for (const key of STAGES) {
      const wanted = key(header);
      for (let index = from; index < lines.length; index++) {
        if (accepts(key(lines[index] ?? ""), wanted)) return index;
      }
    }
  }
  return undefined;
}

/** The line most like `wanted`, 0-based, for messages; undefined when nothing is like it. */
export function closestLine(lines: readonly string[], wanted: string): number | undefined {
  const pairs = pairsOf(loosest(wanted));
  let best: number | undefined;
  let most = 0.4;
  for (const [index, line] of lines.slice(0, MOST_LINES_COMPARED).entries()) {
    const likeness = likenessOf(pairs, loosest(line.slice(0, MOST_CHARACTERS_COMPARED)));
    if (likeness > most) {
      most = likeness;
      best = index;
    }
  }
  return best;
}

const MOST_LINES_COMPARED = 20_000;
const MOST_CHARACTERS_COMPARED = 200;

type Key = (line: string) => string;

const trimTrailing: Key = (line) => {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t" || line[end - 1] === "\r")) end--;
  return line.slice(0, end);
};
const loosest: Key = (line) => plainPunctuation(line).trim();
const STAGES: readonly Key[] = [(line) => line, trimTrailing, (line) => line.trim(), loosest];

function plainPunctuation(line: string): string {
  // Most lines are ASCII, and those have nothing to map.
  if (!/[^\x00-\x7f]/.test(line)) return line;
  return line
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ");
}

/** Knuth, Morris and Pratt's search, so that long runs of equal lines stay linear. */
function occurrences(lines: readonly string[], wanted: readonly string[], from: number, key: Key): number[] {
  const fallback = fallbacksOf(wanted);
  const found: number[] = [];
  let matched = 0;
  for (let index = from; index < lines.length; index++) {
    const line = key(lines[index] ?? "");
    while (matched > 0 && wanted[matched] !== line) matched = fallback[matched - 1] ?? 0;
    if (wanted[matched] === line) matched++;
    if (matched === wanted.length) {
      found.push(index - matched + 1);
      matched = fallback[matched - 1] ?? 0;
    }
  }
  return found;
}

function fallbacksOf(wanted: readonly string[]): number[] {
  const fallback = [0];
  let length = 0;
  for (let index = 1; index < wanted.length; index++) {
    while (length > 0 && wanted[length] !== wanted[index]) length = fallback[length - 1] ?? 0;
    if (wanted[length] === wanted[index]) length++;
    fallback.push(length);
  }
  return fallback;
}

function holdsAsWord(line: string, text: string): boolean {
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    const cutBefore = isWord(text[0]) && isWord(line[at - 1]);
    const cutAfter = isWord(text.at(-1)) && isWord(line[at + text.length]);
    if (!cutBefore && !cutAfter) return true;
    if (text === "") return false;
  }
  return false;
}

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character);

/** Dice's coefficient over pairs of neighbouring characters: 1 for equal texts, 0 for nothing in common. */
function likenessOf(pairs: ReadonlySet<string>, line: string): number {
  const others = pairsOf(line);
  if (pairs.size + others.size === 0) return 0;
  let shared = 0;
  for (const pair of others) if (pairs.has(pair)) shared++;
  return (2 * shared) / (pairs.size + others.size);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < Math.min(text.length, MOST_CHARACTERS_COMPARED); index++) {
    pairs.add(text.slice(index, index + 2));
  }
  return pairs;
}
