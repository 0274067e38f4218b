/** The colours of a whole output: the language of a file that was read, the matches of a search. */
import type { OutputLook } from "../view/view-state.ts";
import { diffLookLines } from "./diff-look.ts";
import type { Highlighter } from "./highlight.ts";
import { type Line, type Span, span } from "./spans.ts";

/** One line of spans per line of text; the spans, joined, are that text. */
export function lookLines(text: string, look: OutputLook | undefined, highlighter: Highlighter | undefined): Line[] {
  const lines = text.split("\n");
  if (look?.kind === "numbered-code") return codeLines(lines, look.language, highlighter);
  if (look?.kind === "diff") return diffLookLines(lines);
  if (look?.kind === "matches") return matchLines(lines, readPattern(look.pattern, look.ignoreCase));
  return lines.map((line) => [span(line)]);
}

/** `12: code`; lines that are not numbered are remarks. */
function codeLines(lines: readonly string[], language: string, highlighter: Highlighter | undefined): Line[] {
  const gutters = lines.map((line) => /^\d+: /.exec(line)?.[0] ?? "");
  const numbered = lines.flatMap((line, at) => (gutters[at] === "" ? [] : [line.slice(gutters[at]?.length)]));
  const coloured = highlighter?.highlight(numbered.join("\n"), language);
  let next = 0;
  return lines.map((line, at) => {
    const gutter = gutters[at] ?? "";
    if (gutter === "") return [span(line)];
    const code = line.slice(gutter.length);
    const spans = coloured?.[next++] ?? [span(code)];
    const whole = spans.map((part) => part.text).join("") === code ? spans : [span(code)];
    return [span(gutter, "faint"), ...whole];
  });
}

/** `path:line:text` with what the search found in the text. */
function matchLines(lines: readonly string[], search: RegExp | undefined): Line[] {
  return lines.map((line) => {
    const place = /^\S[^:]*:\d+[:-]/.exec(line)?.[0] ?? "";
    const head = place === "" ? [] : [span(place, "faint")];
    return [...head, ...matchSpans(line.slice(place.length), search)];
  });
}

function matchSpans(text: string, search: RegExp | undefined): Span[] {
  if (search === undefined) return [span(text)];
  const out: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(search)) {
    if (match[0] === "") continue;
    out.push(span(text.slice(from, match.index)), span(match[0], "match"));
    from = match.index + match[0].length;
  }
  return [...out, span(text.slice(from))].filter((part) => part.text !== "");
}

/**
 * Most patterns of ripgrep are also JavaScript's; the others colour nothing. Neither do those with a repeated group that
 * repeats or chooses inside: unlike ripgrep, JavaScript may search with them for ever.
 */
function readPattern(pattern: string, ignoreCase: boolean): RegExp | undefined {
  const insensitive = pattern.startsWith("(?i)");
  const source = insensitive ? pattern.slice(4) : pattern;
  if (/\([^)]*[+*{|][^)]*\)+[+*{]/.test(source)) return undefined;
  try {
    return new RegExp(source, insensitive || ignoreCase ? "giu" : "gu");
  } catch {
    return undefined;
  }
}
