/** How a text file's bytes stand for characters, and whether a byte order mark opens it. */
export type TextEncoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * A byte order mark decides (UTF-16 is only known by one); else valid UTF-8 is UTF-8, and anything else
 * Windows-1252, which gives every byte a character and so never loses one.
 */
export function detectEncoding(bytes: Uint8Array): TextEncoding {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return isUtf8(bytes) ? "utf-8-bom" : "windows-1252";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

/** The byte order mark that belongs to `encoding`, as bytes. */
export function byteOrderMark(encoding: TextEncoding): Uint8Array {
  return MARKS[encoding];
}

/** The text of `bytes`, without its byte order mark. Half a UTF-16 unit at the end is left out. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(MARKS[encoding].length);
  switch (encoding) {
    case "utf-8":
    case "utf-8-bom":
      return body.toString("utf8");
    case "utf-16le":
      return body.toString("utf16le");
    case "utf-16be":
      return Buffer.from(body.subarray(0, body.length & ~1))
        .swap16()
        .toString("utf16le");
    case "windows-1252":
      return body
        .toString("latin1")
        .replace(/[\x80-\x9f]/g, (unit) => HIGH_CONTROLS[unit.charCodeAt(0) - 0x80] ?? unit);
  }
}

/** The bytes of `text`, without a byte order mark. Ask `unencodable` first: what cannot be held is replaced here. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  switch (encoding) {
    case "utf-8":
    case "utf-8-bom":
      return Buffer.from(text, "utf8");
    case "utf-16le":
      return Buffer.from(text, "utf16le");
    case "utf-16be":
      return Buffer.from(text, "utf16le").swap16();
    case "windows-1252":
      return Buffer.from(Array.from(text, (character) => byteOf(character) ?? 0x3f));
  }
}

/** The first character of `text` that `encoding` cannot hold, if there is one. */
export function unencodable(text: string, encoding: TextEncoding): string | undefined {
  if (encoding === "windows-1252") {
    for (const character of text) if (byteOf(character) === undefined) return character;
    return undefined;
  }
  // UTF-16 holds half a surrogate pair as it is; UTF-8 has no bytes for one.
  if (encoding.startsWith("utf-16") || text.isWellFormed()) return undefined;
  return /\p{Surrogate}/u.exec(text)?.[0];
}

/** For messages: `"€" (U+20AC)`. */
export function nameCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return character.isWellFormed() ? `"${character}" (U+${code})` : `half a surrogate pair (U+${code})`;
}

/** For messages. */
export const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  "utf-8": "UTF-8",
  "utf-8-bom": "UTF-8 with BOM",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "windows-1252": "Windows-1252",
};

const MARKS: Readonly<Record<TextEncoding, Uint8Array>> = {
  "utf-8": Uint8Array.of(),
  "utf-8-bom": Uint8Array.of(0xef, 0xbb, 0xbf),
  "utf-16le": Uint8Array.of(0xff, 0xfe),
  "utf-16be": Uint8Array.of(0xfe, 0xff),
  "windows-1252": Uint8Array.of(),
};

/** Windows-1252's bytes 0x80 to 0x9F, the five unassigned ones as C1 controls (WHATWG Encoding, index windows-1252). */
const HIGH_CONTROLS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
const HIGH_BYTES = new Map(Array.from(HIGH_CONTROLS, (character, index) => [character, 0x80 + index]));

function byteOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
  return HIGH_BYTES.get(character);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
