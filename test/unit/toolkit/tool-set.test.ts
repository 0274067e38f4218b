import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KnownTool } from "../../../src/toolkit/known-tool.ts";
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
const written = (list: readonly string[] = []) => list.map((value) => ({ value }));
const agent = (lists: { enabled?: string[]; disabled?: string[] }) => ({
  stage: "agent" as const,
  name: "agent:a",
  enabled: written(lists.enabled),
  disabled: written(lists.disabled),
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
    const tools = toolSet({ overrides: { bash: { disabled: { value: true, file: "/t.yaml", line: 2 } } } });
    expect(tools.active.map(({ name }) => name)).toEqual(["Read"]);
    expect(tools.statuses[1]).toEqual({
      name: "Bash",
      source: "built-in",
      inclusion: { included: false, reason: "disabled by tool definition" },
      visibility: "excluded",
      decisions: [
        { stage: "definition", outcome: "excluded", words: "disabled by tool definition", file: "/t.yaml", line: 2 },
      ],
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
        { tool: tool("Rg"), source: "built-in", unavailable: { value: "rg not found" } },
        { tool: tool("Read"), source: "built-in" },
        { tool: tool("mcp__git__log"), source: "mcp:git" },
      ],
      layers: [agent({ disabled: ["mcp__*"] })],
    });
    expect(tools.statuses.map(({ decisions: _, ...rest }) => rest)).toEqual([
      {
        name: "Rg",
        source: "built-in",
        inclusion: { included: false, reason: "unavailable: rg not found" },
        visibility: "excluded",
      },
      { name: "Read", source: "built-in", inclusion: { included: true }, visibility: "eager" },
      {
        name: "mcp__git__log",
        source: "mcp:git",
        inclusion: { included: false, reason: "disabled by agent:a" },
        visibility: "excluded",
      },
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

describe("what is not simply there", () => {
  const NAMES = ["Read", "mcp__git__log", "mcp__git__push", "mcp__db__query"];
  const sources = (more: Partial<KnownTool> = {}): KnownTool[] => [
    ...known("Read"),
    { tool: tool("mcp__git__log"), source: "mcp:git", server: "git", ...more },
    { tool: tool("mcp__git__push"), source: "mcp:git", server: "git", ...more },
    { tool: tool("mcp__db__query"), source: "mcp:db", server: "db" },
    { tool: tool("LoadTools"), source: "meta", reaches: "deferred" },
    { tool: tool("mcp__proxy__call_tool"), source: "mcp:proxy", server: "proxy", reaches: "proxied" },
  ];
  const deferredBy = { kind: "deferred", because: { value: "its server says so", file: "/m.yaml", line: 7 } } as const;
  const proxiedBy = { kind: "proxied", because: { value: "its server says so", file: "/m.yaml", line: 8 } } as const;
  const names = (list: readonly { readonly tool: Tool }[]) => list.map((one) => one.tool.name);
  const states = (tools: ReturnType<typeof createToolSet>) =>
    Object.fromEntries(tools.statuses.map(({ name, visibility }) => [name, visibility]));

  test("without any of it every tool is eager, and there is no way to others", () => {
    const tools = toolSet({ known: sources() });
    expect(tools.active.map(({ name }) => name)).toEqual(NAMES);
    expect([tools.deferred, tools.index, tools.proxied]).toEqual([[], [], []]);
    expect(tools.explainMissing("LoadTools")).toBe('tool "LoadTools" is not available: nothing is deferred');
    expect(tools.explainMissing("mcp__proxy__call_tool")).toBe(
      'tool "mcp__proxy__call_tool" is not available: nothing is proxied',
    );
  });

  test("a server's word and a pattern defer, each with its place", () => {
    const tools = toolSet({
      known: sources({ visibility: deferredBy }),
      deferred: [{ value: "db__*", file: "/f.yaml", line: 2 }],
    });
    expect(states(tools)).toEqual({
      Read: "eager",
      mcp__git__log: "deferred",
      mcp__git__push: "deferred",
      mcp__db__query: "deferred",
      LoadTools: "eager",
      mcp__proxy__call_tool: "excluded",
    });
    expect(tools.statuses.map(({ decisions }) => decisions.at(-1)).slice(1, 4)).toEqual([
      { stage: "visibility", outcome: "passed", words: "deferred (its server says so)", file: "/m.yaml", line: 7 },
      { stage: "visibility", outcome: "passed", words: "deferred (its server says so)", file: "/m.yaml", line: 7 },
      {
        stage: "visibility",
        outcome: "passed",
        words: "deferred by features",
        entry: "db__*",
        file: "/f.yaml",
        line: 2,
      },
    ]);
    expect(names(tools.deferred)).toEqual(["mcp__git__log", "mcp__git__push", "mcp__db__query"]);
    expect(tools.index.map(({ server }) => server)).toEqual(["git", "git", "db"]);
    expect(tools.schemas.map(({ name }) => name)).toEqual(["Read", "LoadTools"]);
    expect([tools.find("mcp__git__log"), tools.reach("mcp__git__log")?.name]).toEqual([undefined, "mcp__git__log"]);
  });

  test("what is loaded stands last, in the order it was loaded, and stays in the index", () => {
    const tools = toolSet({
      known: sources({ visibility: deferredBy }),
      loaded: ["mcp__git__push", "gone", "mcp__git__log"],
    });
    expect(tools.schemas.map(({ name }) => name)).toEqual([
      "Read",
      "mcp__db__query",
      "LoadTools",
      "mcp__git__push",
      "mcp__git__log",
    ]);
    expect([names(tools.deferred), names(tools.index)]).toEqual([[], ["mcp__git__log", "mcp__git__push"]]);
    expect(tools.find("mcp__git__push")?.name).toBe("mcp__git__push");
  });

  test("proxied wins over deferred, and loading does not change it", () => {
    const tools = toolSet({
      known: sources({ visibility: proxiedBy }),
      deferred: [{ value: "*" }],
      loaded: ["mcp__git__log"],
    });
    expect(names(tools.proxied)).toEqual(["mcp__git__log", "mcp__git__push"]);
    expect(names(tools.deferred)).toEqual(["Read", "mcp__db__query"]);
    expect(tools.active.map(({ name }) => name)).toEqual(["LoadTools", "mcp__proxy__call_tool"]);
    expect(tools.explainMissing("mcp__git__log")).toContain("mcp__proxy__call_tool");
  });

  test("what a filter keeps out is in none of the lists", () => {
    const tools = toolSet({
      known: sources({ visibility: deferredBy }),
      layers: [agent({ enabled: ["git__*"], disabled: ["mcp__git__push"] })],
    });
    expect([names(tools.deferred), names(tools.index), tools.reach("mcp__git__push")]).toEqual([
      ["mcp__git__log"],
      ["mcp__git__log"],
      undefined,
    ]);
    // The list lets a deferred tool through: so the way to it is there.
    expect(tools.active.map(({ name }) => name)).toEqual(["LoadTools"]);
  });

  test("without LoadTools the prompt does not advertise what cannot be loaded", () => {
    const tools = toolSet({
      known: sources({ visibility: deferredBy }),
      layers: [agent({ disabled: ["LoadTools"] })],
    });
    expect([names(tools.index), names(tools.deferred)]).toEqual([[], ["mcp__git__log", "mcp__git__push"]]);
  });

  test("an opt-in tool that nobody named cannot be loaded either", () => {
    const tools = toolSet({ known: sources({ visibility: deferredBy, optIn: true }), loaded: ["mcp__git__log"] });
    expect([tools.deferred, tools.index, tools.find("mcp__git__log")]).toEqual([[], [], undefined]);
  });
});

describe("the order of what is offered", () => {
  const order = (input: Partial<ToolSetInput>) => toolSet(input).schemas.map(({ name }) => name);
  const late = known("Ls", "Read", "Bash", "Glob");

  test("keeps what was offered in its place and puts what is new behind it", () => {
    expect(order({ known: late })).toEqual(["Ls", "Read", "Bash", "Glob"]);
    expect(order({ known: late, order: ["Read", "Bash"] })).toEqual(["Read", "Bash", "Ls", "Glob"]);
  });

  test("gives a tool that was away its place back", () => {
    expect(order({ known: late, order: ["Read", "Gone", "Glob", "Bash"] })).toEqual(["Read", "Glob", "Bash", "Ls"]);
  });

  test("puts what is loaded behind what is new", () => {
    expect(order({ known: late, order: ["Bash"], deferred: [{ value: "Ls" }], loaded: ["Ls"] })).toEqual([
      "Bash",
      "Read",
      "Glob",
      "Ls",
    ]);
  });
});

describe("several tools of one name", () => {
  const both = [...known(tool("Read", { description: "ours" })), { tool: tool("Read"), source: "plugin:x" }];

  test("the first one known is meant", () => {
    const tools = toolSet({ known: both });
    expect(tools.find("Read")?.description).toBe("ours");
    expect(tools.statuses.map(({ source, visibility }) => [source, visibility])).toEqual([
      ["built-in", "eager"],
      ["plugin:x", "excluded"],
    ]);
    expect(tools.statuses[1]?.inclusion).toEqual({
      included: false,
      reason: "built-in has a tool of this name, which stands before it",
    });
  });

  test("unless its definition lets the other replace it", () => {
    const tools = toolSet({ known: both, overrides: { read: { override: true } } });
    expect(tools.find("Read")?.description).toBe("Read does it.");
    expect(tools.statuses.map(({ visibility }) => visibility)).toEqual(["excluded", "eager"]);
  });
});

describe("conditions", () => {
  const auto = { value: "auto", file: "/t.yaml", line: 1 };
  test("of a definition stand before those of the source", () => {
    const tools = toolSet({
      known: [{ ...known("Read")[0]!, condition: { value: "todo_done" } }],
      overrides: { read: { condition: auto } },
      conditionState: ({ value }) => (value === "auto" ? "holds" : "fails"),
    });
    expect(tools.find("Read")?.name).toBe("Read");
    expect(tools.conditions).toEqual([auto]);
  });

  test("that decide nothing are not asked", () => {
    const asked = (input: Partial<ToolSetInput>) =>
      toolSet({ overrides: { bash: { condition: auto } }, ...input }).conditions;
    expect(asked({})).toEqual([auto]);
    expect(asked({ conditionState: () => "fails" })).toEqual([auto]);
    expect(asked({ layers: [agent({ disabled: ["Bash"] })] })).toEqual([]);
    expect(asked({ layers: [agent({ enabled: ["Bash"] })] })).toEqual([]);
    // An opt-in comes after the condition.
    expect(asked({ optIn: [{ value: "Bash" }] })).toEqual([auto]);
  });

  test("nobody can decide leave the tool in", () => {
    const tools = toolSet({ overrides: { bash: { condition: auto } } });
    expect(tools.find("Bash")?.name).toBe("Bash");
    expect(tools.statuses[1]?.decisions[0]).toEqual({
      stage: "condition",
      outcome: "undecided",
      words: "condition, decided in a conversation: auto",
      file: "/t.yaml",
      line: 1,
    });
  });
});

test("a server of which nothing is known has a line of its own, and a call of its tools is told why", () => {
  const tools = toolSet({ absent: [{ server: "db", because: { value: "failed: no such program", file: "/m.yaml" } }] });
  const words = 'unavailable: server "db" failed: no such program';
  expect(tools.statuses.at(-1)).toEqual({
    name: "mcp__db__*",
    source: "mcp:db",
    server: "db",
    inclusion: { included: false, reason: words },
    visibility: "excluded",
    decisions: [{ stage: "available", outcome: "excluded", words, file: "/m.yaml" }],
  });
  expect(tools.explainMissing("mcp__db__query")).toBe(
    'tool "mcp__db__query" is not available: server "db" failed: no such program',
  );
  expect(tools.explainMissing("mcp__dbx__query")).toContain("tool not found");
});

test("what was too long for a model shows its own name and is called by the short one", () => {
  const long = "mcp__server__a_very_long_name";
  const tools = toolSet({ known: [{ tool: tool("mcp__server__a_ve_1a2b"), source: "mcp:server", aliases: [long] }] });
  expect(tools.statuses[0]?.aliases).toEqual([long]);
  expect(tools.explainMissing(long)).toBe(
    `tool not found: "${long}". Did you mean "mcp__server__a_ve_1a2b"? Available: mcp__server__a_ve_1a2b`,
  );
});

test("whatever order the sources come in, the same tools are in", () => {
  const name = fc.constantFrom("Read", "Bash", "Ls", "mcp__a__x", "mcp__b__y", "Mkdir");
  const lists = fc.array(fc.constantFrom("*", "Read", "mcp__*", "*s", "a__x", "coding__bash"), { maxLength: 2 });
  fc.assert(
    fc.property(fc.uniqueArray(name), lists, lists, lists, (tools, enabled, disabled, deferred) => {
      const set = (list: readonly string[]) =>
        toolSet({
          known: known(...list),
          layers: [agent({ enabled, disabled })],
          optIn: [{ value: "Mkdir" }],
          deferred: deferred.map((value) => ({ value })),
        })
          .statuses.map((status) => JSON.stringify(status))
          .sort();
      expect(set(tools.toReversed())).toEqual(set(tools));
    }),
  );
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

  test("several near names, the nearest first, and not more than forty of all", () => {
    const many = Array.from({ length: 50 }, (_, at) => `Tool${at}`);
    const text = toolSet({ known: known("Reads", "Read", "Reap", "Real", ...many) }).explainMissing("Rea");
    expect(text).toContain('Did you mean "Read" or "Reap" or "Real"? Available: Reads, Read');
    expect(text).toMatch(/Tool35 and 14 more$/);
  });

  test("with no tools at all it says so", () => {
    expect(toolSet({ known: [] }).explainMissing("Read")).toBe('tool not found: "Read". No tools are enabled');
  });
});
