import { defineTool } from "../toolkit/tool.ts";
import type { MemoryScope, MemoryStore } from "../workspace/memory-store.ts";

export const memoryRead = defineTool({
  name: "MemoryRead",
  description: "Reads a saved note by key, searches notes for a text, or lists them.",
  input: {
    type: "object",
    properties: {
      key: { type: "string" },
      query: { type: "string" },
      scope: { type: "string", enum: ["local", "global"], description: "Default: local" },
    },
  },
  sandboxable: false,
  changes: "nothing",

  async run({ key = "", query = "", scope = "local" }, { memory }) {
    if (key !== "") return readEntry(memory, scope, key);
    return query !== "" ? search(memory, scope, query) : list(memory, scope);
  },
});

async function readEntry(memory: MemoryStore, scope: MemoryScope, key: string): Promise<string> {
  const content = await memory.read(scope, key);
  if (content === undefined) throw new Error(`memory entry "${key}" not found`);
  return content;
}

async function search(memory: MemoryStore, scope: MemoryScope, query: string): Promise<string> {
  const keys = await memory.keys(scope);
  if (!keys) return "No memory entries to search";
  const wanted = query.toLowerCase();
  const found: string[] = [];
  for (const key of keys) {
    const lines = linesOf(await memory.read(scope, key)).filter((line) => line.toLowerCase().includes(wanted));
    if (lines.length > 0) found.push(`- ${key}:`, ...lines.map((line) => `  ${line.trim()}`));
  }
  return found.length === 0 ? `No matches for "${query}"` : [`Search results for "${query}":`, ...found].join("\n");
}

async function list(memory: MemoryStore, scope: MemoryScope): Promise<string> {
  const keys = (await memory.keys(scope)) ?? [];
  if (keys.length === 0) return `No memory entries (${scope})`;
  const lines: string[] = [];
  for (const key of keys) lines.push(`- ${key}: ${headline(await memory.read(scope, key))}`);
  return [`Memory entries (${scope}):`, ...lines].join("\n");
}

/** The first line that is not empty, at most 80 characters of it. */
function headline(content: string | undefined): string {
  const first = linesOf(content)
    .find((line) => line.trim() !== "")
    ?.trim();
  if (first === undefined) return "(empty)";
  const characters = [...first];
  return characters.length > 80 ? `${characters.slice(0, 80).join("")}...` : first;
}

const linesOf = (content = "") => content.split(/\r?\n/);
