import { describe, expect, test } from "vitest";
import { defineTool, type Tool } from "../../../src/toolkit/tool.ts";
import { createToolSet, type ToolSetInput } from "../../../src/toolkit/tool-set.ts";

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  ...defineTool({
    name,
    description: `${name} does it.`,
    input: { type: "object", properties: {} },
    run: async () => name,
  }),
  ...more,
});
const known = (...tools: (Tool | string)[]) =>
  tools.map((entry) => ({ tool: typeof entry === "string" ? tool(entry) : entry, source: "built-in" }));
const toolSet = (input: Partial<ToolSetInput>) =>
  createToolSet({ known: known("Read", "Bash"), overrides: {}, layers: [], optIn: [], ...input });
const agent = (lists: { enabled?: string[]; disabled?: string[] }) => ({
  name: "agent:a",
  enabled: lists.enabled ?? [],
  disabled: lists.disabled ?? [],
});

describe("overrides", () => {
  test("replace texts and keep what they do not mention", () => {
    const read = tool("Read", { usage: "old usage", examples: ["old example"] });
    const tools = toolSet({
      known: known(read),
      overrides: { read: { description: "New.", examples: ["one", "two"] } },
    });
    expect(tools.schemas).toEqual([
      {
        name: "Read",
        description: "New.\n\nUsage: old usage\n\nExamples:\none\ntwo",
        parameters: { type: "object", properties: {} },
      },
    ]);
  });

  test("may say that a tool is not safe beside its siblings, and the tool still works", async () => {
    const tools = toolSet({ overrides: { bash: { parallel: false } } });
    expect([tools.find("Bash")?.parallel, tools.find("Read")?.parallel]).toEqual([false, undefined]);
    expect(await tools.find("Bash")?.run({}, {} as never)).toBe("Bash");
  });

  test("may take a tool away", () => {
    const tools = toolSet({ overrides: { bash: { disabled: true } } });
    expect(tools.active.map(({ name }) => name)).toEqual(["Read"]);
    expect(tools.statuses[1]).toEqual({
      name: "Bash",
      source: "built-in",
      inclusion: { included: false, reason: "disabled by tool definition" },
    });
  });

  test("do not touch a tool that is called like something every object has", () => {
    expect(toolSet({ known: known("constructor") }).active).toHaveLength(1);
  });
});

describe("what is in and what is out", () => {
  test("every known tool has a status, in the order given", () => {
    const tools = toolSet({
      known: [
        { tool: tool("Rg"), source: "built-in", unavailable: "rg not found" },
        { tool: tool("Read"), source: "built-in" },
        { tool: tool("mcp__git__log"), source: "mcp:git" },
      ],
      layers: [agent({ disabled: ["mcp__*"] })],
    });
    expect(tools.statuses).toEqual([
      { name: "Rg", source: "built-in", inclusion: { included: false, reason: "unavailable: rg not found" } },
      { name: "Read", source: "built-in", inclusion: { included: true } },
      { name: "mcp__git__log", source: "mcp:git", inclusion: { included: false, reason: "disabled by agent:a" } },
    ]);
    expect(tools.active.map(({ name }) => name)).toEqual(["Read"]);
    expect(tools.find("Rg")).toBeUndefined();
  });

  test("the schemas keep the order of the known tools, whatever the lists say", () => {
    const names = (enabled: string[]) =>
      toolSet({ known: known("Read", "Bash", "Ls"), layers: [agent({ enabled })] }).schemas.map(({ name }) => name);
    expect(names(["Ls", "Read"])).toEqual(["Read", "Ls"]);
    expect(names(["Read", "Ls"])).toEqual(["Read", "Ls"]);
    expect(names(["Ls", "Bash", "Read"])).toEqual(["Read", "Bash", "Ls"]);
  });

  test("the schemas of two equal sets are the same text", () => {
    const text = () => JSON.stringify(toolSet({ overrides: { read: { usage: "u" } } }).schemas);
    expect(text()).toBe(text());
  });

  test("names are case-sensitive", () => {
    expect(toolSet({}).find("read")).toBeUndefined();
  });
});

describe("why a call cannot be made", () => {
  test("a name nobody knows: the nearest one, and all there are", () => {
    expect(toolSet({}).explainMissing("read")).toBe(
      'tool not found: "read". Did you mean "Read"? Available: Read, Bash',
    );
  });

  test("a name near to nothing", () => {
    expect(toolSet({}).explainMissing("WebFetch")).toBe('tool not found: "WebFetch". Available: Read, Bash');
  });

  test("a tool that is filtered out: the layer that did it", () => {
    const tools = toolSet({ layers: [agent({ enabled: ["Read"] })] });
    expect(tools.explainMissing("Bash")).toBe('tool "Bash" is not available: not in agent:a enabled list');
  });

  test("an excluded tool is never the suggestion", () => {
    const tools = toolSet({ known: known("Read", "Reads"), layers: [agent({ disabled: ["Read"] })] });
    expect(tools.explainMissing("Rea")).toBe('tool not found: "Rea". Available: Reads');
  });

  test("with no tools at all it says so", () => {
    expect(toolSet({ known: [] }).explainMissing("Read")).toBe('tool not found: "Read". No tools are enabled');
  });
});
