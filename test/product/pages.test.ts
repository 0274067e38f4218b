// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what this is about
// The configuration that dotai's and A3S's pages print, used as a person would use it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RUDE } from "../helpers/mcp.ts";
import { createMachine, type Machine, NODE } from "./aura.ts";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
  // Nobody here reaches the network: npx starts a server of ours and notes what it was asked for.
  machine.put({ "bin/npx": `#!/bin/sh\necho "$@" >> '${machine.root}/npx.log'\nexec '${NODE}' '${RUDE}' polite\n` });
});
afterEach(() => machine.remove());
const withNpx = (more: Readonly<Record<string, string>> = {}) => ({
  env: { ...more, PATH: `${join(machine.project, "bin")}:${machine.env["PATH"]}` },
});
const inProject = (file: string) => join(machine.project, file);

const DOTAI = `servers:
  - name: filesystem
    transport: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem"]
    scope: project

  - name: github
    transport: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-github"]
    env:
      GITHUB_TOKEN: "\${GITHUB_TOKEN}"
    scope: project

  - name: my-api
    transport: http
    url: "https://api.example.com/mcp"
    scope: user
`;
const DOTAI_FILTERED = `servers:
  - name: filesystem
    transport: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem"]
    enabledTools:
      - read_file
      - list_directory
    scope: project
`;

test("dotai's servers are imported, started and called, with the variable of one filled in when it starts", async () => {
  machine.put({ ".ai/config.yaml": DOTAI });
  expect(await machine.run(["mcp", "import", "--from", "dotai"])).toMatchObject({ code: 0 });
  const { stdout } = await machine.run(["mcp", "list", "--json"]);
  const { servers } = JSON.parse(stdout);
  expect(Object.keys(servers)).toEqual(["filesystem", "github", "my-api"]);
  expect(servers["my-api"]).toMatchObject({ transport: "http", url: "https://api.example.com/mcp", scope: "user" });
  expect(servers.github.env).toEqual({ GITHUB_TOKEN: "${GITHUB_TOKEN}" });

  const play = machine.script([
    {
      calls: [
        { tool: "mcp__filesystem__echo", input: { text: "files" } },
        { tool: "mcp__github__env", input: { name: "GITHUB_TOKEN" } },
      ],
    },
    { text: "Done." },
  ]);
  const flags = ["--trust", "--exclude-mcps", "my-api", ...play, "run", "--with-mcp", "--output-format", "stream-json"];
  const ran = await machine.run([...flags, "go"], withNpx({ GITHUB_TOKEN: "t0ken" }));
  expect(ran.stdout).toContain("echo: files");
  expect(ran.stdout).toContain("t0ken");
  expect(readFileSync(join(machine.root, "npx.log"), "utf8").trim().split("\n").sort()).toEqual([
    "-y @modelcontextprotocol/server-filesystem",
    "-y @modelcontextprotocol/server-github",
  ]);
  // Without the variable that server alone is an error, which names the variable, the server and the file.
  const again = machine.script([
    { calls: [{ tool: "mcp__filesystem__echo", input: { text: "still" } }], expect: { hides: ["mcp__github__echo"] } },
    { text: "Done." },
  ]);
  const without = [
    "--trust",
    "--exclude-mcps",
    "my-api",
    ...again,
    "run",
    "--with-mcp",
    "--output-format",
    "stream-json",
  ];
  const told = await machine.run([...without, "go"], withNpx());
  expect(told.stdout).toContain("echo: still");
  expect(told.stdout).toMatch(/GITHUB_TOKEN.*github|github.*GITHUB_TOKEN/);
});

test.each([
  ["claude", ".mcp.json", '"mcpServers"'],
  ["cursor", ".cursor/mcp.json", '"mcpServers"'],
  ["codex", ".codex/config.toml", "[mcp_servers.filesystem]"],
  ["opencode", "opencode.json", '"mcp"'],
  // The vendors' own pages contradict dotai's on these two (other-systems 3.3).
  ["copilot", ".vscode/mcp.json", '"servers"'],
  ["antigravity", ".agents/mcp_config.json", '"mcpServers"'],
])("dotai's servers are written for %s where it reads them", async (target, file, key) => {
  machine.put({ ".ai/config.yaml": DOTAI });
  const { code, stderr } = await machine.run(["mcp", "export", "--target", target, "--file", ".ai/config.yaml"]);
  expect({ code, stderr: stderr.replace(/^warning.*\n/gm, "") }).toEqual({ code: 0, stderr: "" });
  const text = readFileSync(inProject(file), "utf8");
  expect(text).toContain(key);
  expect(text).toContain("@modelcontextprotocol/server-github");
  expect(text).not.toContain("my-api"); // of the user's scope
});

