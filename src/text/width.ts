/** How many terminal cells text takes, and where it may be cut. Text here has no escape sequences (see neutralise.ts). */
import fastStringWidth from "fast-string-width";

const PLAIN = /^[\x20-\x7e]*$/;

/** Cells of one line. */
export function displayWidth(text: string): number {
  return PLAIN.test(text) ? text.length : fastStringWidth(text.replaceAll("\u200b", ""));
}

/** Joined, tinted and flag emoji and variation selectors: terminals disagree whether a cluster is one or several cells. */
const DISPUTED = /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u;

/** The most cells any terminal gives to the text: what a line must be broken by so that it never overflows. */
export function widestWidth(text: string): number {
  const width = displayWidth(text);
  if (!DISPUTED.test(text)) return width;
  let apart = 0;
  for (const character of text) apart += displayWidth(character);
  return Math.max(width, apart);
}

let segmenter: Intl.Segmenter | undefined;

/** What a reader sees as characters (Unicode grapheme clusters, UAX 29). */
export function graphemes(text: string): string[] {
  if (PLAIN.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Shortens a line to `width` cells; `…` stands for what was cut. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return "";
  return `${takeWidth(text, width - 1)}…`;
}

/** The longest beginning of `text` that fits into `width` cells. */
export function takeWidth(text: string, width: number): string {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, width));
  let used = 0;
  let taken = "";
  for (const grapheme of graphemes(text)) {
    used += displayWidth(grapheme);
    if (used > width) break;
    taken += grapheme;
  }
  return taken;
}

/** Replaces tabs by spaces up to the next multiple of `size` cells, line by line. */
export function expandTabs(text: string, size = 4): string {
  if (!text.includes("\t")) return text;
  return text
    .split("\n")
    .map((line) => expandLine(line, size))
    .join("\n");
}

function expandLine(line: string, size: number): string {
  const parts = line.split("\t");
  let out = parts[0] ?? "";
  for (const part of parts.slice(1)) out += " ".repeat(size - (displayWidth(out) % size)) + part;
  return out;
}
