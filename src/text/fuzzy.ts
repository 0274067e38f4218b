/**
 * Ranks paths and names by how well they match a few typed letters. Own scoring, in bands: letters in a row beat letters
 * apart, the last segment beats the folders before it, beginnings of words beat their middles, short beats long.
 */

export interface FuzzyIndex {
  readonly size: number;
  /** Adds a path; a trailing slash belongs to a folder's name. */
  add(path: string): void;
  /** The best matches first, at most `limit`; equally good ones in the order they were added. */
  search(query: string, limit: number, isOffered?: (path: string) => boolean): readonly string[];
}

/** No match. */
const NONE = -1;
/** Not looked at closely: it could not be among the best. */
const TOO_LOW = -2;
/** The most that letters apart can score, in the last segment and anywhere; and letters in a row anywhere. */
const MOST_APART = 600;
const MOST_IN_PATH = 850;

export function createFuzzyIndex(): FuzzyIndex {
  const paths: string[] = [];
  const folded: string[] = [];
  const letters: number[] = [];
  /** Where the last segment begins. */
  const names: number[] = [];
  /** What the last search could not rule out: a longer query can only match fewer. */
  let last: { query: string; size: number; found: Int32Array } | undefined;

  return {
    get size() {
      return paths.length;
    },
    add(path) {
      const lower = path.toLowerCase();
      paths.push(path);
      folded.push(lower === path ? path : lower);
      letters.push(letterSet(lower));
      names.push(nameStart(lower));
    },
    search(query, limit, isOffered = () => true) {
      const wanted = query.toLowerCase();
      const set = letterSet(wanted);
      const narrowed = last?.size === paths.length && wanted.startsWith(last.query) ? last.found : undefined;
      const count = narrowed?.length ?? paths.length;
      const found = new Int32Array(count);
      let kept = 0;
      const best = createBest(limit);
      for (let at = 0; at < count; at++) {
        const id = narrowed === undefined ? at : narrowed[at]!;
        if ((letters[id]! & set) !== set) continue;
        const score = scoreFolded(wanted, folded[id]!, names[id]!, best.floor());
        if (score === NONE) continue;
        found[kept++] = id;
        if (score !== TOO_LOW && best.wants(score) && isOffered(paths[id]!)) best.take(id, score);
      }
      last = { query: wanted, size: paths.length, found: found.subarray(0, kept) };
      return best.ids().map((id) => paths[id]!);
    },
  };
}

/** How well `query` matches `text`, higher is better; -1 when a letter is missing. Case does not matter. */
export function fuzzyScore(query: string, text: string): number {
  const lower = text.toLowerCase();
  return scoreFolded(query.toLowerCase(), lower, nameStart(lower), NONE);
}

const nameStart = (text: string) => text.lastIndexOf("/", text.length - 2) + 1;

/** What cannot score above `floor` is not examined further. */
function scoreFolded(query: string, text: string, name: number, floor: number): number {
  const length = Math.min(text.length, 200) / 4;
  if (query === "") return 200 - length;
  // Only a folder's name has a slash.
  const inName = query.includes("/") && !text.endsWith("/") ? -1 : text.indexOf(query, name);
  if (inName >= 0) return 1_000 + nameBonus(query, text, name, inName) - length;
  if (floor >= MOST_IN_PATH) return TOO_LOW;
  const inPath = text.indexOf(query);
  if (inPath >= 0) return 700 + (inPath === 0 ? 150 : isWordStart(text, inPath) ? 100 : 0) - length;
  if (floor >= MOST_APART) return TOO_LOW;
  const apart = scatter(query, text, name);
  if (apart !== NONE) return 400 + apart - length;
  const anywhere = name === 0 ? NONE : scatter(query, text, 0);
  return anywhere === NONE ? NONE : 100 + anywhere - length;
}

function nameBonus(query: string, text: string, name: number, at: number): number {
  if (at > name) return isWordStart(text, at) ? 100 : 0;
  const rest = text.length - at - query.length;
  if (rest === 0 || text[at + query.length] === "/") return 300;
  return text[at + query.length] === "." ? 250 : 200;
}

/** The letters of `query` in this order from `from` on: up to 200 for runs and beginnings of words. */
function scatter(query: string, text: string, from: number): number {
  let score = 0;
  let before = -2;
  for (let letter = 0; letter < query.length; letter++) {
    const wanted = query[letter]!;
    let at = text.indexOf(wanted, Math.max(from, before + 1));
    if (at < 0) return NONE;
    // A beginning of a word a little further on is what people mean by an initial.
    if (at !== before + 1 && !isWordStart(text, at)) {
      const start = wordStartWith(text, wanted, at + 1);
      if (start >= 0 && remains(query, letter + 1, text, start + 1)) at = start;
    }
    if (at === before + 1 || isWordStart(text, at)) score++;
    before = at;
  }
  return (200 * score) / query.length;
}

function wordStartWith(text: string, letter: string, from: number): number {
  for (let at = text.indexOf(letter, from); at >= 0; at = text.indexOf(letter, at + 1)) {
    if (isWordStart(text, at)) return at;
  }
  return -1;
}

function remains(query: string, letter: number, text: string, from: number): boolean {
  let at = from;
  for (let next = letter; next < query.length; next++) {
    at = text.indexOf(query[next]!, at);
    if (at < 0) return false;
    at++;
  }
  return true;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  // Slash, dash, underscore, dot, blank.
  return before === 0x2f || before === 0x2d || before === 0x5f || before === 0x2e || before === 0x20;
}

/** One bit per letter; all that is no letter shares a few. What lacks a bit of the query cannot match it. */
function letterSet(text: string): number {
  let set = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    set |= 1 << (code >= 0x61 && code <= 0x7a ? code - 0x61 : 26 + (code % 6));
  }
  return set;
}

/** Keeps the `limit` highest scores, highest first. */
function createBest(limit: number) {
  const kept: { id: number; score: number }[] = [];
  return {
    /** Nothing at or below this is wanted. */
    floor: () => (kept.length < limit ? NONE : (kept[kept.length - 1]?.score ?? Number.POSITIVE_INFINITY)),
    wants: (score: number) => kept.length < limit || score > kept[kept.length - 1]!.score,
    take(id: number, score: number) {
      let at = kept.length;
      while (at > 0 && kept[at - 1]!.score < score) at--;
      kept.splice(at, 0, { id, score });
      if (kept.length > limit) kept.pop();
    },
    ids: () => kept.map(({ id }) => id),
  };
}
