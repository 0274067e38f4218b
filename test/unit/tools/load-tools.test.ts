import { expect, test } from "vitest";
import { defineTool } from "../../../src/toolkit/tool.ts";
import { createLoadTools } from "../../../src/tools/load-tools.ts";

const held = (name: string, server?: string) => ({
  tool: defineTool({
    name,
    description: `${name} does it.\nAnd more.`,
    input: { type: "object", properties: {} },
    run: async () => "",
  }),
  ...(server && { server }),
});

async function load(input: { tools?: string[]; server?: string }) {
  const loaded: string[] = [];
  const deferred = [
    held("Query"),
    held("mcp__git__log", "git"),
    held("mcp__git__push", "git"),
    held("mcp__db__x", "db"),
  ];
  const tool = createLoadTools({ deferred: () => deferred, load: (names) => loaded.push(...names) });
  return { text: await tool.run(input, {} as never), loaded };
}

test("loads by name, by pattern with or without mcp__, and by server, each tool once and in their own order", async () => {
  const loaded = async (input: Parameters<typeof load>[0]) => (await load(input)).loaded;
  expect(await loaded({ tools: ["Query"] })).toEqual(["Query"]);
  expect(await loaded({ tools: ["*push", "git__*", "Query"] })).toEqual(["Query", "mcp__git__log", "mcp__git__push"]);
  expect(await loaded({ server: "Git" })).toEqual(["mcp__git__log", "mcp__git__push"]);
  expect(await loaded({ server: "db", tools: ["Query"] })).toEqual(["Query", "mcp__db__x"]);
});

test("says what it loaded, with the first line of each description", async () => {
  expect((await load({ server: "git" })).text).toBe(
    [
      "Loaded 2 tools:",
      "- mcp__git__log: mcp__git__log does it.",
      "- mcp__git__push: mcp__git__push does it.",
      "",
      "These tools are now available for use.",
    ].join("\n"),
  );
});

test("loads nothing when nothing is meant, and says what there is", async () => {
  const none = "No matching deferred tools found. Available: Query, mcp__git__log, mcp__git__push, mcp__db__x";
  expect(await load({ tools: ["query", "Read"] })).toEqual({ text: none, loaded: [] });
  expect(await load({ server: "gi" })).toEqual({ text: none, loaded: [] });
});

test("wants one of the two", async () => {
  await expect(load({})).rejects.toThrow("LoadTools needs tools, server, or both");
  await expect(load({ server: "" })).rejects.toThrow("LoadTools needs tools, server, or both");
});
