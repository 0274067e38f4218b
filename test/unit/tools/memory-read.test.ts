import { expect, test } from "vitest";
import { memoryRead } from "../../../src/tools/memory-read.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const project = () =>
  memoryProject({
    ".aura/memory/arch.md": "\n# Architecture\n  Layers matter\nall layers\n",
    ".aura/memory/empty.md": " \n",
    ".aura/memory/long.md": "é".repeat(81),
    ".aura/memory/notes.txt": "layers",
  });

test("a key gives the entry verbatim, and wins over a query", async () => {
  expect(await project().run(memoryRead, { key: "arch", query: "zzz" })).toBe(
    "\n# Architecture\n  Layers matter\nall layers\n",
  );
  await expect(project().run(memoryRead, { key: "none" })).rejects.toThrow('memory entry "none" not found');
});

test("a query finds lines in any case", async () => {
  expect(await project().run(memoryRead, { query: "LAYERS" })).toBe(
    'Search results for "LAYERS":\n- arch:\n  Layers matter\n  all layers',
  );
  expect(await project().run(memoryRead, { query: "zzz" })).toBe('No matches for "zzz"');
  expect(await memoryProject().run(memoryRead, { query: "zzz" })).toBe("No memory entries to search");
});

test("without both it lists the entries with their first lines", async () => {
  expect(await project().run(memoryRead, {})).toBe(
    `Memory entries (local):\n- arch: # Architecture\n- empty: (empty)\n- long: ${"é".repeat(80)}...`,
  );
  expect(await memoryProject().run(memoryRead, { scope: "global" })).toBe("No memory entries (global)");
});
