// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what this is about
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMachine, type Machine } from "./aura.ts";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

const DEFINITIONS = `# two servers
github:
  command: npx
  args: ["-y", "server-github"]
  env: { GITHUB_TOKEN: "$GITHUB_TOKEN" }
  enabledTools: [search_issues]
api: { transport: http, url: "https://api.example.com/mcp", scope: user }
`;
const define = (text: string) => machine.put({ ".aura/config/mcp/a.yaml": text });
const mcp = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await machine.run(["mcp", ...args]);
  return { code, stdout, stderr };
};
const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await mcp(...args, "--json");
  return { code, stderr, value: JSON.parse(stdout) };
};
const inProject = (file: string) => join(machine.project, file);
const read = (file: string) => readFileSync(inProject(file), "utf8");

describe("aura mcp list and check", () => {
  test("list says each server with its place, and errors beside them", async () => {
    define(`${DEFINITIONS}both: { command: x, enabledTools: [], disabledTools: [] }\n`);
    const file = inProject(".aura/config/mcp/a.yaml");
    const { code, value, stderr } = await json("list");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(value).toEqual({
      servers: {
        api: { transport: "http", url: "https://api.example.com/mcp", scope: "user", file, line: 7 },
        github: {
          transport: "stdio",
          command: "npx",
          args: ["-y", "server-github"],
          env: { GITHUB_TOKEN: "$GITHUB_TOKEN" },
          enabledTools: ["search_issues"],
          scope: "project",
          file,
          line: 2,
        },
      },
      errors: [
        { code: "both-filters", server: "both", message: expect.stringContaining(`${file}:8: both: enabledTools`) },
      ],
      warnings: [],
    });
  });

  test("check names unset variables, and is content when they are set", async () => {
    define(DEFINITIONS);
    const { code, value } = await json("check");
    expect(code).toBe(1);
    expect(value).toEqual({
      errors: [{ code: "env-missing", server: "github", message: expect.stringMatching(/GITHUB_TOKEN .*a\.yaml:2/) }],
      warnings: [],
    });
    const { code: fine, stdout } = await machine.run(["mcp", "check"], { env: { GITHUB_TOKEN: "x" } });
    expect({ fine, stdout }).toEqual({ fine: 0, stdout: "The MCP configuration is fine.\n" });
  });

  test("check --strict fails on a warning", async () => {
    define("a: { command: x, deferred: true, proxy: true }\n");
    expect(await mcp("check")).toMatchObject({ code: 0, stderr: expect.stringContaining("warning proxied-wins: ") });
    expect(await mcp("check", "--strict")).toMatchObject({ code: 1 });
  });

  test("somebody else's file is not loaded, only pointed at", async () => {
    machine.put({ ".mcp.json": '{"mcpServers": {"a": {"command": "x"}}}' });
    const { code, stdout, stderr } = await mcp("list");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(
      'aura: .mcp.json is not read: "aura mcp import --from claude --dry-run" shows its MCP servers\n',
    );
  });
});

