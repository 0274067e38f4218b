import fc from "fast-check";
import { expect, test } from "vitest";
import { displayWidth } from "../../../../src/text/width.ts";
import { diffLines } from "../../../../ui/tui/diff.ts";
import { diffColumns } from "../../../../ui/tui/diff-columns.ts";
import { diffRows } from "../../../../ui/tui/diff-rows.ts";
import { type Line, lineWidth } from "../../../../ui/tui/spans.ts";
import { wordDiff } from "../../../../ui/tui/word-diff.ts";

const words = (lines: readonly Line[]) =>
  lines.map((line) =>
    line
      .map((part) => part.text)
      .join("")
      .trimEnd(),
  );
const marked = (line: Line | undefined) =>
  (line ?? []).filter((part) => part.tone?.endsWith("-word")).map((part) => part.text);

test("a diff has line numbers, colours and no control characters", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -9,3 +9,3 @@ f()\n same\n-old\x1b[2J\n+new\n tail\n\\ No newline at end of file\n";
  const lines = diffLines(diffRows(diff), 30, true);
  expect(words(lines)).toEqual([
    "--- a/x",
    "+++ b/x",
    "@@ -9,3 +9,3 @@ f()",
    "  9   same",
    " 10 - old",
    " 10 + new",
    " 11   tail",
    "\\ No newline at end of file",
  ]);
  expect(lines.map((line) => line.at(-1)?.tone)).toEqual([
    "text",
    "text",
    "hunk",
    undefined,
    "removed",
    "added",
    undefined,
    "faint",
  ]);
});

test("a removed line that looks like a file header is a removed line", () => {
  expect(words(diffLines(diffRows("@@ -1,2 +1,1 @@\n--- comment here\n rest"), 40, true))).toEqual([
    "@@ -1,2 +1,1 @@",
    "  1 - -- comment here",
    "  1   rest",
  ]);
});

test("long lines of a diff are wrapped to be judged and cut to be glanced at", () => {
  const diff = `@@ -1,1 +1,1 @@\n+${"word ".repeat(12)}`;
  expect(words(diffLines(diffRows(diff), 24, true)).length).toBeGreaterThan(3);
  expect(words(diffLines(diffRows(diff), 24, false)).every((line) => displayWidth(line) <= 24)).toBe(true);
  expect(words(diffLines(diffRows(diff), 24, false))).toHaveLength(2);
});

test("the words that changed are marked in both lines of a pair", () => {
  const rows = diffRows(
    "@@ -1,2 +1,2 @@\n-const total = price * 2;\n-gone\n+const total = cost * 2;\n+quite another line",
  );
  const lines = diffLines(rows, 60, true);
  expect(lines.map(marked)).toEqual([[], ["price"], [], ["cost"], []]);
});

test("a removed line that looks like the header of the next file stays in its hunk", () => {
  const rows = diffRows("--- a\n+++ b\n@@ -1,2 +1,1 @@\n--- a/old/path\n same\n--- c\n+++ d\n@@ -1 +1 @@\n-x\n+y");
  expect(rows.map((row) => row.kind)).toEqual("file file hunk removed same file file hunk removed added".split(" "));
});

test("side by side the old text is left and the new text right, each with its own numbers", () => {
  const rows = diffRows("--- a\n+++ b\n@@ -4,3 +4,4 @@\n same\n-one two\n+one three\n+more\n tail");
  expect(words(diffColumns(rows, 43))).toEqual([
    "--- a",
    "+++ b",
    "@@ -4,3 +4,4 @@",
    "  4   same           │   4   same",
    "  5 - one two        │   5 + one three",
    "                     │   6 + more",
    "  6   tail           │   7   tail",
  ]);
});

const line = fc.string({
  unit: fc.constantFrom("a", "b", "foo", " ", "\t", "(", "é", "漢", "👩‍👩‍👧", "+"),
  maxLength: 30,
});

test("the pieces of a compared line, joined, are that line, and what is unchanged is the same on both sides", () => {
  fc.assert(
    fc.property(line, line, (before, after) => {
      const diff = wordDiff(before, after);
      if (diff === undefined) return;
      const join = (pieces: typeof diff.before) => pieces.map((piece) => piece.text).join("");
      expect([join(diff.before), join(diff.after)]).toEqual([before, after]);
      const kept = (pieces: typeof diff.before) => join(pieces.filter((piece) => !piece.changed)).replace(/\s/g, "");
      expect(kept(diff.before)).toBe(kept(diff.after));
    }),
  );
});

test("lines that have nothing in common are not compared word by word", () => {
  expect(wordDiff("return total;", "import fs from 'node:fs'")).toBeUndefined();
  expect(wordDiff("return total;", "return totals;")?.after).toEqual([
    { text: "return ", changed: false },
    { text: "totals", changed: true },
    { text: ";", changed: false },
  ]);
});

test("no diff is ever wider than its room, in lines or in columns", () => {
  const source = fc.array(fc.tuple(fc.constantFrom("+", "-", " "), line), { maxLength: 12 });
  fc.assert(
    fc.property(source, fc.integer({ min: 24, max: 90 }), (parts, width) => {
      const rows = diffRows(`@@ -1,9 +1,9 @@\n${parts.map(([sign, text]) => sign + text).join("\n")}`);
      for (const shown of [
        ...diffLines(rows, width, true),
        ...diffLines(rows, width, false),
        ...diffColumns(rows, width),
      ])
        expect(lineWidth(shown)).toBeLessThanOrEqual(width);
    }),
  );
});

test("a line that became the second of two added lines stands beside that one", () => {
  const rows = diffRows("@@ -1 +1,2 @@\n-return list(share);\n+const left = cents;\n+return list(share + 1);");
  expect(words(diffColumns(rows, 69))).toEqual([
    "@@ -1 +1,2 @@",
    "                                  │   1 + const left = cents;",
    "  1 - return list(share);         │   2 + return list(share + 1);",
  ]);
  expect(diffLines(rows, 60, true).map(marked)).toEqual([[], [], [], [" + 1"]]);
});

test("side by side every line of the diff is there once, in its order", () => {
  const change = fc.array(fc.tuple(fc.constantFrom("+", "-", " "), fc.constantFrom("a b", "a c", "x", "a b c")), {
    maxLength: 14,
  });
  fc.assert(
    fc.property(change, (parts) => {
      const shown = diffColumns(
        diffRows(`@@ -1,99 +1,99 @@\n${parts.map(([sign, text]) => sign + text).join("\n")}`),
        60,
      );
      const side = (column: 0 | 1) =>
        words(shown.slice(1))
          .map((row) => (row.split(/ │ ?/)[column] ?? "").trim())
          .filter((text) => /\d/.test(text));
      const numbered = (sign: string) =>
        parts.filter(([own]) => own === sign || own === " ").map(([own, text], at) => `${at + 1} ${own} ${text}`);
      expect([side(0), side(1)]).toEqual([numbered("-"), numbered("+")]);
    }),
  );
});
