/**
 * A streamed reply, cut into lines that will not change any more: at the end of each line, and inside a long one at the
 * end of a sentence. What is cut depends on the text alone, not on the pieces it came in. Pure.
 */
import { neutralise } from "../../src/text/neutralise.ts";
import type { Manner } from "./line.ts";
import { inWords } from "./markdown-words.ts";

export interface Speech {
  /** What has come and is not yet a whole line or sentence. */
  readonly pending: string;
  /** `pending` goes on with a line of which sentences were already said. */
  readonly midLine: boolean;
  /** The fence of the code block that is open. */
  readonly fence: string | undefined;
  /** Something was said already. */
  readonly begun: boolean;
}

export const silence: Speech = { pending: "", midLine: false, fence: undefined, begun: false };

export interface Said {
  readonly speech: Speech;
  readonly lines: readonly string[];
}

/** Ears take one sentence at a time; eyes like a paragraph whole, unless it is long. */
const SHORTEST: Readonly<Record<Manner, number>> = { accessible: 1, simple: 240 };

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)/;
/** Behind the mark: closing quotes and brackets, then a space and what does not begin in lower case. */
const SENTENCE_END = /[.!?…]["'”’»)\]*_`]*\s+(?=[^\s\p{Ll}])|[。！？]["'”’」』）]*(?=.)/gu;
const ABBREVIATION = /(?:^|[\s(])(?:\p{L}|\d{1,3}|e\.g|i\.e|etc|vs|cf|approx|no|fig|Mr|Mrs|Dr)\.\s+$/iu;

export function say(speech: Speech, delta: string, manner: Manner): Said {
  let now: Speech = { ...speech, pending: speech.pending + delta };
  const lines: string[] = [];
  for (;;) {
    const cut = nextCut(now, manner);
    if (cut === undefined) return { speech: now, lines };
    const piece = now.pending.slice(0, cut.end);
    const said = sayPiece(now, piece, manner);
    lines.push(...said.lines);
    now = { ...said.speech, pending: now.pending.slice(cut.end), midLine: !cut.line };
  }
}

/** Says what is left. */
export function sayRest(speech: Speech, manner: Manner): string[] {
  const { lines, speech: last } = sayPiece(speech, speech.pending, manner);
  const open = manner === "accessible" && last.fence !== undefined ? ["End of code."] : [];
  return [...(speech.pending.trim() === "" ? [] : lines), ...open];
}

function nextCut({ pending, fence, midLine }: Speech, manner: Manner): { end: number; line: boolean } | undefined {
  const newline = pending.indexOf("\n");
  const text = newline < 0 ? pending : pending.slice(0, newline);
  if (fence === undefined && (midLine || !FENCE.test(text))) {
    for (const match of text.matchAll(SENTENCE_END)) {
      const end = match.index + match[0].length;
      if (end >= SHORTEST[manner] && !ABBREVIATION.test(text.slice(0, end))) return { end, line: false };
    }
  }
  return newline < 0 ? undefined : { end: newline + 1, line: true };
}

function sayPiece(speech: Speech, piece: string, manner: Manner): Said {
  const text = neutralise(piece).trimEnd();
  const marker = speech.midLine ? null : FENCE.exec(text);
  const put = (fence: string | undefined, lines: readonly string[]): Said => ({
    speech: { ...speech, fence, begun: speech.begun || lines.length > 0 },
    lines,
  });
  if (speech.fence !== undefined) {
    const closes = marker?.[1]?.startsWith(speech.fence) === true && marker[2] === "";
    if (closes) return put(undefined, [manner === "accessible" ? "End of code." : text]);
    return put(speech.fence, [text]);
  }
  if (marker !== null) {
    const language = marker[2] === "" ? "" : ` ${marker[2]}`;
    return put(marker[1], [manner === "accessible" ? `Code${language}:` : text]);
  }
  if (text === "") return put(undefined, manner === "simple" && speech.begun && !speech.midLine ? [""] : []);
  if (manner === "simple") return put(undefined, [text]);
  const words = inWords(text, !speech.midLine);
  return put(undefined, words === "" ? [] : [words]);
}
