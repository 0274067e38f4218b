import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isOutdated, type LoadOptions, loadConfig } from "../../../../src/config/load.ts";
import { readAetherSettings } from "../../../../src/config/servers/aether-settings.ts";
import { scratch, settle } from "../homes-fixture.ts";

async function read(settings: unknown, global?: unknown) {
  const file = (value: unknown, scope: "global" | "project") => ({
    path: `/${scope}/settings.json`,
    text: typeof value === "string" ? value : JSON.stringify(value, null, 1),
    base: `/${scope}`,
    scope,
  });
  const { agents, problems, warnings } = await readAetherSettings([
    ...(global === undefined ? [] : [file(global, "global")]),
    file(settings, "project"),
  ]);
  return { agents, problems: problems.map(({ line, message }) => `${line}: ${message}`), warnings };
}

// As printed on the page about sub-agents.
const PAGE = {
  agents: [
    {
      name: "Coder",
      description: "General coding agent",
      model: "anthropic:claude-sonnet-4-5-20250929",
      userInvocable: true,
      agentInvocable: true,
      prompts: [".aether/CODER.md"],
      mcps: [".aether/mcp.json"],
    },
    {
      name: "Explorer",
      description: "Read-only codebase exploration agent",
      model: "deepseek:deepseek-chat",
      agentInvocable: true,
      prompts: [".aether/agents/explorer/EXPLORER.md"],
      mcps: [".aether/agents/explorer/mcp.json"],
      tools: { allow: ["coding__read_file", "coding__find", "coding__grep", "coding__lsp_*"] },
    },
  ],
};

describe("Aether's agents", () => {
  test("of its page read as ours", async () => {
    const { agents, problems } = await read(PAGE);
    expect(problems).toEqual([]);
    expect(agents.map(({ value }) => value)).toEqual([
      {
        name: "Coder",
        description: "General coding agent",
        model: { provider: "anthropic", name: "claude-sonnet-4-5-20250929" },
        tools: { enabled: ["mcp__*"], disabled: [] },
        hide: false,
        subagent: true,
        files: ["/project/.aether/CODER.md"],
        mcps: ["/project/.aether/mcp.json"],
      },
      {
        name: "Explorer",
        description: "Read-only codebase exploration agent",
        model: { provider: "deepseek", name: "deepseek-chat" },
        tools: { enabled: ["coding__read_file", "coding__find", "coding__grep", "coding__lsp_*"], disabled: [] },
        hide: true,
        subagent: true,
        files: ["/project/.aether/agents/explorer/EXPLORER.md"],
        mcps: ["/project/.aether/agents/explorer/mcp.json"],
      },
    ]);
  });

  test.each([
    [
      { allow: ["coding__read_file", "coding__web_*"] },
      { enabled: ["coding__read_file", "coding__web_*"], disabled: [] },
    ],
    [
      { allow: ["coding__*"], deny: ["coding__bash", "coding__read_background_bash"] },
      { enabled: ["coding__*"], disabled: ["coding__bash", "coding__read_background_bash"] },
    ],
    [{ deny: ["*__bash"] }, { enabled: ["mcp__*"], disabled: ["*__bash"] }],
    [
      { enabled: ["a__b"], disabled: [] },
      { enabled: ["a__b"], disabled: [] },
    ],
    [
      { allow: [], deny: [] },
      { enabled: ["mcp__*"], disabled: [] },
    ],
    [undefined, { enabled: ["mcp__*"], disabled: [] }],
  ])("with tools %j", async (tools, expected) => {
    const { agents } = await read({
      agents: [{ name: "a", userInvocable: true, prompts: ["p"], ...(tools && { tools }) }],
    });
    expect(agents[0]!.value.tools).toEqual(expected);
  });

  test("of the project replace the person's of the same name, and so do lists", async () => {
    const { agents } = await read(
      { mcps: ["p.json"], agents: [{ name: " a ", userInvocable: true, model: "x:y", reasoningEffort: "high" }] },
      {
        mcpServers: ["g.json"],
        prompts: ["g.md"],
        agents: [
          { name: "a", agentInvocable: true },
          {
            name: "b",
            agentInvocable: true,
            contextWindow: 9000,
            prompts: ["b.md"],
            mcps: [{ type: "file", path: "b.json", proxy: true }],
          },
        ],
      },
    );
    expect(agents.map(({ value: { name, files, mcps, model, hide } }) => ({ name, files, mcps, model, hide }))).toEqual(
      [
        {
          name: "a",
          files: ["/global/g.md"],
          mcps: ["/project/p.json"],
          model: { provider: "x", name: "y", think: "high" },
          hide: false,
        },
        {
          name: "b",
          files: ["/global/b.md"],
          mcps: [{ type: "file", path: "/global/b.json", proxy: true }],
          model: { context: 9000 },
          hide: true,
        },
      ],
    );
  });

  const agent = { name: "a", userInvocable: true, prompts: ["p"] };
  test.each([
    ["{,", "1: not valid JSON: value expected"],
    [{ promptz: [] }, '2: unknown key "promptz" (did you mean "prompts"?)'],
    [{ agents: [{ ...agent, modle: "x" }] }, '9: agent a: unknown key "modle" (did you mean "model"?)'],
    [{ agents: [{ ...agent, name: "__default__" }] }, "3: agent __default__: this name is reserved"],
    [{ agents: [{ name: "a", prompts: ["p"] }] }, "3: agent a: nobody can use it: set userInvocable or agentInvocable"],
    [{ agents: [{ prompts: ["p"] }] }, '3: agent 1: "name" is missing'],
    [{ agent: "a", agents: [{ name: "a", agentInvocable: true }] }, '2: agent: the default "a" is not userInvocable'],
    [{ agent: "b", agents: [agent] }, '2: agent: the default "b" is no agent of it'],
    [{ mcps: ["a"], mcpServers: ["b"] }, "5: mcpServers and mcps mean the same: keep one"],
    [
      { agents: [{ ...agent, mcps: ["a"], mcpServers: ["b"] }] },
      "12: agent a: mcpServers and mcps mean the same: keep one",
    ],
    [
      { agents: [{ ...agent, tools: { allow: ["a"], enabled: ["b"] } }] },
      "13: agent a: tools.allow and tools.enabled mean the same: keep one",
    ],
    [
      { agents: [{ ...agent, tools: { deny: [], disabled: [] } }] },
      "11: agent a: tools.deny and tools.disabled mean the same: keep one",
    ],
  ])("%j is refused as a whole", async (settings, problem) => {
    const { agents, problems } = await read(settings);
    expect({ agents, problems }).toEqual({ agents: [], problems: [problem] });
  });

  test("without a prompt are read with a warning", async () => {
    const { agents, warnings } = await read({ agents: [{ name: "a", userInvocable: true }] });
    expect(agents).toHaveLength(1);
    expect(warnings.map(({ message }) => message)).toEqual(["agent a: has no prompt; Aether itself refuses that"]);
  });
});

