import { lineMark } from "../text/line-endings.ts";
import { decodeText, detectEncoding } from "../text/text-encoding.ts";
import { clipLine } from "../text/truncate.ts";

/** The elements Read numbers: the text split at its line ends, so a final line end gives one more, empty element. */
export function linesShown(bytes: Uint8Array): string[] {
  const text = decodeText(bytes, detectEncoding(bytes));
  return text.split(lineMark(text));
}

export interface Shown {
  /** `<n>: <text>` per line, each with a line end. */
  readonly text: string;
  /** The last line that fitted. */
  readonly to: number;
  /** A line was longer than `MOST_COLUMNS` and lost its end. */
  readonly clipped: boolean;
}

const MOST_COLUMNS = 2000;

/** Lines `from`..`to` (1-based) as the model sees them, up to `maxBytes`, but at least one. */
export function numberLines(lines: readonly string[], from: number, to: number, maxBytes: number): Shown {
  let text = "";
  let size = 0;
  let clipped = false;
  let last = from - 1;
  for (const line of lines.slice(from - 1, to)) {
    const isLong = line.length > MOST_COLUMNS;
    const shown = isLong ? clipLine(line, MOST_COLUMNS) : line;
    const numbered = `${last + 1}: ${shown}\n`;
    size += Buffer.byteLength(numbered);
    if (size > maxBytes && last >= from) break;
    text += numbered;
    clipped ||= isLong;
    last++;
  }
  return { text, to: last, clipped };
}
