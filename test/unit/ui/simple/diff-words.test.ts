import { expect, test } from "vitest";
import { unifiedDiff } from "../../../../src/text/diff.ts";
import { diffInWords, diffSummary } from "../../../../ui/simple/diff-words.ts";

test("a change is told by its lines and their numbers", async () => {
  const before = "one\n-- two\n\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n";
  const after = "one\n++ two\n\nfour\nfive\nsix\nseven\neight\nnine\nten\n\nTWELVE\x1b[2J\n";
  expect(diffInWords(await unifiedDiff({ before, after, from: "src/a.ts", to: "src/a.ts" }))).toEqual([
    "File src/a.ts: 2 lines removed, 3 added.",
    "Line 2 removed: -- two",
    "Line 2 added: ++ two",
    "Line 11 removed: eleven",
    "Line 11 added: (blank)",
    "Line 12 added: TWELVE␛[2J",
  ]);
});

test("new, deleted, renamed and several files are named as such", async () => {
  const parts = await Promise.all([
    unifiedDiff({ before: undefined, after: "x\n", from: "new.ts", to: "new.ts" }),
    unifiedDiff({ before: "x\ny\n", after: undefined, from: "old.ts", to: "old.ts" }),
    unifiedDiff({ before: "x\n", after: "x\n", from: "a.ts", to: "b.ts" }),
    unifiedDiff({ before: "x\n", after: "x\ny\n", from: "c.ts", to: "d.ts" }),
  ]);
  expect(diffSummary(parts.join(""))).toEqual([
    "New file new.ts: 1 line.",
    "File old.ts deleted: 2 lines.",
    "File a.ts renamed to b.ts.",
    "File c.ts renamed to d.ts: 1 line added.",
  ]);
});

test("git's marks are no part of a name", () => {
  expect(
    diffSummary("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n"),
  ).toEqual(["File x: 1 line removed, 1 added."]);
});

test("what is no unified diff is shown as it is", () => {
  expect(diffInWords("1c1\n< a\n> b\n")).toEqual(["1c1", "< a", "> b"]);
});

test("several deleted files are told one by one", () => {
  const gone = (name: string) => `--- ${name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-text of ${name}\n`;
  expect(diffInWords(gone("dir/a") + gone("dir/b"))).toEqual([
    "File dir/a deleted: 1 line.",
    "Line 1 removed: text of dir/a",
    "File dir/b deleted: 1 line.",
    "Line 1 removed: text of dir/b",
  ]);
});
