import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../../src/config/load.ts";
import { neutralForm } from "../../../../src/config/servers/neutral-form.ts";
import { serversOf } from "../../../../src/config/servers/servers-of.ts";
import { scratch } from "../homes-fixture.ts";

const fileOf = (map: object) => JSON.stringify({ servers: map });
const stdio = (command: string) => ({ type: "stdio", command });

/** What an agent's servers are in a project of these files; `home/` is the global home, `p/` the project. */
async function found(files: Readonly<Record<string, string>>, agent?: string) {
  const root = await scratch(files);
  const cwd = join(root, "p");
  const config = await loadConfig({
    home: join(root, "home"),
    projects: [join(cwd, ".aura")],
    userHome: root,
    cwd,
    aether: { global: join(root, "aether", "settings.json"), project: join(cwd, ".aether", "settings.json") },
  });
  const { servers, errors, warnings } = await serversOf(config, { cwd, agent });
  return {
    config,
    servers: Object.fromEntries(servers.map((server) => [server.name, neutralForm(server)])),
    files: Object.fromEntries(servers.map(({ name, file, line }) => [name, `${file?.slice(root.length + 1)}:${line}`])),
    errors: errors.map(({ message, ...rest }) => ({ ...rest, message: message.replaceAll(`${root}/`, "") })),
    warnings,
  };
}
const commands = (map: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, (value as { command?: string }).command]));

describe("where servers come from", () => {
  test("the project's definitions replace the person's as wholes", async () => {
    const { servers, files } = await found({
      "home/config/mcp/a.yaml": "a: { command: home, env: { X: y } }\nb: { command: home }\n",
      "p/.aura/config/mcp/a.yaml": "A: { command: project }\n",
    });
    expect(servers).toEqual({
      a: { transport: "stdio", command: "project", scope: "project" },
      b: { transport: "stdio", command: "home", scope: "project" },
    });
    expect(files).toEqual({ a: "p/.aura/config/mcp/a.yaml:1", b: "home/config/mcp/a.yaml:2" });
  });

  test("mcp.json of the working directory counts while the agent lists nothing", async () => {
    const files = {
      "p/.aura/config/mcp/a.yaml": "a: { command: ours }\nb: { command: ours }\n",
      "p/mcp.json": fileOf({ b: stdio("json"), c: stdio("json") }),
      "p/other.json": fileOf({ d: stdio("other") }),
      "p/.aura/config/agents/x.md": "---\nname: X\nmcps: [other.json]\n---\nX.\n",
      "p/.aura/config/agents/y.md": "---\nname: Y\nmcps: []\n---\nY.\n",
    };
    expect(commands((await found(files)).servers)).toEqual({ a: "ours", b: "json", c: "json" });
    expect(commands((await found(files, "y")).servers)).toEqual({ a: "ours", b: "json", c: "json" });
    expect(commands((await found(files, "x")).servers)).toEqual({ a: "ours", b: "ours", d: "other" });
  });

  test("the last file of a list wins a whole entry, with its proxy flag", async () => {
    const { servers } = await found(
      {
        "p/base.json": JSON.stringify({
          mcpServers: { a: { ...stdio("base"), env: { K: "v" }, proxy: true }, b: stdio("base") },
        }),
        "p/over.json": fileOf({ a: stdio("over") }),
        "p/.aura/config/agents/x.md":
          "---\nname: X\nmcpServers:\n  - base.json\n  - over.json\n  - { type: file, path: over.json, proxy: true }\n  - { type: inline, servers: { c: { command: inline } } }\n---\nX.\n",
      },
      "X",
    );
    expect(servers).toEqual({
      a: { transport: "stdio", command: "over", proxy: true, scope: "project" },
      b: { transport: "stdio", command: "base", scope: "project" },
      c: { transport: "stdio", command: "inline", scope: "project" },
    });
  });

  test("the nested form of the proxy reads as its servers", async () => {
    const { servers, errors } = await found({
      "p/mcp.json": NESTED_PROXY,
    });
    expect(errors).toEqual([]);
    expect(servers).toEqual({
      "chrome-devtools": {
        transport: "stdio",
        command: "npx",
        args: ["-y", "chrome-devtools-mcp@latest"],
        proxy: true,
        scope: "project",
      },
      linear: { transport: "http", url: "https://mcp.linear.app/mcp", proxy: true, scope: "project" },
    });
  });

  test.each([
    [
      { "p/mcp.json": "{\n  // no\n}" },
      [{ code: "parse-error", message: "p/mcp.json:2: not valid JSON: invalid comment token" }],
    ],
    [
      { "p/mcp.json": '{"servers": {},\n "server": {}}' },
      [{ code: "unknown-field", message: 'p/mcp.json:2: unknown key "server" (known: servers, mcpServers)' }],
    ],
    [
      { "p/mcp.json": '{"servers": {}, "mcpServers": {}}' },
      [{ code: "parse-error", message: "p/mcp.json:1: servers and mcpServers are both there; keep one" }],
    ],
    [
      { "p/mcp.json": '{"servers": {"a": {\n"comand": "x"}}}' },
      [
        {
          code: "unknown-field",
          server: "a",
          message: 'p/mcp.json:2: a: unknown key "comand" (did you mean "command"?)',
        },
      ],
    ],
    [
      { "p/mcp.json": '{"servers": {"a": {"type": "ws", "url": "x"}}}' },
      [{ code: "unknown-transport", server: "a", message: expect.stringContaining('type: "ws" is none of') }],
    ],
    [
      { "p/mcp.json": '{"servers": {"proxy": {"type": "stdio", "command": "x"}}}' },
      [{ code: "reserved-name", server: "proxy", message: expect.any(String) }],
    ],
    [
      { "p/.aura/config/agents/x.md": "---\nname: X\ndefault: true\nmcps: [gone.json]\n---\nX.\n" },
      [{ code: "parse-error", message: "p/gone.json: cannot be read: there is no such file" }],
    ],
  ] as const)("%j is an error, and other servers stay", async (files, expected) => {
    const { servers, errors } = await found({ ...files, "p/.aura/config/mcp/a.yaml": "fine: { command: x }\n" }, "x");
    expect(errors).toEqual(expected);
    expect(Object.keys(servers)).toEqual(["fine"]);
  });
});

