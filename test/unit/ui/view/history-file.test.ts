import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appendHistory, decodeEntry, encodeEntry, loadHistory, MAX_ENTRIES } from "../../../../ui/view/history-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aura-history-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("every entry comes back as it was, on one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("\\", "n", "r", "\n", "\r", "a", "é", "'") }), (text) => {
      expect(encodeEntry(text)).not.toMatch(/[\n\r]/);
      expect(decodeEntry(encodeEntry(text))).toBe(text);
    }),
  );
});

test("entries are appended, oldest first, and a folder that is missing is made", async () => {
  const file = join(folder, "home", "history");
  await appendHistory(file, "one\ntwo");
  await appendHistory(file, "C:\\new");
  expect(await loadHistory(file)).toEqual(["one\ntwo", "C:\\new"]);
});

test("a missing file is an empty history", async () => {
  expect(await loadHistory(join(folder, "none"))).toEqual([]);
});

test("only the newest entries are loaded, and a file that grew too long is trimmed", async () => {
  const file = join(folder, "history");
  await appendFile(file, Array.from({ length: 2 * MAX_ENTRIES + 1 }, (_, index) => `entry ${index}\n`).join(""));
  const loaded = await loadHistory(file);
  expect([loaded.length, loaded[0], loaded.at(-1)]).toEqual([
    MAX_ENTRIES,
    `entry ${MAX_ENTRIES + 1}`,
    `entry ${2 * MAX_ENTRIES}`,
  ]);
  expect((await readFile(file, "utf8")).trimEnd().split("\n")).toEqual(loaded);
});
