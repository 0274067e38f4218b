// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what this is about
import { describe, expect, test } from "vitest";
import { neutralForm } from "../../../../src/config/servers/neutral-form.ts";
import { planExport } from "../../../../src/config/servers/plan-export.ts";
import { readEntry, serverDef } from "../../../../src/config/servers/read-entry.ts";
import { readData, readTarget } from "../../../../src/config/servers/read-target.ts";
import { findTarget, TARGETS } from "../../../../src/config/servers/targets/index.ts";
import { mapOf } from "../../../../src/config/servers/targets/shapes.ts";
import type { Tree } from "../../../../src/config/traced.ts";

async function write(name: string, definition: Tree) {
  const target = findTarget(name)!;
  const { entry, issues } = readEntry(definition);
  expect(issues).toEqual([]);
  const plan = await planExport({
    target,
    servers: [serverDef("s", entry)],
    file: "f",
    text: "",
    known: {},
    force: false,
  });
  expect(plan.errors).toEqual([]);
  const { data } = await readData(target, plan.content);
  return {
    entry: plan.content === "" ? undefined : JSON.parse(JSON.stringify(mapOf(data, target.mapPath(data))["s"])),
    codes: plan.warnings.map(({ code }) => code),
  };
}

async function read(name: string, text: string) {
  const { servers, errors, warnings } = await readTarget(findTarget(name)!, text, "f", "project");
  return {
    servers: Object.fromEntries(
      servers.map((server) => {
        const { scope: _, ...form } = neutralForm(server);
        return [server.name, form];
      }),
    ),
    errors: errors.map(({ code }) => code),
    warnings: warnings.map(({ code }) => code),
  };
}

const STDIO = { command: "npx", args: ["-y", "x"], env: { TOKEN: "${TOKEN}" } };
const HTTP = { transport: "http", url: "https://x/mcp", headers: { Authorization: "Bearer ${T}" } };
const SSE = { transport: "sse", url: "https://x/sse" };