const NESTED_PROXY = fileOf({
  proxy: {
    type: "in-memory",
    input: {
      servers: {
        "chrome-devtools": { type: "stdio", command: "npx", args: ["-y", "chrome-devtools-mcp@latest"] },
        linear: { type: "http", url: "https://mcp.linear.app/mcp" },
      },
    },
  },
});

describe("the blocks of Aether's pages", () => {
  test("every in-memory server of the tools page is read", async () => {
    const { servers: read, errors } = await found({
      "p/mcp.json": fileOf({
        coding: { type: "in-memory", args: ["--rules-dir", ".aether/skills"] },
        lsp: { type: "in-memory" },
        skills: { type: "in-memory", args: ["--dir", ".aether/skills", "--notes-dir", ".aether/notes"] },
        tasks: { type: "in-memory" },
        subagents: { type: "in-memory", args: ["--project-root", "."] },
        survey: { type: "in-memory" },
        plan: { type: "in-memory", args: ["--prompt-file", ".aether/prompts/plan-mode.md"] },
      }),
    });
    expect(errors).toEqual([]);
    expect(read["skills"]).toEqual({
      transport: "in-memory",
      args: ["--dir", ".aether/skills", "--notes-dir", ".aether/notes"],
      scope: "project",
    });
    expect(Object.keys(read)).toEqual(["coding", "lsp", "plan", "skills", "subagents", "survey", "tasks"]);
  });

  test("variables stay as written until a server starts", async () => {
    const { servers: read } = await found({
      "p/mcp.json": fileOf({
        "my-server": { type: "stdio", command: "$HOME/.local/bin/my-mcp-server", env: { API_KEY: "$MY_API_KEY" } },
      }),
    });
    expect(read["my-server"]).toMatchObject({
      command: "$HOME/.local/bin/my-mcp-server",
      env: { API_KEY: "$MY_API_KEY" },
    });
  });

  const layers = {
    "p/.aether/mcp/base.json": fileOf({ a: stdio("base"), b: stdio("base") }),
    "p/.aether/mcp/overrides.json": fileOf({ a: stdio("overrides") }),
    "p/.aether/mcp/researcher.json": fileOf({ b: stdio("researcher") }),
    "p/mcp.json": fileOf({ never: stdio("never") }),
  };
  const block = (key: string) =>
    JSON.stringify({
      [key]: [".aether/mcp/base.json", ".aether/mcp/overrides.json"],
      agents: [
        {
          name: "researcher",
          description: "Research agent",
          model: "anthropic:claude-sonnet-4-5",
          userInvocable: true,
          [key]: [".aether/mcp/base.json", ".aether/mcp/researcher.json"],
        },
        { name: "other", model: "anthropic:x", userInvocable: true },
      ],
    });

  test.each(["mcps", "mcpServers"])("an agent's %s replace the inherited ones", async (key) => {
    const files = { ...layers, "p/.aether/settings.json": block(key) };
    expect(commands((await found(files, "researcher")).servers)).toEqual({ a: "base", b: "researcher" });
    expect(commands((await found(files, "other")).servers)).toEqual({ a: "overrides", b: "base" });
  });
});
