import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { showChanges } from "../../../src/engine/show-changes.ts";
import { simulateCommand } from "../../../src/engine/simulate-command.ts";
import type { SeenChange } from "../../../src/engine/trial-changes.ts";

const bytes = (text: string) => async () => Buffer.from(text);
const added = (path: string, text = "x\n"): SeenChange => ({
  path,
  what: "added",
  after: text,
  bytesAfter: bytes(text),
});
const deleted = (path: string, text = "x\n"): SeenChange => ({
  path,
  what: "deleted",
  before: text,
  bytesBefore: bytes(text),
});

test("counts lines and shows them", async () => {
  const change: SeenChange = {
    path: "a",
    what: "modified",
    before: "1",
    after: "2",
    bytesBefore: bytes("a\nb\n"),
    bytesAfter: bytes("a\nc\nd\n"),
  };
  expect(await showChanges([change])).toEqual({
    changes: [{ path: "a", what: "modified", added: 2, removed: 1 }],
    diff: "--- a\n+++ a\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n",
    notes: [],
  });
});

test("a file that went and one that came with the same bytes are one that was renamed", async () => {
  expect((await showChanges([deleted("old"), added("new"), added("copy")])).changes).toEqual([
    { path: "copy", what: "added", added: 1, removed: 0 },
    { path: "new", what: "renamed", from: "old" },
  ]);
});

test("a folder is told by what is in it, an empty one and a big one that goes by its name", async () => {
  const many = Array.from({ length: 12 }, (_, at) => deleted(`big/f${at}`, `${at}`));
  const folder = (path: string, what: "added" | "deleted"): SeenChange => ({ path, what, isFolder: true });
  const shown = await showChanges([
    folder("d", "added"),
    added("d/a"),
    folder("empty", "added"),
    folder("big", "deleted"),
    ...many,
  ]);
  expect(shown.changes.map(({ path, what }) => `${what} ${path}`)).toEqual([
    "deleted big/",
    "added d/a",
    "added empty/",
  ]);
  expect(shown.notes).toEqual(["big/ goes with 12 files in it"]);
});

test("of git's own files only those that matter are listed", async () => {
  const shown = await showChanges([
    added(".git/index"),
    added(".git/objects/aa/b"),
    added(".git/refs/heads/new"),
    added(".git/hooks/pre-commit"),
  ]);
  expect(shown.changes.map(({ path }) => path)).toEqual([".git/hooks/pre-commit", ".git/refs/heads/new"]);
  expect(shown.notes).toEqual(["in .git: what is staged and 1 new object"]);
});

test("what is no text is listed without lines, and a very long diff is cut between files", async () => {
  const long = `${"y".repeat(80)}\n`.repeat(2000);
  const shown = await showChanges([added("bin", "a\0b"), added("f1", long), added("f2", `${long}2`), added("f3")]);
  expect(shown.changes[0]).toEqual({ path: "bin", what: "added" });
  expect(shown.notes).toEqual(["the lines of 2 more files are not shown"]);
  expect(shown.diff).not.toContain("f2");
});

test("a simulated command is labelled, shown and left to the real shell; one it lacks programs for is not simulated", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "aura-simulate-")));
  writeFileSync(join(root, "a"), "one\n");
  const options = { cwd: root, timeoutMs: 10_000, maxOutputBytes: 1000, signal: new AbortController().signal };
  const simulated = await simulateCommand("sed -i s/one/two/ a && cat a", { root, home: "/h" }, options);
  expect(simulated?.preview).toMatchObject({
    kind: "simulated",
    changes: [{ path: "a", what: "modified", added: 1, removed: 1 }],
    output: "two\n",
  });
  expect(await simulated?.keep()).toBeUndefined();
  expect(await simulateCommand("make all > a", { root, home: "/h" }, options)).toBeUndefined();
  rmSync(root, { recursive: true });
});