describe("aura mcp export and sync", () => {
  test("a dry run prints the path, the content and the warnings, and writes nothing", async () => {
    define(DEFINITIONS);
    const { code, value } = await json("export", "--target", "cursor", "--dry-run");
    expect(code).toBe(0);
    expect(value).toMatchObject({
      path: inProject(".cursor/mcp.json"),
      warnings: [{ code: "filter-unenforced", server: "github", message: expect.any(String) }],
    });
    expect(JSON.parse(value.content)).toEqual({
      mcpServers: {
        github: {
          command: "npx",
          args: ["-y", "server-github"],
          env: { GITHUB_TOKEN: "${env:GITHUB_TOKEN}" },
          enabledTools: ["search_issues"],
        },
      },
    });
    expect(existsSync(inProject(".cursor"))).toBe(false);
    expect(existsSync(inProject(".aura/state"))).toBe(false);
  });

  test("the scope chooses the file and the definitions, --all-scopes takes all of them", async () => {
    define(DEFINITIONS);
    const names = (value: { content: string }) => Object.keys(JSON.parse(value.content).mcpServers);
    const user = (await json("export", "--target", "cursor", "--scope", "user", "--dry-run")).value;
    expect([user.path, names(user)]).toEqual([join(machine.home, ".cursor/mcp.json"), ["api"]]);
    const all = (await json("export", "--target", "cursor", "--scope", "project", "--all-scopes", "--dry-run")).value;
    expect([all.path, names(all)]).toEqual([inProject(".cursor/mcp.json"), ["api", "github"]]);
  });

  test("--strict fails on a warning and writes nothing", async () => {
    define(DEFINITIONS);
    const { code, value, stderr } = await json("export", "--target", "opencode", "--strict");
    expect({ code, codes: value.errors.map((one: { code: string }) => one.code) }).toEqual({
      code: 1,
      codes: ["filter-dropped"],
    });
    expect(stderr).toContain("error filter-dropped: ");
    expect(existsSync(inProject("opencode.json"))).toBe(false);
  });

  test("a wrong definition stops the export of all", async () => {
    define(`${DEFINITIONS}a__b: { command: x }\n`);
    const { code, stdout, stderr } = await mcp("export", "--target", "claude");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("error bad-name: ");
    expect(existsSync(inProject(".mcp.json"))).toBe(false);
  });

  test("what was exported follows the definitions, and a change by hand is a conflict until forced", async () => {
    machine.put({ ".codex/config.toml": '# mine\nmodel = "o"\n' });
    define("a: { command: x }\nb: { command: y }\n");
    expect(await mcp("export", "--target", "codex")).toMatchObject({ code: 0, stderr: "" });
    define("a: { command: z }\n");
    expect((await mcp("sync")).stdout).toBe(`${inProject(".codex/config.toml")}: a (updated), b (removed)\n`);
    expect(read(".codex/config.toml").trimEnd()).toBe('# mine\nmodel = "o"\n\n[mcp_servers.a]\ncommand = "z"');

    writeFileSync(inProject(".codex/config.toml"), read(".codex/config.toml").replace('"z"', '"by hand"'));
    define("a: { command: w }\n");
    const refused = await json("sync");
    expect({ code: refused.code, codes: refused.value.errors.map((one: { code: string }) => one.code) }).toEqual({
      code: 1,
      codes: ["conflict"],
    });
    expect(read(".codex/config.toml")).toContain('"by hand"');
    expect(await mcp("sync", "--force")).toMatchObject({ code: 0 });
    expect(read(".codex/config.toml")).toContain('command = "w"');
  });

  test("definitions may come from dotai's file", async () => {
    machine.put({ ".ai/config.yaml": "servers:\n  - { name: a, transport: sse, url: u, scope: project }\n" });
    const { value } = await json("export", "--target", "copilot", "--file", ".ai/config.yaml", "--dry-run");
    expect(JSON.parse(value.content)).toEqual({ servers: { a: { type: "sse", url: "u" } } });
  });

  test("secrets are never looked up", async () => {
    define(DEFINITIONS);
    const { stdout } = await machine.run(["mcp", "export", "--target", "claude", "--dry-run", "--json"], {
      env: { GITHUB_TOKEN: "the-secret" },
    });
    expect(stdout).toContain("${GITHUB_TOKEN}");
    expect(stdout).not.toContain("the-secret");
  });
});

