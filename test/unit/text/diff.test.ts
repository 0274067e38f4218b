import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../../src/text/diff.ts";

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join("");
const diff = (before: string | undefined, after: string | undefined, to = "a.txt") =>
  unifiedDiff({ before, after, from: "a.txt", to });

test("a change shows three lines around it", async () => {
  expect(await diff(lines(1, 20), `${lines(1, 9)}ten\n${lines(11, 20)}`)).toBe(
    "--- a.txt\n+++ a.txt\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n",
  );
});

test("changes apart are hunks apart, changes close to each other one", async () => {
  const after = `${lines(1, 1)}two\n${lines(3, 12)}13a\n${lines(13, 15)}sixteen\n${lines(17, 20)}`;
  expect(await diff(lines(1, 20), after)).toBe(
    "--- a.txt\n+++ a.txt\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n" +
      "@@ -10,10 +10,11 @@\n 10\n 11\n 12\n+13a\n 13\n 14\n 15\n-16\n+sixteen\n 17\n 18\n 19\n",
  );
});

test("a new file comes from /dev/null, a deleted one goes there", async () => {
  expect(await diff(undefined, "a\nb\n")).toBe("--- /dev/null\n+++ a.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  expect(await diff("a\n", undefined)).toBe("--- a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
});

test("a rename has its headers, with and without changes", async () => {
  expect(await diff("a\n", "a\n", "b.txt")).toBe("rename from a.txt\nrename to b.txt\n");
  expect(await diff("a\n", "b\n", "b.txt")).toBe(
    "rename from a.txt\nrename to b.txt\n--- a.txt\n+++ b.txt\n@@ -1 +1 @@\n-a\n+b\n",
  );
});

test("equal texts, and texts that differ only in line ends, have no diff", async () => {
  expect(await diff("a\nb\n", "a\r\nb")).toBe("");
});

test("five thousand lines that all differ come back as one replacement or as their differences", async () => {
  const text = (mark: string) => Array.from({ length: 5000 }, (_, i) => `${mark}${i}`).join("\nsame\n");
  const result = await diff(text("a"), text("b"));
  expect(result.split("\n").filter((line) => line.startsWith("+b"))).toHaveLength(5000);
});

test("a diff applied to the text before gives the text after", async () => {
  const line = fc.constantFrom("a", "b", "c", "");
  const text = fc.array(line, { maxLength: 30 }).map((all) => all.map((one) => `${one}\n`).join(""));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const result = await diff(before, after);
      expect(result === "" ? before : applyPatch(before, result)).toBe(after);
    }),
    { numRuns: 300 },
  );
});
