/** Paths of pictures as terminals paste them when a file is dropped: quoted, escaped, or as `file:` addresses. Pure. */

const IMAGE = /\.(png|jpe?g|gif|webp)$/i;
/** A path that says where it is; a bare name may be part of a sentence. */
const PLACED = /^(\/|~\/|\.\.?\/)/;
const MOST_CHARS = 4_096;

/** `@Image[path]` for each path when the whole paste is paths of pictures; undefined when it is anything else. */
export function imageDirectives(pasted: string): string | undefined {
  if (pasted.length > MOST_CHARS) return undefined;
  const words = splitPaths(pasted.trim());
  if (words === undefined || words.length === 0) return undefined;
  const paths = words.map(plainPath);
  if (!paths.every((path) => PLACED.test(path) && IMAGE.test(path) && !/[\]\n]/.test(path))) return undefined;
  return paths.map((path) => `@Image[${path}] `).join("");
}

/** Splits at blanks that are neither quoted nor escaped; undefined when a quote never ends. */
function splitPaths(text: string): string[] | undefined {
  // One path a line may hold blanks as they are.
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  if (!/["'\\]/.test(text) && lines.every((line) => PLACED.test(line) && IMAGE.test(line))) {
    if (lines.length > 1 || !/\s(\/|~\/|\.\.?\/)/.test(text)) return lines;
  }
  const words: string[] = [];
  const word = /\s*(?:"([^"\n]*)"|'([^'\n]*)'|((?:\\.|[^\s"'\\])+))(?=\s|$)/sy;
  while (word.lastIndex < text.length) {
    const match = word.exec(text);
    if (match === null) return undefined;
    words.push(match[1] ?? match[2] ?? match[3]!.replace(/\\(.)/gs, "$1"));
  }
  return words;
}

function plainPath(word: string): string {
  if (!word.startsWith("file://")) return word;
  try {
    return decodeURIComponent(new URL(word).pathname);
  } catch {
    return word;
  }
}