describe("aura mcp import", () => {
  const CLAUDE = '{"mcpServers": {"Docs": {"type": "http", "url": "https://x/mcp", "headers": {"K": "${K}"}}}}';

  test("a dry run prints the definitions and warnings, and writes nothing", async () => {
    machine.put({ "there.json": '{"mcpServers": {"a": {"serverUrl": "u", "command": "x"}}}' });
    const { code, value } = await json("import", "--from", "antigravity", "--file", "there.json", "--dry-run");
    expect(code).toBe(0);
    expect(value).toMatchObject({
      servers: { a: { transport: "http", url: "u", scope: "project" } },
      warnings: [{ code: "command-ignored", server: "a", message: expect.any(String) }],
    });
    expect(existsSync(inProject(".aura"))).toBe(false);
  });

  test("copies definitions once, beside what is there", async () => {
    machine.put({ ".mcp.json": CLAUDE, ".aura/config/mcp/claude.yaml": "# mine\na: { command: x }\n" });
    expect(await mcp("import", "--from", "claude-code")).toMatchObject({ code: 0 });
    expect(read(".aura/config/mcp/claude.yaml")).toBe(
      "# mine\na: { command: x }\ndocs:\n  transport: http\n  url: https://x/mcp\n  headers:\n    K: ${K}\n  scope: project\n",
    );
    expect((await mcp("import", "--from", "claude")).stderr).toContain("all of it is configured already");
    expect(Object.keys((await json("list")).value.servers)).toEqual(["a", "docs"]);
  });

  test("does not replace a definition unless forced, and then in its place", async () => {
    machine.put({ ".mcp.json": CLAUDE, ".aura/config/mcp/own.yaml": "docs: { command: mine } # mine\n" });
    const refused = await json("import", "--from", "claude");
    expect(refused).toMatchObject({ code: 1, value: { errors: [{ code: "conflict", server: "docs" }] } });
    expect(read(".aura/config/mcp/own.yaml")).toBe("docs: { command: mine } # mine\n");
    expect((await json("import", "--from", "claude", "--dry-run")).value.conflicts).toHaveLength(1);
    expect(await mcp("import", "--from", "claude", "--force")).toMatchObject({ code: 0 });
    expect((await json("list")).value.servers.docs.url).toBe("https://x/mcp");
    expect(existsSync(inProject(".aura/config/mcp/claude.yaml"))).toBe(false);
  });

  test("with any error writes nothing", async () => {
    machine.put({ ".mcp.json": '{"mcpServers": {"a": {"command": "x"}, "b": {}}}' });
    const { code, value, stderr } = await json("import", "--from", "claude");
    expect({ code, value }).toEqual({
      code: 1,
      value: { errors: [{ code: "stdio-no-command", server: "b", message: expect.any(String) }], warnings: [] },
    });
    expect(stderr).toContain("error stdio-no-command: ");
    expect(existsSync(inProject(".aura"))).toBe(false);
  });

  test.each([
    ["dotai", ".ai/config.yaml", "servers:\n  - { name: a, transport: stdio, command: x, scope: user }\n", "user"],
    ["aether", ".aether/mcp.json", '{"servers": {"a": {"command": "x"}}}', "project"],
    ["a3s", "a.md", "---\nkind: mcp\nname: a\ntransport: stdio\ncommand: x\n---\nAbout.\n", "project"],
  ])("takes %s too", async (from, file, text, scope) => {
    machine.put({ [file]: text });
    const named = from === "a3s" ? ["--file", file] : [];
    const { value } = await json("import", "--from", from, ...named, "--dry-run");
    expect(value.servers.a).toMatchObject({ transport: "stdio", command: "x", scope });
  });
});

describe("Aether's agents", () => {
  const settings = { agents: [{ name: "Coder", userInvocable: true, prompts: ["CODER.md"], mcps: ["s.json"] }] };
  const put = () =>
    machine.put({
      ".aether/settings.json": JSON.stringify(settings),
      "CODER.md": "You {{code}}.",
      "s.json": '{"servers": {"a": {"type": "stdio", "command": "x"}}}',
    });

  test("are usable in a project a person trusts, with their prompts and servers", async () => {
    put();
    const refused = await machine.run(["--agent", "coder", "--dry=render", "run"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /there is no agent "coder".*\n.*settings\.json: its agents are left out until you trust/,
    );
    await machine.run(["trust", ".aether"]);
    expect((await machine.run(["--agent", "coder", "--dry=render", "run"])).stdout).toContain("You {{code}}.");
    expect((await machine.run(["--agent", "coder", "mcp", "list"])).stdout).toMatch(/^a {2}stdio {2}x/);
    expect((await machine.run(["mcp", "list"])).stdout).toBe("");
  });
});

test.each([
  [["export", "--target", "emacs"], 'mcp export: there is no target "emacs"'],
  [["import", "--from", "emacs"], 'mcp import: there is no "emacs"'],
  [["import"], "required option '--from <tool>' not specified"],
  [["import", "--from", "a3s"], "name the --file"],
  [["export", "--target", "claude", "--scope", "team"], "Allowed choices are project, user"],
])("aura mcp %j exits 2 with a hint", async (args, words) => {
  const { code, stdout, stderr } = await mcp(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(words);
});
