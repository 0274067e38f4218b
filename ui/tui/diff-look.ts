import { type Line, type Span, span } from "./spans.ts";

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * Unified diffs within a text, line by line: the spans, joined, are that text. As in `diff-rows.ts` the counts of a
 * hunk decide what a line is, so that a removed line `-- x` is no file header.
 */
export function diffLookLines(lines: readonly string[]): Line[] {
  let removed = 0;
  let added = 0;
  return lines.map((line): Line => {
    if (removed > 0 || added > 0) {
      if (!line.startsWith("+") && !line.startsWith("\\")) removed--;
      if (!line.startsWith("-") && !line.startsWith("\\")) added--;
      return [toneOf(line)];
    }
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      removed = Number(hunk[1] ?? 1);
      added = Number(hunk[2] ?? 1);
      return [span(line, "hunk")];
    }
    return /^(?:--- |\+\+\+ |diff )/.test(line) ? [{ ...span(line, "text"), bold: true }] : [span(line)];
  });
}

function toneOf(line: string): Span {
  if (line.startsWith("+")) return span(line, "added");
  if (line.startsWith("-")) return span(line, "removed");
  return line.startsWith("\\") ? span(line, "faint") : span(line);
}
