/** What a person sent, as a transcript shows it: a pasted log is sent whole, but nobody wants to scroll past it. */

const MOST_LINES = 200;
const MOST_CHARS = 20_000;
const SHOWN_LINES = 20;
const SHOWN_CHARS = 2_000;

/** The text, or of a very long one its beginning and how much follows. */
export function shortenPrompt(text: string): string {
  const end = endOfLine(text, MOST_LINES);
  if (text.length <= MOST_CHARS && end === text.length) return text;
  const cut = Math.min(endOfLine(text, SHOWN_LINES), SHOWN_CHARS);
  const shown = text.slice(0, cut).toWellFormed();
  const lines = countLines(text, cut);
  const rest = lines > 1 ? `${lines} more lines` : `${text.length - cut} more characters`;
  return `${shown}\n… ${rest} were sent`;
}

/** The offset behind the `count`th line, or the end of the text. */
function endOfLine(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

function countLines(text: string, from: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
