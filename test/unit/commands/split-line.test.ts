import fc from "fast-check";
import { expect, test } from "vitest";
import { splitLine } from "../../../src/commands/split-line.ts";

test.each([
  ["", []],
  ["   ", []],
  ["one", ["one"]],
  ["  one   two\tthree ", ["one", "two", "three"]],
  ['say "two words" end', ["say", "two words", "end"]],
  ["say 'two words' end", ["say", "two words", "end"]],
  ['joined"to one"word', ["joinedto oneword"]],
  ['an empty "" word', ["an", "empty", "", "word"]],
  ["a\\ b c", ["a b", "c"]],
  ['"a \\" b"', ['a " b']],
  ['"a \\n b"', ["a \\n b"]],
  ["'a \\' b", ["a \\", "b"]],
  ["ends with \\", ["ends", "with", "\\"]],
] as const)("%j", (line, words) => {
  expect(splitLine(line)).toEqual(words);
});

test("with quotes that do not close, quotes are plain characters", () => {
  expect(splitLine("it's only words")).toEqual(["it's", "only", "words"]);
  expect(splitLine('say "hello')).toEqual(["say", '"hello']);
});

test("words quoted as a shell would quote them come back as they were", () => {
  const quoted = (word: string) => `"${word.replace(/[\\"]/g, "\\$&")}"`;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (words) => {
      expect(splitLine(words.map(quoted).join(" "))).toEqual(words);
    }),
  );
});