describe("an export", () => {
  test.each<[target: string, definition: Tree, entry: unknown, codes: readonly string[]]>([
    ["claude", STDIO, STDIO, []],
    [
      "claude",
      { command: "$HOME/x", env: { A: "$B", C: "${D:-e}", E: "$$5" } },
      { command: "${HOME}/x", env: { A: "${B}", C: "${D:-e}", E: "$5" } },
      [],
    ],
    ["claude", { command: "x", args: ["$${A}"] }, { command: "x", args: ["${A}"] }, ["env-not-portable"]],
    ["claude", HTTP, { type: "http", url: HTTP.url, headers: HTTP.headers }, []],
    ["claude", SSE, { type: "sse", url: SSE.url }, ["sse-deprecated"]],
    ["claude", { command: "x", enabledTools: ["a"] }, { command: "x", enabledTools: ["a"] }, ["filter-unenforced"]],
    ["claude", { command: "x", enabledTools: [] }, { command: "x", enabledTools: [] }, ["filter-unenforced"]],
    ["claude", { command: "x", disabled: true }, undefined, ["disabled-omitted"]],
    ["claude", { command: "x", cwd: "/w" }, { command: "x" }, ["field-dropped"]],
    ["claude", { command: "x", deferred: true, timeout: "30s" }, { command: "x" }, ["field-dropped", "field-dropped"]],
    ["claude", { ...HTTP, command: "x" }, { type: "http", url: HTTP.url, headers: HTTP.headers }, ["command-ignored"]],
    [
      "claude",
      { transport: "in-memory", args: ["--root-dir", "."] },
      { command: "aura", args: ["mcp", "serve", "s", "--root-dir", "."] },
      ["in-memory-as-stdio"],
    ],
    [
      "claude",
      { command: "x", env: { API_KEY: "0123456789abcdef" } },
      { command: "x", env: { API_KEY: "0123456789abcdef" } },
      ["literal-secret"],
    ],
    ["cursor", STDIO, { ...STDIO, env: { TOKEN: "${env:TOKEN}" } }, []],
    ["cursor", { command: "${A:-b}" }, { command: "${env:A}" }, ["env-default-lost"]],
    ["cursor", HTTP, { url: HTTP.url, headers: { Authorization: "Bearer ${env:T}" } }, []],
    ["cursor", SSE, { type: "sse", url: SSE.url }, []],
    ["cursor", { command: "x", disabledTools: ["a"] }, { command: "x", disabledTools: ["a"] }, ["filter-unenforced"]],
    ["cursor", { command: "x", disabled: true }, undefined, ["disabled-omitted"]],
    ["codex", STDIO, { command: "npx", args: ["-y", "x"], env_vars: ["TOKEN"] }, []],
    [
      "codex",
      { command: "x", env: { A: "a", B: "${C}", D: "${D:-e}", E: "x${E}" } },
      { command: "x", env: { A: "a" }, env_vars: ["D"] },
      ["env-not-portable", "env-default-lost", "env-not-portable"],
    ],
    [
      "codex",
      { command: "x", args: ["--t=$T"], cwd: "/w" },
      { command: "x", args: ["--t=${T}"], cwd: "/w" },
      ["env-not-portable"],
    ],
    ["codex", HTTP, { url: HTTP.url, bearer_token_env_var: "T" }, []],
    [
      "codex",
      { ...HTTP, headers: { "X-Key": "$K", Accept: "json", Y: "a$K" } },
      { url: HTTP.url, env_http_headers: { "X-Key": "K" }, http_headers: { Accept: "json" } },
      ["env-not-portable"],
    ],
    ["codex", SSE, { url: SSE.url }, ["sse-as-http"]],
    ["codex", { command: "x", enabledTools: ["a"] }, { command: "x", enabled_tools: ["a"] }, []],
    [
      "codex",
      { command: "x", disabledTools: ["a_*"] },
      { command: "x", disabled_tools: ["a_*"] },
      ["filter-unenforced"],
    ],
    [
      "codex",
      { command: "x", disabled: true, timeout: "2500ms", callTimeout: "1m" },
      { command: "x", enabled: false, startup_timeout_sec: 2.5, tool_timeout_sec: 60 },
      [],
    ],
    ["opencode", STDIO, { type: "local", command: ["npx", "-y", "x"], environment: { TOKEN: "{env:TOKEN}" } }, []],
    [
      "opencode",
      { ...HTTP, timeout: "1s" },
      { type: "remote", url: HTTP.url, headers: { Authorization: "Bearer {env:T}" }, timeout: 1000 },
      [],
    ],
    ["opencode", SSE, { type: "remote", url: SSE.url }, ["sse-as-remote"]],
    [
      "opencode",
      { command: "x", enabledTools: ["a"], disabled: true, cwd: "/w" },
      { type: "local", command: ["x"], cwd: "/w", enabled: false },
      ["filter-dropped"],
    ],
    [
      "opencode",
      { command: "x", args: ["$${A}", "{env:B}"] },
      { type: "local", command: ["x", "${A}", "{env:B}"] },
      ["env-not-portable"],
    ],
    ["vscode", STDIO, { type: "stdio", ...STDIO, env: { TOKEN: "${env:TOKEN}" } }, []],
    ["vscode", HTTP, { type: "http", url: HTTP.url, headers: { Authorization: "Bearer ${env:T}" } }, []],
    ["vscode", SSE, SSE_ENTRY(), []],
    ["vscode", { command: "x", disabledTools: ["a"] }, { type: "stdio", command: "x" }, ["filter-dropped"]],
    ["vscode", { command: "x", disabled: true }, undefined, ["disabled-omitted"]],
    ["antigravity", STDIO, STDIO, ["env-not-expanded"]],
    ["antigravity", HTTP, { serverUrl: HTTP.url, headers: HTTP.headers }, ["env-not-expanded"]],
    ["antigravity", SSE, { serverUrl: SSE.url }, ["sse-as-http"]],
    [
      "antigravity",
      { command: "x", disabledTools: ["a"], disabled: true },
      { command: "x", disabled: true, disabledTools: ["a"] },
      [],
    ],
    ["antigravity", { command: "x", enabledTools: ["a"] }, { command: "x" }, ["filter-dropped"]],
    ["copilot-cli", { ...STDIO, enabledTools: ["a"] }, { type: "local", ...STDIO, tools: ["a"] }, []],
    ["copilot-cli", { ...SSE, disabledTools: ["a"] }, { type: "sse", url: SSE.url, tools: ["*"] }, ["filter-dropped"]],
  ])("to %s of %j", async (target, definition, entry, codes) => {
    expect(await write(target, definition)).toEqual({ entry, codes });
  });

  test("refuses a name the target keeps for itself", async () => {
    const servers = [serverDef("workspace", { command: "x" })];
    const plan = await planExport({
      target: findTarget("claude")!,
      servers,
      file: "f",
      text: "",
      known: {},
      force: false,
    });
    expect(plan.errors.map(({ code, server }) => ({ code, server }))).toEqual([
      { code: "reserved-name", server: "workspace" },
    ]);
  });
});