test.each([
  ["claude", ".mcp.json", "enabledTools", "filter-unenforced"],
  ["cursor", ".cursor/mcp.json", "enabledTools", "filter-unenforced"],
  ["codex", ".codex/config.toml", "enabled_tools", undefined],
  ["opencode", "opencode.json", undefined, "filter-dropped"],
  ["copilot", ".vscode/mcp.json", undefined, "filter-dropped"],
  ["antigravity", ".agents/mcp_config.json", undefined, "filter-dropped"],
] as const)(
  "the tools dotai's page leaves in are named for %s, or their loss is told",
  async (target, file, field, code) => {
    machine.put({ ".ai/config.yaml": DOTAI_FILTERED });
    const flags = ["mcp", "export", "--target", target, "--file", ".ai/config.yaml", "--json"];
    const { warnings } = JSON.parse((await machine.run(flags)).stdout);
    expect(warnings.map((warning: { code: string }) => warning.code)).toEqual(code === undefined ? [] : [code]);
    const text = readFileSync(inProject(file), "utf8");
    expect(text.includes("list_directory")).toBe(field !== undefined);
    if (field !== undefined) expect(text).toContain(field);
  },
);

test("dotai's filter holds here, and both lists on one server are an error", async () => {
  machine.put({ ".ai/config.yaml": DOTAI_FILTERED.replace("read_file", "echo") });
  expect(await machine.run(["mcp", "import", "--from", "dotai"])).toMatchObject({ code: 0 });
  const play = machine.script([
    { expect: { tools: ["mcp__filesystem__echo"], hides: ["mcp__filesystem__huge"] }, text: "Done." },
  ]);
  expect((await machine.run(["--trust", ...play, "run", "--with-mcp", "go"], withNpx())).stdout).toBe("Done.\n");
  machine.put({ "both.yaml": `${DOTAI_FILTERED}    disabledTools: [write_file]\n` });
  const both = await machine.run(["mcp", "import", "--from", "dotai", "--file", "both.yaml"]);
  expect([both.code, both.stderr]).toEqual([1, expect.stringContaining("both-filters")]);
});

const GITHUB = `---
kind: mcp
name: github
transport: stdio
command: npx
args: ["-y", "@modelcontextprotocol/server-github"]
env:
  GITHUB_TOKEN: "\${GITHUB_TOKEN}"
---
GitHub issues and pull request tools.
`;
const SEARCH_AUTH = `---
kind: script
name: search-auth
path: scripts/search-auth.js
allowed_tools: [grep, glob, read]
limits:
  timeoutMs: 30000
  maxToolCalls: 30
  maxOutputBytes: 65536
---
Find authentication-related files and return an evidence list.
`;

test("A3S's two tools serve a schedule's session: the server with its secret, the script with its three tools", async () => {
  machine.put({
    "release-agent/instructions.md": "You release.\n",
    "release-agent/agent.yaml": 'tools: { policy: { auto: ["mcp__github__*"] } }\n',
    "release-agent/tools/github.md": GITHUB,
    "release-agent/tools/search-auth.md": SEARCH_AUTH,
    "release-agent/schedules/nightly.md": '---\ncron: "0 3 * * *"\n---\nLook around.\n',
    "scripts/search-auth.js": `async function run(ctx, inputs) {
  const found = await ctx.tool("grep", { pattern: inputs.word });
  try { await ctx.tool("bash", { command: "id" }); } catch (error) { return { exit: found.exitCode, found: found.output.includes("login.ts"), code: error.code }; }
}
`,
    "login.ts": "authenticate();\n",
  });
  const checked = await machine.run(["agentdir", "check", "release-agent", "--json"]);
  expect(checked.code).toBe(0);
  const { tools, errors } = JSON.parse(checked.stdout);
  expect(errors).toEqual([]);
  expect(tools.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
    ["mcp", "github"],
    ["script", "search-auth"],
  ]);

  const play = machine.script([
    {
      expect: { contains: ["You release.", "Look around."], tools: ["mcp__github__echo", "search-auth"] },
      calls: [
        { tool: "mcp__github__env", input: { name: "GITHUB_TOKEN" } },
        { tool: "search-auth", input: { inputs: { word: "authenticate" } } },
      ],
    },
    { expect: { contains: ["t0ken", '"exit": 0', '"found": true', '"code": "tool-not-allowed"'] }, text: "Released." },
  ]);
  const served = await machine.run(
    [...play, "serve", "release-agent", "--once", "--trust"],
    withNpx({ GITHUB_TOKEN: "t0ken" }),
  );
  expect(served).toMatchObject({ code: 0, stdout: "[nightly] Released.\n" });
  expect(readFileSync(join(machine.root, "npx.log"), "utf8")).toBe("-y @modelcontextprotocol/server-github\n");
  // It is for schedules: whoever only opens the folder has none of it.
  const plain = machine.script([{ expect: { hides: ["mcp__github__echo", "search-auth"] }, text: "Nothing." }]);
  expect((await machine.run([...plain, "run", "go"], { cwd: inProject("release-agent") })).stdout).toBe("Nothing.\n");
});
