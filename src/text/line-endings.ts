export type LineEnding = "\n" | "\r\n" | "\r";

/** A line without its ending; the last one of a text may have none. */
export interface LineOfText {
  readonly text: string;
  readonly ending: LineEnding | "";
}

/**
 * The lines of a text as editors count them: an ending closes a line, so `a\n` is one line and an empty text none.
 * A lone `\r` ends lines only in a text that has no `\n` at all.
 */
export function splitLines(text: string): LineOfText[] {
  const mark = lineMark(text);
  const lines: LineOfText[] = [];
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf(mark, start);
    if (at < 0) {
      lines.push({ text: text.slice(start), ending: "" });
      break;
    }
    const crlf = mark === "\n" && at > start && text.charCodeAt(at - 1) === 13;
    lines.push({ text: text.slice(start, crlf ? at - 1 : at), ending: crlf ? "\r\n" : mark });
    start = at + 1;
  }
  return lines;
}

/** The ending most lines have; of equals, the one that comes first in the text; `\n` for a text of one open line. */
export function dominantEnding(lines: readonly LineOfText[]): LineEnding {
  const counts = new Map<LineEnding, number>();
  for (const { ending } of lines) if (ending !== "") counts.set(ending, (counts.get(ending) ?? 0) + 1);
  let best: LineEnding = "\n";
  let most = 0;
  for (const [ending, count] of counts) {
    if (count > most) {
      best = ending;
      most = count;
    }
  }
  return best;
}

/** What ends lines in `text`. */
export function lineMark(text: string): "\n" | "\r" {
  return !text.includes("\n") && text.includes("\r") ? "\r" : "\n";
}
