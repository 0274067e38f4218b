/** A unified diff as lines with numbers and colours. */
import { neutralise } from "../../src/text/neutralise.ts";
import { expandTabs } from "../../src/text/width.ts";
import { clipLine, type Line, span, wrapLine } from "./spans.ts";
import type { Tone } from "./theme.ts";

/** With `wrap` long lines continue below themselves (to judge a change), else they are cut (to glance at it). */
export function diffLines(diff: string, width: number, wrap: boolean): Line[] {
  const out: Line[] = [];
  let oldNumber = 0;
  let newNumber = 0;
  let inHunk = false;
  const source = neutralise(diff).replace(/\n$/, "").split("\n");
  const digits = Math.max(3, String(highestNumber(source)).length);
  const put = (number: number | undefined, sign: string, text: string, tone: Tone | undefined) => {
    const gutter: Line = [span(`${String(number ?? "").padStart(digits)} `, "faint"), span(`${sign} `, tone)];
    const line: Line = [...gutter, span(expandTabs(text), tone)];
    if (wrap) out.push(...wrapLine(line, width, [span(" ".repeat(digits + 3))]));
    else out.push(clipLine(line, width));
  };
  for (const line of source) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk !== null) {
      oldNumber = Number(hunk[1]);
      newNumber = Number(hunk[2]);
      inHunk = true;
      out.push(clipLine([span(line, "hunk")], width));
    } else if (
      /^(diff |index |Index: |={5,}|--- |\+\+\+ |new file|deleted file|rename )/.test(line) &&
      !continuesHunk(line, inHunk)
    ) {
      if (/^(--- |diff )/.test(line)) inHunk = false;
      out.push(clipLine([{ ...span(line, "text"), bold: true }], width));
    } else if (line.startsWith("+")) put(newNumber++, "+", line.slice(1), "added");
    else if (line.startsWith("-")) put(oldNumber++, "-", line.slice(1), "removed");
    else if (line.startsWith("\\")) out.push(clipLine([span(line, "faint")], width));
    else {
      put(inHunk ? newNumber : undefined, " ", line.slice(1), undefined);
      oldNumber++;
      newNumber++;
    }
  }
  return out;
}

/** Inside a hunk `--- x` may be a removed line that reads `-- x`; file headers come with a tab, a path or /dev/null. */
function continuesHunk(line: string, inHunk: boolean): boolean {
  return inHunk && /^(---|\+\+\+) /.test(line) && !/^(---|\+\+\+) ([ab]\/|\/|\.|\S+(\t|$))/.test(line);
}

function highestNumber(lines: readonly string[]): number {
  let highest = 0;
  for (const line of lines) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk !== null)
      highest = Math.max(highest, Number(hunk[1]) + Number(hunk[2] ?? 1), Number(hunk[3]) + Number(hunk[4] ?? 1));
  }
  return highest;
}
