/** Text of a person's own command, of which only the colours are kept: anything else could move the cursor. */
import { neutralise } from "../../src/text/neutralise.ts";
import type { Line, Span } from "./spans.ts";
import type { Tone } from "./theme.ts";

/** Select graphic rendition (ECMA-48, 8.3.117). */
const SGR = /\x1b\[([\d;:]*)m/;
const MOST_CODES = 100;

/** One line as spans; `tone` is how text looks where the text itself does not say. */
export function colouredSpans(text: string, tone: Tone): Line {
  const spans: Span[] = [];
  let codes = "";
  for (const [at, part] of text.split(SGR).entries()) {
    if (at % 2 === 1) {
      codes = /^0*$/.test(part) ? "" : codes === "" || codes.length > MOST_CODES ? part : `${codes};${part}`;
      continue;
    }
    const plain = neutralise(part).replace(/\s+/g, " ");
    if (plain !== "") spans.push(codes === "" ? { text: plain, tone } : { text: plain, sgr: codes });
  }
  return spans;
}
