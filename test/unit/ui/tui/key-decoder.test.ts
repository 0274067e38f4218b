import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyDecoder, ESCAPE_MS, type Key, keyName, LOST_MS } from "../../../../ui/tui/key-decoder.ts";

function decode(...chunks: (string | Uint8Array)[]): Key[] {
  const decoder = createKeyDecoder();
  const keys = chunks.flatMap((chunk) => decoder.feed(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
  return decoder.waits() === undefined ? keys : [...keys, ...decoder.expire()];
}
const names = (...chunks: (string | Uint8Array)[]) => decode(...chunks).map(keyName);

test("typed characters, control keys and named keys are told apart", () => {
  expect(names("aÄ \r\t\x7f\x03\x00\n")).toEqual([
    "a",
    "Ä",
    "space",
    "enter",
    "tab",
    "backspace",
    "ctrl+c",
    "ctrl+space",
    "ctrl+j",
  ]);
  expect(names("\x1b[A\x1bOB\x1b[1;5C\x1b[3~\x1b[Z\x1b[5~\x1b[H")).toEqual([
    "up",
    "down",
    "ctrl+right",
    "delete",
    "shift+tab",
    "pageup",
    "home",
  ]);
});

test("Alt comes as an ESC before the key", () => {
  expect(names("\x1b\r\x1bb\x1b\x7f\x1b\x1b[D")).toEqual(["alt+enter", "alt+b", "alt+backspace", "alt+left"]);
});

test("the kitty protocol and modifyOtherKeys name the same keys", () => {
  expect(names("\x1b[13;2u\x1b[27;2;13~\x1b[99;5u\x1b[27u\x1b[97;3u")).toEqual([
    "shift+enter",
    "shift+enter",
    "ctrl+c",
    "escape",
    "alt+a",
  ]);
  expect(names("\x1b[97;1:3u\x1b[1;1:3A")).toEqual([]);
});

test("a paste is one key with its text, whatever the text holds", () => {
  expect(decode("\x1b[200~one\rtwo \x1b[31m\x1b[201~x")).toEqual([
    { name: "paste", ctrl: false, alt: false, shift: false, text: "one\rtwo \x1b[31m" },
    { name: "x", ctrl: false, alt: false, shift: false, text: "x" },
  ]);
});

test("a paste that lost its end is delivered after a silence, and typing works again", () => {
  const decoder = createKeyDecoder();
  expect(decoder.feed(Buffer.from("\x1b[200~lost"))).toEqual([]);
  expect(decoder.waits()).toBe(LOST_MS);
  expect(decoder.expire().map((key) => key.text)).toEqual(["lost"]);
  expect(decoder.feed(Buffer.from("a")).map(keyName)).toEqual(["a"]);
});

test("a paste of ten megabytes in small pieces is decoded quickly and whole", () => {
  const text = "0123456789 日本語\n".repeat(480_000);
  const bytes = Buffer.from(`\x1b[200~${text}\x1b[201~`);
  const decoder = createKeyDecoder();
  const keys: Key[] = [];
  for (let at = 0; at < bytes.length; at += 4_093) keys.push(...decoder.feed(bytes.subarray(at, at + 4_093)));
  expect(keys.map((key) => key.text?.length)).toEqual([text.length]);
  expect(keys[0]?.text === text).toBe(true);
});

test("a lone ESC is the escape key after a short wait", () => {
  const decoder = createKeyDecoder();
  expect(decoder.feed(Buffer.from("\x1b"))).toEqual([]);
  expect(decoder.waits()).toBe(ESCAPE_MS);
  expect(decoder.expire().map(keyName)).toEqual(["escape"]);
  expect(decoder.waits()).toBeUndefined();
});

test("mouse reports, focus events and answers of the terminal are no keys", () => {
  expect(
    names(
      "\x1b[<0;10;5M\x1b[M !!\x1b[I\x1b[O\x1b]11;rgb:0/0/0\x07\x1b]10;x\x1b\\\x1bP1$r\x1b\\\x1b[?62;c\x1b[?2026;0$y\x1b[?1ua",
    ),
  ).toEqual(["a"]);
});

test("the terminal tells that it knows synchronized output, and the wheel's turns", () => {
  expect(names("\x1b[?2026;2$y\x1b[<64;3;4M\x1b[<65;3;4M\x1b[<65;3;4m")).toEqual([
    "terminal-synchronizes",
    "wheelup",
    "wheeldown",
  ]);
});

test("the terminal's answer stands between the keys, and never swallows a lone ESC", () => {
  expect(names("a\x1b[0nb\x1b\x1b[0n")).toEqual(["a", "terminal-ready", "b", "escape", "terminal-ready"]);
});

test("a sequence that never ends is given up", () => {
  const decoder = createKeyDecoder();
  expect(decoder.feed(Buffer.from("\x1b]52;c;abc"))).toEqual([]);
  expect(decoder.expire()).toEqual([]);
  expect(decoder.feed(Buffer.from("b")).map(keyName)).toEqual(["b"]);
});

const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom(
    "\x1b[A",
    "\x1b[1;5C",
    "\x1bOP",
    "\x1b[200~pasted \x1b[1m\ntext\x1b[201~",
    "\x1b[13;2u",
    "\x1b]0;t\x07",
    "\x1b[<0;1;1m",
    "\r",
    "\x1bx",
    "日本",
    "👩‍👩‍👧",
    "\x1b[",
    "\x1b]",
    "\x1b",
  ),
);

test("however the bytes are cut, the keys are the same", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(200), { maxLength: 20 }), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(""));
      const points = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      const chunks = [0, ...points].map((from, index) => bytes.subarray(from, points[index] ?? bytes.length));
      expect(decode(...chunks)).toEqual(decode(bytes));
    }),
    { numRuns: 500 },
  );
});
