import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCallTool, proxyBlock } from "../../../src/mcp/proxy.ts";
import { openProxyShelf } from "../../../src/mcp/proxy-shelf.ts";
import type { ToolCall } from "../../../src/protocol/tool-call.ts";
import type { HeldTool } from "../../../src/toolkit/tool-set.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const held = (server: string, name: string, description = "Does it."): HeldTool => ({
  tool: {
    name: `mcp__${server}__${name}`,
    description,
    input: { type: "object", properties: { a: { type: "string" } } },
    run: async () => "",
  },
  server,
});

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "aura-proxy-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("each tool is one file for its owner; what was left there, and what is gone, is removed", async () => {
  mkdirSync(join(dir, "old"));
  writeFileSync(join(dir, "old", "left.json"), "{}");
  const shelf = openProxyShelf(dir);
  await shelf.write([held("a", "one"), held("a", "two"), held("b", "x")]);
  expect(readdirSync(dir, { recursive: true }).sort()).toEqual(["a", "a/one.json", "a/two.json", "b", "b/x.json"]);
  expect(JSON.parse(readFileSync(join(dir, "a/one.json"), "utf8"))).toEqual({
    name: "one",
    description: "Does it.",
    server: "a",
    parameters: { type: "object", properties: { a: { type: "string" } } },
  });
  expect([statSync(join(dir, "a")).mode & 0o777, statSync(join(dir, "a/one.json")).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  const untouched = statSync(join(dir, "b/x.json")).ino;
  await shelf.write([held("a", "two", "New words."), held("b", "x")]);
  expect(readdirSync(dir, { recursive: true }).sort()).toEqual(["a", "a/two.json", "b", "b/x.json"]);
  expect(readFileSync(join(dir, "a/two.json"), "utf8")).toContain("New words.");
  expect(statSync(join(dir, "b/x.json")).ino).toBe(untouched);
  await shelf.write([]);
  expect(readdirSync(dir)).toEqual([]);
  await shelf.close();
  expect(() => statSync(dir)).toThrow();
});

test("the prompt names the folder and the servers, and says nothing without any", () => {
  expect(proxyBlock([], "/d", () => undefined)).toBeUndefined();
  const block = proxyBlock([held("b", "x"), held("a", "one")], "/d", (name) =>
    name === "a" ? "The\n  first" : undefined,
  );
  expect(block).toContain("described in /d,");
  expect(block!.split("\n").slice(-3)).toEqual(["- a: The first", "- b", "</proxied-tools>"]);
});

test("a call is made under the tool's own name, and its failure is the call's", async () => {
  const made: unknown[] = [];
  let answer: Partial<ToolCall> = { status: "done", ms: 1, output: { text: "result" } };
  const { access } = memoryProject(
    {},
    {
      callTools: async (calls, options) => {
        made.push(calls, options);
        return [{ id: "1", ...calls[0]!, ...answer } as ToolCall];
      },
    },
  );
  const tool = createCallTool({ proxied: () => [held("a", "one")], explainMissing: (name) => `no ${name}` });
  const input = { server: "a", tool: "one", arguments: { a: "x" } };
  expect(await tool.run(input, access)).toEqual({ text: "result" });
  expect(made).toEqual([[{ tool: "mcp__a__one", input: { a: "x" } }], { mayAsk: true }]);
  answer = { status: "denied", refusal: { by: "person", feedback: "no" } };
  await expect(tool.run(input, access)).rejects.toThrow("tool call denied by user, who says: no");
  await expect(tool.run({ server: "a", tool: "two" }, access)).rejects.toThrow("no mcp__a__two");
  await expect(tool.run({ server: "b", tool: "one" }, access)).rejects.toThrow(
    'there is no server "b" behind the proxy; there are: a',
  );
  expect(made).toHaveLength(4);
});
