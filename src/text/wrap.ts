import { graphemes, widestWidth } from "./width.ts";

/** A piece of a line: `text.slice(start, end)`. Spaces at a break belong to no row. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

/** Wraps text, line by line, into rows of at most `width` cells, at spaces where there are any. */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapRows(line, width).map((row) => line.slice(row.start, row.end)));
}

/** Where one line breaks. Always at least one row. A single character wider than `width` gets a row of its own. */
export function wrapRows(line: string, width: number): Row[] {
  const limit = Math.max(1, width);
  if (widestWidth(line) <= limit) return [{ start: 0, end: line.length }];
  const rows: Row[] = [];
  let start = 0;
  let end = 0;
  let used = 0;
  const close = (next: number) => {
    rows.push({ start, end });
    start = next;
    end = next;
    used = 0;
  };
  for (const match of line.matchAll(/(\s*)(\S+)/g)) {
    const gap = match[1] ?? "";
    const word = match[2] ?? "";
    const at = match.index + gap.length;
    const gapWidth = widestWidth(gap);
    const wordWidth = widestWidth(word);
    if (used + gapWidth + wordWidth <= limit) {
      end = at + word.length;
      used += gapWidth + wordWidth;
      continue;
    }
    // Scripts without spaces may break anywhere, so such a word fills the row it begins on.
    const splits = wordWidth > limit || wordWidth > word.length;
    const room = limit - used - gapWidth;
    if (splits && room > 1 && (used > 0 || gap !== "")) {
      end = at;
      used += gapWidth;
    } else if (used > 0) close(at);
    else if (gapWidth < limit && splits) {
      end = at;
      used = gapWidth;
    } else if (gap !== "") close(at);
    if (!splits) {
      end = at + word.length;
      used += wordWidth;
      continue;
    }
    let offset = at;
    for (const grapheme of graphemes(word)) {
      const cells = widestWidth(grapheme);
      if (used > 0 && used + cells > limit) close(offset);
      offset += grapheme.length;
      end = offset;
      used += cells;
    }
  }
  if (end > start || rows.length === 0) rows.push({ start, end });
  return rows;
}
