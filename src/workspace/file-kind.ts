/**
 * What a file that is not text is, for messages: a known format by its first bytes, or "binary data"; undefined for
 * text. A NUL in the first 8,000 bytes makes a file binary, as git judges it, unless a byte order mark says UTF-16.
 */
export function binaryKind(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 8000));
  const known = SIGNATURES.find(([signature, offset = 0]) => head.subarray(offset).indexOf(signature) === 0);
  if (known) return known[2];
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return undefined;
  return head.includes(0) ? "binary data" : undefined;
}

const hex = (digits: string) => Buffer.from(digits, "hex");

/** First bytes, where they stand, and the format's name. Only those that no text begins with. */
const SIGNATURES: readonly [signature: Buffer, offset: number | undefined, name: string][] = [
  [hex("89504e470d0a1a0a"), 0, "a PNG image"],
  [hex("ffd8ff"), 0, "a JPEG image"],
  [Buffer.from("GIF87a"), 0, "a GIF image"],
  [Buffer.from("GIF89a"), 0, "a GIF image"],
  [Buffer.from("WEBPVP8"), 8, "a WebP image"],
  [Buffer.from("%PDF-"), 0, "a PDF document"],
  [hex("504b0304"), 0, "a ZIP archive (or an office document)"],
  [hex("1f8b08"), 0, "gzip data"],
  [hex("28b52ffd"), 0, "Zstandard data"],
  [hex("fd377a585a00"), 0, "XZ data"],
  [hex("7f454c46"), 0, "an ELF program"],
  [hex("cffaedfe"), 0, "a Mach-O program"],
  [hex("0061736d"), 0, "a WebAssembly module"],
  [Buffer.from("SQLite format 3\0"), 0, "an SQLite database"],
];
