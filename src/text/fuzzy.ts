/**
 * How well a path or name matches a few typed letters. Own scoring, in bands: letters in a row beat letters apart, the
 * last segment beats the folders before it, beginnings of words beat their middles, short beats long.
 */

/** No match. */
export const NONE = -1;
/** What letters in a row score at least; letters apart score less. */
export const LEAST_TOGETHER = 650;

/** How well `query` matches `text`, higher is better; -1 when a letter is missing. Case does not matter. */
export function fuzzyScore(query: string, text: string): number {
  const wanted = query.toLowerCase();
  const lower = text.toLowerCase();
  const name = nameStart(lower);
  const together = scoreTogether(wanted, lower, name);
  return together === NONE ? scoreApart(wanted, lower, name) : together;
}

/** Where the last segment begins; a trailing slash belongs to a folder's name. */
export function nameStart(text: string): number {
  return text.lastIndexOf("/", text.length - 2) + 1;
}

/** For a query whose letters stand in a row. Both in lower case; `name` is where the last segment begins. */
export function scoreTogether(query: string, text: string, name: number): number {
  const length = lengthMalus(text);
  if (query === "") return 1_000 - length;
  // Only a folder's name has a slash.
  const inName = query.includes("/") && !text.endsWith("/") ? -1 : text.indexOf(query, name);
  if (inName >= 0) return 1_000 + nameBonus(query, text, name, inName) - length;
  const inPath = text.indexOf(query);
  return inPath < 0 ? NONE : 700 + (inPath === 0 ? 150 : isWordStart(text, inPath) ? 100 : 0) - length;
}

/** For a query whose letters stand in its order somewhere. Parameters as above. */
export function scoreApart(query: string, text: string, name: number): number {
  const length = lengthMalus(text);
  const apart = scatter(query, text, name);
  if (apart !== NONE) return 400 + apart - length;
  const anywhere = name === 0 ? NONE : scatter(query, text, 0);
  return anywhere === NONE ? NONE : 100 + anywhere - length;
}

const lengthMalus = (text: string) => Math.min(text.length, 200) / 4;

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