describe("read in place", () => {
  async function project(files: Readonly<Record<string, string>>): Promise<LoadOptions> {
    const root = await scratch(files);
    mkdirSync(join(root, "empty"), { recursive: true });
    return {
      home: "",
      userHome: root,
      cwd: root,
      aether: { global: join(root, "empty/settings.json"), project: join(root, ".aether/settings.json") },
    };
  }

  test("they can be chosen by name, and nobody else is", async () => {
    const config = await loadConfig(await project({ ".aether/settings.json": JSON.stringify(PAGE) }));
    expect(config.problems).toEqual([]);
    expect([...config.agents.keys()]).toEqual(["aura", "coder", "explorer"]);
    expect(settle(config).agent.name).toBe("aura");
    const coder = settle(config, { agent: "coder" });
    expect(coder.agent).toMatchObject({ name: "Coder", subagent: true });
    expect(coder.tools.layers).toContainEqual({
      layer: "agent",
      name: "Coder",
      enabled: [{ value: "mcp__*" }],
      disabled: [],
    });
  });

  test("an own agent without a default mark is chosen before them, and keeps its name", async () => {
    const config = await loadConfig(
      await project({
        ".aether/settings.json": JSON.stringify(PAGE),
        ".aura/config/agents/z.md": "---\nname: zed\n---\nZ.\n",
        ".aura/config/agents/e.md": "---\nname: explorer\nhide: true\n---\nMine.\n",
      }),
    );
    expect(settle(config).agent.name).toBe("zed");
    expect(config.agents.get("explorer")!.body).toBe("Mine.");
    expect(config.notices).toEqual([expect.stringContaining('its agent "Explorer" is not used')]);
  });

  test("a mistake in them is told and does not keep Aura from starting", async () => {
    const config = await loadConfig(await project({ ".aether/settings.json": '{"agentz": []}' }));
    expect(config.problems).toEqual([]);
    expect([...config.agents.keys()]).toEqual(["aura"]);
    expect(config.notices).toEqual([expect.stringMatching(/settings\.json:1: unknown key "agentz".*left out$/)]);
  });

  test("a change of them is noticed", async () => {
    const options = await project({ ".aether/settings.json": JSON.stringify(PAGE) });
    const config = await loadConfig(options);
    expect(await isOutdated(config, options)).toBe(false);
    expect(await isOutdated(config, { ...options, aether: undefined })).toBe(true);
  });
});

describe("an agent of ours", () => {
  const file = (tools: string) => ({ ".aura/config/agents/a.md": `---\nname: A\ntools: ${tools}\n---\nA.\n` });
  const loadOne = async (tools: string) => {
    const root = await scratch(file(tools));
    return loadConfig({ home: "", userHome: root, cwd: root });
  };

  test("may say allow and deny, and its places are known", async () => {
    const config = await loadOne("{ allow: [Read], deny: [Bash] }");
    const layer = settle(config).tools.layers.find((one) => one.layer === "agent");
    expect(layer).toMatchObject({ enabled: [{ value: "Read", line: 3 }], disabled: [{ value: "Bash", line: 3 }] });
  });

  test("may not say both", async () => {
    const config = await loadOne("{ allow: [Read], enabled: [Ls] }");
    expect(config.problems.map(({ line, message }) => ({ line, message }))).toEqual([
      { line: 3, message: "tools.allow and tools.enabled mean the same: keep one" },
    ]);
  });
});
