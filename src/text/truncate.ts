/** How many lines may stay (aura 8.2). */
export interface LineLimits {
  /** A text with more lines is cut. */
  readonly maxLines: number;
  readonly headLines: number;
  readonly tailLines: number;
}

export interface CutText {
  readonly head: string;
  readonly tail: string;
  /** Lines left out between them; at least 1. */
  readonly cut: number;
}

export interface ShortenedText {
  readonly text: string;
  /** Where the whole text is, when it was cut and could be saved. */
  readonly fullTextFile?: string;
}

/**
 * Cuts the middle lines out of a text that has more than `maxLines`. A final newline counts as one more line. Head and
 * tail are clamped to what there is, so they never overlap. Undefined when nothing has to go.
 */
export function cutMiddle(text: string, limits: LineLimits): CutText | undefined {
  const lines = text.split("\n");
  if (lines.length <= limits.maxLines) return undefined;
  const head = clamp(limits.headLines, lines.length);
  const tail = clamp(limits.tailLines, lines.length - head);
  const cut = lines.length - head - tail;
  if (cut === 0) return undefined;
  return { head: lines.slice(0, head).join("\n"), tail: lines.slice(head + cut).join("\n"), cut };
}

/**
 * `text` as the model gets it: whole, or head and tail around a line that says how much is missing and where it is.
 * `save` stores the whole text and returns its path; undefined or a throw means it could not.
 */
export async function shortenMiddle(
  text: string,
  limits: LineLimits,
  save: (text: string) => Promise<string | undefined>,
): Promise<ShortenedText> {
  const parts = cutMiddle(text, limits);
  if (!parts) return { text };
  const file = await save(text).catch(() => undefined);
  const separator = `... (${parts.cut} lines truncated, full output: ${file ?? "(temp file creation failed)"}) ...`;
  const shown = [parts.head, separator, parts.tail].filter((part) => part !== "").join("\n");
  return { text: shown, ...(file !== undefined && { fullTextFile: file }) };
}

/** The longest beginning of `text` that is at most `maxBytes` of UTF-8 and ends between characters. */
export function cutBytes(text: string, maxBytes: number): string {
  // A character is at most three bytes per UTF-16 unit.
  if (text.length * 3 <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(maxBytes, 0)));
  return text.slice(0, read);
}

/** `line` with at most `maxChars` characters (UTF-16 units), saying how many were left out. */
export function clipLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const end = isHighSurrogate(line.charCodeAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return `${line.slice(0, end)}… [+${line.length - end} chars]`;
}

function clamp(lines: number, most: number): number {
  return Math.max(0, Math.min(lines, most));
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
