/** Styled text as data: lines are wrapped and measured before any escape sequence exists. */
import { displayWidth, takeWidth } from "../../src/text/width.ts";
import { wrapRows } from "../../src/text/wrap.ts";
import type { Theme, Tone } from "./theme.ts";

export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
  /** Parameters of its own instead of a tone, for example `1;31`; without effect where there are no colours. */
  readonly sgr?: string;
  /** A URL, shown as an OSC 8 hyperlink where colours are on. */
  readonly link?: string;
}

export type Line = readonly Span[];

export function span(text: string, tone?: Tone): Span {
  return tone === undefined ? { text } : { text, tone };
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, part) => sum + displayWidth(part.text), 0);
}

/** Wraps a line to `width` cells. Rows after the first begin with `indent`. */
export function wrapLine(line: Line, width: number, indent: Line = []): Line[] {
  const text = line.map((part) => part.text).join("");
  const rest = lineWidth(indent);
  const first = wrapRows(text, width);
  if (first.length === 1) return [sliceLine(line, first[0]?.start ?? 0, first[0]?.end ?? 0)];
  const head = first[0] ?? { start: 0, end: 0 };
  if (rest === 0) return first.map((row) => sliceLine(line, row.start, row.end));
  const from = first[1]?.start ?? text.length;
  const tail = wrapRows(text.slice(from), width - rest);
  return [
    sliceLine(line, head.start, head.end),
    ...tail.map((row) => [...indent, ...sliceLine(line, from + row.start, from + row.end)]),
  ];
}

/** The part of a line between two offsets of its text. */
export function sliceLine(line: Line, start: number, end: number): Line {
  const out: Span[] = [];
  let at = 0;
  for (const part of line) {
    const next = at + part.text.length;
    const text = part.text.slice(Math.max(0, start - at), Math.max(0, end - at));
    if (text !== "") out.push(text.length === part.text.length ? part : { ...part, text });
    at = next;
  }
  return out;
}

/** Cuts a line to `width` cells, marking the cut. */
export function clipLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const out: Span[] = [];
  let room = width - 1;
  for (const part of line) {
    const text = takeWidth(part.text, room);
    if (text !== "") out.push({ ...part, text });
    room -= displayWidth(text);
    if (text.length < part.text.length || room <= 0) break;
  }
  return [...out, span("…", "faint")];
}

/** Fills a line with spaces up to `width` cells. */
export function padLine(line: Line, width: number): Line {
  const missing = width - lineWidth(line);
  return missing > 0 ? [...line, span(" ".repeat(missing))] : line;
}

/** A line as the terminal is told: SGR before and a reset after every styled span. */
export function paint(line: Line, theme: Theme): string {
  let out = "";
  for (const part of line) {
    const codes = sgrOf(part, theme);
    const styled = codes === "" ? part.text : `\x1b[${codes}m${part.text}\x1b[0m`;
    out += part.link === undefined || theme.depth === 0 ? styled : hyperlink(styled, part.link);
  }
  return out;
}

function sgrOf(part: Span, theme: Theme): string {
  if (part.text === "") return "";
  if (part.sgr !== undefined) return theme.depth === 0 ? "" : part.sgr;
  const codes = part.tone === undefined || theme.sgr[part.tone] === "" ? [] : [theme.sgr[part.tone]];
  if (part.bold) codes.push("1");
  if (part.italic) codes.push("3");
  if (part.underline) codes.push("4");
  if (part.inverse) codes.push("7");
  if (part.strike) codes.push("9");
  return codes.join(";");
}

/** OSC 8; only printable ASCII may stand in the address, anything else could end the sequence. */
function hyperlink(text: string, url: string): string {
  return /^[\x21-\x7e]+$/.test(url) ? `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\` : text;
}
