/** The text of the input line: graphemes, words, lines, and pasted blocks as single characters. Pure. */
import { graphemes } from "../../src/text/width.ts";

/** Plane 16 is for private use and, unlike plane 15, not used by icon fonts. */
export const FIRST_ATOM = 0x10_0000;
export const ATOM = /[\u{100000}-\u{10fffd}]/u;
export const ATOMS = /[\u{100000}-\u{10fffd}]/gu;
export const ATOM_LENGTH = 2;

/** Graphemes, with atoms and line feeds always alone: a combining mark behind an atom must not swallow it. */
export function graphemesOf(text: string): string[] {
  if (!ATOM.test(text)) return text.split(/(\n)/).flatMap((part) => (part === "\n" ? ["\n"] : graphemes(part)));
  return text
    .split(/(\n|[\u{100000}-\u{10fffd}])/u)
    .flatMap((part) => (part === "\n" || ATOM.test(part) ? [part] : graphemes(part)));
}

/** The offset one character to the left. */
export function before(text: string, cursor: number): number {
  const from = lineStart(text, cursor);
  if (from === cursor) return Math.max(0, cursor - 1);
  return cursor - (graphemesOf(text.slice(from, cursor)).at(-1)?.length ?? 0);
}

/** The offset one character to the right. */
export function behind(text: string, cursor: number): number {
  const to = lineEnd(text, cursor);
  if (to === cursor) return Math.min(text.length, cursor + 1);
  return cursor + (graphemesOf(text.slice(cursor, to))[0]?.length ?? 0);
}

export function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

export function lineEnd(text: string, cursor: number): number {
  const at = text.indexOf("\n", cursor);
  return at < 0 ? text.length : at;
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

export function wordLeft(text: string, cursor: number): number {
  let at = cursor;
  while (at > 0 && !WORD.test(text.slice(before(text, at), at))) at = before(text, at);
  while (at > 0 && WORD.test(text.slice(before(text, at), at))) at = before(text, at);
  return at;
}

export function wordRight(text: string, cursor: number): number {
  let at = cursor;
  while (at < text.length && !WORD.test(text.slice(at, behind(text, at)))) at = behind(text, at);
  while (at < text.length && WORD.test(text.slice(at, behind(text, at)))) at = behind(text, at);
  return at;
}

/** New neighbours may have merged into one grapheme: the cursor goes behind it. */
export function snap(text: string, cursor: number): number {
  const from = lineStart(text, cursor);
  let at = from;
  for (const grapheme of graphemesOf(text.slice(from, lineEnd(text, cursor)))) {
    if (at >= cursor) break;
    at += grapheme.length;
  }
  return Math.max(at, cursor);
}

/** What an input line can hold: no lone surrogates, no control characters but newline and tab. */
export function cleaned(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .toWellFormed()
    .replace(ATOMS, "\ufffd")
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");
}
