import { expect, test } from "vitest";
import {
  byteOrderMark,
  decodeText,
  detectEncoding,
  encodeText,
  nameCharacter,
  type TextEncoding,
  unencodable,
} from "../../../src/text/text-encoding.ts";

test.each<[string, number[], TextEncoding]>([
  ["nothing", [], "utf-8"],
  ["ASCII", [0x61], "utf-8"],
  ["UTF-8", [0xc3, 0xa9], "utf-8"],
  ["a UTF-8 mark", [0xef, 0xbb, 0xbf, 0x61], "utf-8-bom"],
  ["a UTF-8 mark before bytes that are not UTF-8", [0xef, 0xbb, 0xbf, 0xff], "windows-1252"],
  ["a little-endian mark", [0xff, 0xfe, 0x61, 0x00], "utf-16le"],
  ["a big-endian mark", [0xfe, 0xff, 0x00, 0x61], "utf-16be"],
  ["bytes that are not UTF-8", [0x63, 0xe9], "windows-1252"],
])("%s is told by its bytes", (_, bytes, encoding) => {
  expect(detectEncoding(Uint8Array.from(bytes))).toBe(encoding);
});

test("every byte has a character in Windows-1252, and gets back from it", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = decodeText(bytes, "windows-1252");
  expect(text.slice(0x80, 0x85)).toBe("€\x81‚ƒ„");
  expect(text.slice(0x9e)).toBe(`žŸ${String.fromCharCode(...Array.from({ length: 96 }, (_, i) => 0xa0 + i))}`);
  expect([...encodeText(text, "windows-1252")]).toEqual([...bytes]);
});

test.each<TextEncoding>(["utf-8", "utf-8-bom", "utf-16le", "utf-16be"])("%s keeps any text", (encoding) => {
  const text = "a é ☃ 😀\r\n";
  const bytes = Buffer.concat([byteOrderMark(encoding), encodeText(text, encoding)]);
  expect(decodeText(bytes, encoding)).toBe(text);
  expect(unencodable(text, encoding)).toBeUndefined();
});

test("what an encoding cannot hold is named", () => {
  expect([unencodable("é €", "windows-1252"), unencodable("é ☃ 😀", "windows-1252")]).toEqual([undefined, "☃"]);
  expect([unencodable("a\ud800b", "utf-8"), unencodable("a\ud800b", "utf-16le")]).toEqual(["\ud800", undefined]);
  expect([nameCharacter("☃"), nameCharacter("\ud800")]).toEqual(['"☃" (U+2603)', "half a surrogate pair (U+D800)"]);
});