function SSE_ENTRY() {
  return { type: "sse", url: SSE.url };
}

const json = (key: string, entries: object) => JSON.stringify({ [key]: entries });

describe("an import", () => {
  test.each<[target: string, text: string, servers: object, codes: readonly string[], errors?: readonly string[]]>([
    [
      "claude",
      json("mcpServers", { A: { command: "x", env: { K: "${K:-d}", L: "$L" } } }),
      { a: { transport: "stdio", command: "x", env: { K: "${K:-d}", L: "$$L" } } },
      [],
    ],
    [
      "claude",
      json("mcpServers", { a: { type: "streamable-http", url: "u" }, b: { type: "sse", url: "v" } }),
      { a: { transport: "http", url: "u" }, b: { transport: "sse", url: "v" } },
      [],
    ],
    [
      "claude",
      json("mcpServers", { a: { type: "http", url: "u", oauth: { clientId: "c" } } }),
      { a: { transport: "http", url: "u" } },
      ["field-dropped"],
    ],
    [
      "claude",
      json("mcpServers", { a: { command: "x", enabledTools: ["t"], disabledTools: [] } }),
      {},
      [],
      ["both-filters"],
    ],
    ["claude", json("mcpServers", { a: { type: "ws", url: "u" } }), {}, [], ["unknown-transport"]],
    [
      "claude",
      json("mcpServers", { a__b: { command: "x" }, proxy: { command: "x" }, c: {}, d: { type: "http" } }),
      {},
      [],
      ["bad-name", "reserved-name", "stdio-no-command", "remote-no-url"],
    ],
    ["claude", "{ // no\n}", {}, [], ["parse-error"]],
    ["claude", '{"mcpServers": {"a": {"command": "x"},}}', {}, [], ["parse-error"]],
    ["claude", "", {}, []],
    [
      "cursor",
      json("mcpServers", { a: { command: "${userHome}/x", args: ["${env:A}", "${workspaceFolder}"] } }),
      { a: { transport: "stdio", command: "${HOME}/x", args: ["${A}", "${PWD}"] } },
      ["env-not-portable"],
    ],
    [
      "cursor",
      json("mcpServers", { a: { url: "u", headers: { K: "${K}" } }, b: { url: "v", command: "x" } }),
      { a: { transport: "http", url: "u", headers: { K: "${K}" } }, b: { transport: "http", url: "v" } },
      ["env-not-expanded", "command-ignored"],
    ],
    [
      "codex",
      '[mcp_servers.a]\ncommand = "x"\nargs = ["$A", "${B}"]\nenv = { K = "v" }\nenv_vars = ["T", { name = "U", source = "local" }]\ncwd = "/w"\nenabled = false\n',
      {
        a: {
          transport: "stdio",
          command: "x",
          args: ["$$A", "${B}"],
          env: { T: "${T}", U: "${U}", K: "v" },
          cwd: "/w",
          disabled: true,
        },
      },
      ["env-not-expanded"],
    ],
    [
      "codex",
      '[mcp_servers.a]\nurl = "u"\nbearer_token_env_var = "T"\nstartup_timeout_sec = 20\ntool_timeout_sec = 1.5\n[mcp_servers.a.env_http_headers]\nX = "Y"\n[mcp_servers.a.http_headers]\nAccept = "json"\n',
      {
        a: {
          transport: "http",
          url: "u",
          headers: { Accept: "json", X: "${Y}", Authorization: "Bearer ${T}" },
          timeout: "20s",
          callTimeout: "1.5s",
        },
      },
      [],
    ],
    [
      "codex",
      '[mcp_servers.a]\ncommand = "x"\nenabled_tools = ["a", "b"]\ndisabled_tools = ["b"]\n',
      { a: { transport: "stdio", command: "x", enabledTools: ["a"] } },
      ["filters-collapsed"],
    ],
    ["codex", '[mcp_servers.a]\ncommand = "x"\nurl = "u"\n', {}, [], ["unknown-field"]],
    [
      "codex",
      '[mcp_servers.a]\nurl = "u"\nargs = []\nbearer_token = "x"\n',
      {},
      [],
      ["unknown-field", "unknown-field"],
    ],
    [
      "codex",
      '[mcp_servers.a]\ncommand = "x"\nrequired = true\n',
      { a: { transport: "stdio", command: "x" } },
      ["field-dropped"],
    ],
    ["codex", "[mcp_servers", {}, [], ["parse-error"]],
    [
      "opencode",
      '{ // fine\n"mcp": {"a": {"type": "local", "command": ["x", "{env:A}", "${B}"], "environment": {"K": "$V"}, "enabled": false, "timeout": 3000,},}}',
      {
        a: {
          transport: "stdio",
          command: "x",
          args: ["${A}", "${B}"],
          env: { K: "$$V" },
          disabled: true,
          timeout: "3s",
        },
      },
      ["env-not-expanded"],
    ],
    [
      "opencode",
      '{"mcp": {"servers": {"a": {"type": "remote", "url": "u", "disabled": true, "oauth": false}}}}',
      { a: { transport: "http", url: "u", disabled: true } },
      ["field-dropped"],
    ],
    [
      "opencode",
      json("mcp", { a: { type: "local", command: ["x"], args: [], env: {} } }),
      {},
      [],
      ["unknown-field", "unknown-field"],
    ],
    ["opencode", json("mcp", { a: { type: "stdio", command: ["x"] } }), {}, [], ["unknown-transport"]],
    ["opencode", json("mcp", { a: { enabled: false } }), {}, ["field-dropped"]],
    [
      "opencode",
      json("mcp", { a: { type: "local", command: ["{file:~/x}"] } }),
      { a: { transport: "stdio", command: "{file:~/x}" } },
      ["env-not-portable"],
    ],
    [
      "vscode",
      '{"inputs": [{"id": "api-key", "type": "promptString"}], /* c */ "servers": {"a": {"type": "stdio", "command": "x", "env": {"K": "${input:api-key}"}, "dev": {}}, "b": {"url": "u"}}}',
      { a: { transport: "stdio", command: "x", env: { K: "${API_KEY}" } }, b: { transport: "http", url: "u" } },
      ["field-dropped", "input-to-env"],
    ],
    [
      "antigravity",
      json("mcpServers", { a: { serverUrl: "u", command: "x" }, b: { httpUrl: "v" }, c: { url: "w", disabled: true } }),
      {
        a: { transport: "http", url: "u" },
        b: { transport: "http", url: "v" },
        c: { transport: "http", url: "w", disabled: true },
      },
      ["command-ignored"],
    ],
    [
      "antigravity",
      json("mcpServers", { a: { command: "x", disabledTools: ["t"], enabled: false, env: { K: "${K}" } } }),
      { a: { transport: "stdio", command: "x", env: { K: "${K}" }, disabledTools: ["t"] } },
      ["field-dropped", "env-not-expanded"],
    ],
    [
      "copilot-cli",
      json("mcpServers", {
        a: { type: "local", command: "x", tools: ["*"] },
        b: { type: "http", url: "u", tools: ["t"] },
      }),
      { a: { transport: "stdio", command: "x" }, b: { transport: "http", url: "u", enabledTools: ["t"] } },
      [],
    ],
  ])("from %s of %s", async (target, text, servers, warnings, errors = []) => {
    expect(await read(target, text)).toEqual({ servers, warnings, errors });
  });

  test("from a person's Claude Code file takes what is local to the project too", async () => {
    const text = JSON.stringify({
      mcpServers: { a: { command: "user" }, b: { command: "user" } },
      projects: { "/p": { mcpServers: { b: { command: "local" } } }, "/q": { mcpServers: { c: { command: "x" } } } },
    });
    const { servers } = await readTarget(findTarget("claude")!, text, "f", "user", "/p");
    expect(servers.map(({ name, command, scope }) => ({ name, command, scope }))).toEqual([
      { name: "a", command: "user", scope: "user" },
      { name: "b", command: "local", scope: "user" },
    ]);
  });
});

test("the files are where their owners look", () => {
  const where = { cwd: "/p", user: "/h", env: {} };
  expect(TARGETS.map(({ name, files }) => [name, files(where, "project")[0], files(where, "user")[0]])).toEqual([
    ["claude", "/p/.mcp.json", "/h/.claude.json"],
    ["cursor", "/p/.cursor/mcp.json", "/h/.cursor/mcp.json"],
    ["codex", "/p/.codex/config.toml", "/h/.codex/config.toml"],
    ["opencode", "/p/opencode.json", "/h/.config/opencode/opencode.json"],
    ["vscode", "/p/.vscode/mcp.json", expect.stringMatching(/\/Code\/User\/mcp\.json$/)],
    ["antigravity", "/p/.agents/mcp_config.json", "/h/.gemini/config/mcp_config.json"],
    ["copilot-cli", "/p/.github/mcp.json", "/h/.copilot/mcp-config.json"],
  ]);
});
