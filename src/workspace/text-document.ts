import { dominantEnding, type LineEnding, splitLines } from "../text/line-endings.ts";
import { byteOrderMark, decodeText, detectEncoding, encodeText, type TextEncoding } from "../text/text-encoding.ts";

/** A line of an opened file, which stays the bytes it was, or one that was written since. */
export interface DocumentLine {
  readonly text: string;
  readonly ending: LineEnding | "";
  /** 1-based line in the opened file; 0 for a line written since. */
  readonly origin: number;
  /** The bytes in the opened file, ending included; empty for a line written since. */
  readonly start: number;
  readonly end: number;
}

/** A text file as lines over its bytes: lines nobody touched are written back byte for byte. */
export interface TextDocument {
  readonly bytes: Uint8Array;
  readonly encoding: TextEncoding;
  /** What lines written since end with. */
  readonly ending: LineEnding;
  readonly lines: readonly DocumentLine[];
  /** The file ends with a line ending; kept by `documentBytes` whatever the lines are. */
  readonly finalNewline: boolean;
  /** Bytes after the last whole character of a damaged UTF-16 file. */
  readonly tail: Uint8Array;
}

export function openDocument(bytes: Uint8Array): TextDocument {
  const encoding = detectEncoding(bytes);
  const pieces = splitLines(decodeText(bytes, encoding));
  let at = byteOrderMark(encoding).length;
  const lines = pieces.map(({ text, ending }, index): DocumentLine => {
    const start = at;
    at += byteLength(text, encoding) + byteLength(ending, encoding);
    return { text, ending, origin: index + 1, start, end: at };
  });
  return {
    bytes,
    encoding,
    ending: dominantEnding(pieces),
    lines,
    finalNewline: pieces.at(-1)?.ending !== "",
    tail: bytes.subarray(at),
  };
}

/** The bytes a new text gets in place of `old`: same encoding and byte order mark, its own line endings. */
export function encodeLike(old: Uint8Array | undefined, text: string): { bytes: Uint8Array; encoding: TextEncoding } {
  // An empty file has no encoding to keep, and a mark in the text itself is only needed where the file brings none.
  const encoding = old && old.length > 0 ? detectEncoding(old) : "utf-8";
  const mark = byteOrderMark(encoding);
  const body = mark.length > 0 && text.startsWith("\ufeff") ? text.slice(1) : text;
  return { bytes: Buffer.concat([mark, encodeText(body, encoding)]), encoding };
}

export function newLine(text: string, document: TextDocument): DocumentLine {
  return { text, ending: document.ending, origin: 0, start: 0, end: 0 };
}

/** The file `document` describes. */
export function documentBytes(document: TextDocument): Uint8Array {
  const { bytes, encoding, lines, finalNewline, ending, tail } = document;
  const parts: Uint8Array[] = [byteOrderMark(encoding)];
  lines.forEach((line, index) => {
    const wanted = index < lines.length - 1 || finalNewline ? line.ending || ending : "";
    const asItWas = line.origin > 0 && wanted === line.ending;
    if (asItWas) return void parts.push(bytes.subarray(line.start, line.end));
    parts.push(line.origin > 0 ? textBytes(line, document) : encodeText(line.text, encoding));
    parts.push(encodeText(wanted, encoding));
  });
  return Buffer.concat([...parts, tail]);
}

/** The bytes of an opened line without its ending. */
function textBytes(line: DocumentLine, { bytes, encoding }: TextDocument): Uint8Array {
  return bytes.subarray(line.start, line.end - byteLength(line.ending, encoding));
}

function byteLength(text: string, encoding: TextEncoding): number {
  switch (encoding) {
    case "utf-8":
    case "utf-8-bom":
      return Buffer.byteLength(text);
    case "utf-16le":
    case "utf-16be":
      return text.length * 2;
    case "windows-1252":
      return text.length;
  }
}
