import { expect, test } from "vitest";
import { fileMemoryStore } from "../../../src/workspace/file-memory-store.ts";
import { memoryFiles } from "../../../src/workspace/memory-files.ts";

const store = () => fileMemoryStore(memoryFiles(), { local: "/p/.aura/memory", global: "/h/.aura/memory" });

test("an entry is kept verbatim, per scope", async () => {
  const memory = store();
  await memory.write("local", "user preferences", "a\r\nb");
  expect(await memory.read("local", "user preferences")).toBe("a\r\nb");
  expect(await memory.read("global", "user preferences")).toBeUndefined();
  expect([await memory.keys("local"), await memory.keys("global")]).toEqual([["user preferences"], undefined]);
});

test.each([
  ["   ", "it must not be empty"],
  [" a", "it must not begin or end with a space"],
  ["a/b", 'it must not contain "/", "\\" or ".."'],
  ["a\\b", 'it must not contain "/", "\\" or ".."'],
  ["..", 'it must not contain "/", "\\" or ".."'],
  ["a\0", "it must not contain control characters"],
  ["é".repeat(101), "it must not be longer than 200 bytes"],
])("the key %j is refused", async (key, why) => {
  await expect(store().write("local", key, "x")).rejects.toThrow(why);
  await expect(store().read("local", key)).rejects.toThrow(why);
});

test("keys that differ only by case do not overwrite each other on any disk", async () => {
  const memory = store();
  await memory.write("local", "Notes", "1");
  await expect(memory.write("local", "notes", "2")).rejects.toThrow('memory entry "Notes" exists');
  await memory.write("local", "Notes", "3");
  expect([await memory.read("local", "Notes"), await memory.read("local", "notes")]).toEqual(["3", undefined]);
});

test("a scope without a home is disabled", async () => {
  const memory = fileMemoryStore(memoryFiles(), {});
  await expect(memory.keys("global")).rejects.toThrow("global memory disabled (no --home configured)");
  await expect(memory.write("local", "a", "x")).rejects.toThrow("local memory disabled");
});
