/** Finding words in a long text. Pure. */

/** A found place: `text.slice(start, end)`. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

/** More places than this are not worth counting. */
const MOST_FOUND = 10_000;

/** Every place of `query`; upper case in it makes case matter. */
export function findAll(text: string, query: string): Found[] {
  if (query === "") return [];
  const flags = query === query.toLowerCase() ? "giu" : "gu";
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), flags);
  const found: Found[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    if (found.length >= MOST_FOUND) break;
  }
  return found;
}

/** Lines that hold every word of `query`, in any case. */
export function keepLines(text: string, query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return text;
  return text
    .split("\n")
    .filter((line) => words.every((word) => line.toLowerCase().includes(word)))
    .join("\n");
}

/** The first place at or behind `offset`, else the first of all. */
export function firstFrom(found: readonly Found[], offset: number): number {
  return Math.max(
    0,
    found.findIndex((place) => place.start >= offset),
  );
}
