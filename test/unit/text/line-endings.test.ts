import fc from "fast-check";
import { expect, test } from "vitest";
import { dominantEnding, splitLines } from "../../../src/text/line-endings.ts";

test.each([
  ["", []],
  ["a", [["a", ""]]],
  ["a\n", [["a", "\n"]]],
  [
    "a\r\n\nb",
    [
      ["a", "\r\n"],
      ["", "\n"],
      ["b", ""],
    ],
  ],
  [
    "a\rb\r",
    [
      ["a", "\r"],
      ["b", "\r"],
    ],
  ],
  ["a\rb\n", [["a\rb", "\n"]]],
  ["\r\r\n", [["\r", "\r\n"]]],
])("%j splits into its lines", (text, lines) => {
  expect(splitLines(text).map((line) => [line.text, line.ending])).toEqual(lines);
});

test("the lines of a text put together are the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "\r", "\n", "\u2028") }), (text) => {
      expect(
        splitLines(text)
          .map((line) => line.text + line.ending)
          .join(""),
      ).toBe(text);
    }),
  );
});

test.each([
  ["a", "\n"],
  ["a\r\nb\nc\r\n", "\r\n"],
  ["a\nb\r\n", "\n"],
  ["a\r\nb\n", "\r\n"],
  ["a\rb", "\r"],
])("the dominant ending of %j is %j", (text, ending) => {
  expect(dominantEnding(splitLines(text))).toBe(ending);
});
