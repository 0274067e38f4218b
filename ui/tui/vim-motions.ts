/** Where vim's motions lead. Pure. */
import { before, behind, lineEnd, lineStart } from "./editor-text.ts";

export type Motion = "h" | "l" | "w" | "b" | "e" | "0" | "^" | "$" | "gg" | "G" | "j" | "k";

export interface Target {
  readonly cursor: number;
  /** An operator takes whole lines, or the character at the target too. */
  readonly reach: "lines" | "inclusive" | "exclusive";
}

/** `count` is undefined when none was typed: G then means the last line. */
export function moveBy(text: string, cursor: number, motion: Motion, count: number | undefined): Target {
  const times = count ?? 1;
  switch (motion) {
    case "h":
      return exclusive(repeat(cursor, times, (at) => (at === lineStart(text, at) ? at : before(text, at))));
    case "l":
      return exclusive(repeat(cursor, times, (at) => (at === lineEnd(text, at) ? at : behind(text, at))));
    case "w":
      return exclusive(repeat(cursor, times, (at) => nextWord(text, at)));
    case "b":
      return exclusive(repeat(cursor, times, (at) => previousWord(text, at)));
    case "e":
      return { cursor: repeat(cursor, times, (at) => wordEnd(text, at)), reach: "inclusive" };
    case "0":
      return exclusive(lineStart(text, cursor));
    case "^":
      return exclusive(firstNonBlank(text, cursor));
    case "$": {
      const line = repeat(cursor, times - 1, (at) => Math.min(text.length, lineEnd(text, at) + 1));
      return exclusive(lineEnd(text, line));
    }
    case "gg":
      return { cursor: firstNonBlank(text, startOfLine(text, times)), reach: "lines" };
    case "G":
      return {
        cursor: firstNonBlank(text, count === undefined ? text.length : startOfLine(text, count)),
        reach: "lines",
      };
    case "j":
      return { cursor: repeat(cursor, times, (at) => sameColumn(text, at, 1)), reach: "lines" };
    case "k":
      return { cursor: repeat(cursor, times, (at) => sameColumn(text, at, -1)), reach: "lines" };
  }
}

/** The first character of the line that is no blank. */
export function firstNonBlank(text: string, cursor: number): number {
  const start = lineStart(text, cursor);
  const blanks = /^[^\S\n]*/.exec(text.slice(start, lineEnd(text, cursor)))?.[0].length ?? 0;
  return start + blanks;
}

/** 0: blank, 1: sign, 2: letter, as vim groups characters into words. */
export function kindAt(text: string, at: number): 0 | 1 | 2 {
  const character = text.slice(at, behind(text, at));
  return /^\s*$/.test(character) ? 0 : /[\p{L}\p{N}\p{M}_]/u.test(character) ? 2 : 1;
}

const exclusive = (cursor: number): Target => ({ cursor, reach: "exclusive" });

function repeat(cursor: number, times: number, step: (at: number) => number): number {
  let at = cursor;
  for (let done = 0; done < times; done++) {
    const next = step(at);
    if (next === at) break;
    at = next;
  }
  return at;
}

const isEmptyLine = (text: string, at: number) => text[at] === "\n" && (at === 0 || text[at - 1] === "\n");

function nextWord(text: string, from: number): number {
  let at = from;
  const kind = kindAt(text, at);
  while (at < text.length && kind !== 0 && kindAt(text, at) === kind) at = behind(text, at);
  while (at < text.length && kindAt(text, at) === 0) {
    if (at !== from && isEmptyLine(text, at)) break;
    at = behind(text, at);
  }
  return at;
}

function previousWord(text: string, from: number): number {
  let at = from;
  while (at > 0 && kindAt(text, before(text, at)) === 0) {
    at = before(text, at);
    if (isEmptyLine(text, at)) return at;
  }
  const kind = at === 0 ? 0 : kindAt(text, before(text, at));
  while (at > 0 && kindAt(text, before(text, at)) === kind) at = before(text, at);
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = behind(text, from);
  while (at < text.length && kindAt(text, at) === 0) at = behind(text, at);
  const kind = kindAt(text, at);
  while (at < text.length) {
    const next = behind(text, at);
    if (next >= text.length || kindAt(text, next) !== kind) break;
    at = next;
  }
  return Math.min(at, text.length);
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed++) {
    const end = text.indexOf("\n", at);
    if (end < 0) break;
    at = end + 1;
  }
  return at;
}

function sameColumn(text: string, cursor: number, by: -1 | 1): number {
  const start = lineStart(text, cursor);
  const other = by < 0 ? lineStart(text, Math.max(0, start - 1)) : lineEnd(text, cursor) + 1;
  if ((by < 0 && start === 0) || other > text.length) return cursor;
  let at = other;
  for (let left = start; left < cursor && at < lineEnd(text, other); left = behind(text, left)) at = behind(text, at);
  return at;
}
