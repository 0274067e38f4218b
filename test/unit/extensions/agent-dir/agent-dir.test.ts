import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkAgentDir } from "../../../../src/engine/agent-dir.ts";
import { loadAgentDir } from "../../../../src/extensions/agent-dir/agent-dir.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "aura-agent-dir-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
}

const head = (fields: string, body = "Body.") => `---\n${fields}\n---\n${body}\n`;
const SCRIPT = "kind: script\npath: scripts/a.js";

const GITHUB = head(
  `kind: mcp
name: github
transport: stdio
command: npx
args: ["-y", "@modelcontextprotocol/server-github"]
env:
  GITHUB_TOKEN: "\${GITHUB_TOKEN}"`,
  "GitHub issues and pull request tools.",
);
const SEARCH_AUTH = head(
  `kind: script
name: search-auth
path: scripts/search-auth.js
allowed_tools: [grep, glob, read]
limits:
  timeoutMs: 30000
  maxToolCalls: 30
  maxOutputBytes: 65536`,
  "Find authentication-related files and return an evidence list.",
);

test("The two examples of the page load", async () => {
  put({ "tools/github.md": GITHUB, "tools/search-auth.md": SEARCH_AUTH });
  expect(await checkAgentDir(dir)).toEqual({
    tools: [
      { name: "github", kind: "mcp", file: "tools/github.md", transport: "stdio" },
      {
        name: "search-auth",
        kind: "script",
        file: "tools/search-auth.md",
        path: "scripts/search-auth.js",
        allowed_tools: ["grep", "glob", "read"],
        limits: { timeoutMs: 30_000, maxToolCalls: 30, maxOutputBytes: 65_536 },
      },
    ],
    errors: [],
    warnings: [],
  });
});

test("A script is called like its file, may call nothing, and gets longer when it may delegate", async () => {
  put({ "tools/a.md": head(SCRIPT), "tools/b.md": head(`${SCRIPT}\nallowed_tools: [task]\nfuture: 1`) });
  const limits = { maxToolCalls: 20, maxOutputBytes: 65_536 };
  expect((await checkAgentDir(dir)).tools).toEqual([
    {
      name: "a",
      kind: "script",
      file: "tools/a.md",
      path: "scripts/a.js",
      allowed_tools: [],
      limits: { timeoutMs: 30_000, ...limits },
    },
    {
      name: "b",
      kind: "script",
      file: "tools/b.md",
      path: "scripts/a.js",
      allowed_tools: ["task"],
      limits: { timeoutMs: 600_000, ...limits },
    },
  ]);
});

test.each([
  ["no-frontmatter", "Just text.\n", 1],
  ["bad-frontmatter", "---\nkind: [\n---\n", undefined],
  ["bad-frontmatter", "---\nkind: script\n", 1],
  ["bad-frontmatter", "---js\nprocess.exit(1)\n---\n", 1],
  ["bad-frontmatter", "---\n- kind\n---\n", 1],
  ["bad-frontmatter", head(`${SCRIPT}\nallowed_tools: grep`), 4],
  ["unknown-kind", head("path: a.js"), undefined],
  ["unknown-kind", head("kind: http"), 2],
  ["missing-path", head("kind: script"), undefined],
  ["missing-path", head('kind: script\npath: ""'), 3],
  ["bad-extension", head("kind: script\npath: scripts/a.ts"), 3],
  ["path-escape", head("kind: script\npath: ../a.js"), 3],
  ["path-escape", head("kind: script\npath: scripts/../../a.js"), 3],
  ["path-escape", head("kind: script\npath: /etc/a.js"), 3],
  ["path-escape", head("kind: script\npath: ~/a.js"), 3],
  ["path-escape", head("kind: script\npath: 'C:\\a.js'"), 3],
  ["bad-limit", head(`${SCRIPT}\nlimits: 3`), 4],
  ["bad-limit", head(`${SCRIPT}\nlimits: { timeoutMs: 0 }`), 4],
  ["bad-limit", head(`${SCRIPT}\nlimits: { timeoutMs: 600001 }`), 4],
  ["bad-limit", head(`${SCRIPT}\nlimits: { timeoutMs: 1.5 }`), 4],
  ["bad-limit", head(`${SCRIPT}\nlimits: { timeoutMs: "9" }`), 4],
  ["bad-limit", head(`${SCRIPT}\nlimits: { maxToolCalls: 1001 }`), 4],
  ["bad-limit", head(`${SCRIPT}\nlimits: { maxOutputBytes: 16777217 }`), 4],
  ["bad-limit", head(`${SCRIPT}\nlimits:\n  timeoutms: 9`), 5],
  ["bad-name", head(`${SCRIPT}\nname: search auth`), 4],
  ["bad-name", head(`${SCRIPT}\nname: ${"a".repeat(65)}`), 4],
  ["bad-name", head(`${SCRIPT}\nname: 7`), 4],
  ["bad-name", head("kind: mcp\ncommand: x"), undefined],
  ["mcp-invalid", head("kind: mcp\nname: a"), undefined],
  ["mcp-invalid", head("kind: mcp\nname: a__b\ncommand: x"), undefined],
  ["mcp-invalid", head("kind: mcp\nname: a\ntransport: carrier-pigeon"), undefined],
  ["mcp-invalid", head("kind: mcp\nname: a\ntransport: http"), undefined],
])("%s: one wrong file names itself and fails the whole directory", async (code, text, line) => {
  put({ "tools/good.md": SEARCH_AUTH, "tools/wrong.md": text });
  const { tools, errors } = await checkAgentDir(dir);
  expect({ tools, codes: errors.map((error) => [error.code, error.file]) }).toEqual({
    tools: [],
    codes: [[code, "tools/wrong.md"]],
  });
  expect(errors[0]!.message).toMatch(
    line === undefined ? /^tools\/wrong\.md/ : new RegExp(`^tools/wrong\\.md:${line}: `),
  );
});

test("Two tools of one name, whatever their kinds, are an error of the second file", async () => {
  put({ "tools/a.md": head("kind: mcp\nname: Find\ncommand: x"), "tools/b.md": head(`${SCRIPT}\nname: find`) });
  expect((await checkAgentDir(dir)).errors).toEqual([
    { code: "duplicate-name", file: "tools/b.md", message: 'tools/b.md: "find" is the name of tools/a.md already' },
  ]);
});

test("Every error is told at once, in the order of the files", async () => {
  put({ "tools/b.md": "x", "tools/a.md": head("kind: x"), "schedules/c.md": head("cron: soon") });
  const { errors } = await checkAgentDir(dir);
  expect(errors.map(({ code, file }) => `${file} ${code}`)).toEqual([
    "tools/a.md unknown-kind",
    "tools/b.md no-frontmatter",
    "schedules/c.md bad-schedule",
  ]);
});

test("A link that leads out is left out with a warning; one that stays inside, and folders, are not", async () => {
  const outside = mkdtempSync(join(tmpdir(), "aura-outside-"));
  try {
    writeFileSync(join(outside, "evil.md"), SEARCH_AUTH);
    put({ "more/inside.md": head(SCRIPT), "tools/deep/x.md": "not read", "tools/notes.txt": "not read" });
    symlinkSync(join(outside, "evil.md"), join(dir, "tools/evil.md"));
    symlinkSync(join(dir, "more/inside.md"), join(dir, "tools/linked.md"));
    const { tools, errors, warnings } = await checkAgentDir(dir);
    expect(tools.map(({ name }) => name)).toEqual(["linked"]);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      {
        code: "symlink-escape",
        file: "tools/evil.md",
        message: "tools/evil.md: it is a link that leads out of the directory, and is left out",
      },
    ]);
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
});

test.each([
  ["no cron", head("name: a")],
  ["too few fields", head("cron: 0 9 * *")],
  ["too many fields", head("cron: 0 0 9 * * 1 2030")],
  ["a nickname", head('cron: "@daily"')],
  ["letters", head("cron: x * * * *")],
  ["an hour that is none", head("cron: 0 25 * * *")],
  ["a name with a slash", head('cron: 0 9 * * *\nname: "a/b"')],
  ["enabled that is no flag", head("cron: 0 9 * * *\nenabled: sometimes")],
  ["no prompt", head("cron: 0 9 * * *", "")],
])("A schedule with %s does not load", async (_, text) => {
  put({ "instructions.md": "You work.", "schedules/a.md": text });
  expect((await checkAgentDir(dir)).errors.map(({ code, file }) => [code, file])).toEqual([
    ["bad-schedule", "schedules/a.md"],
  ]);
});

test("Two enabled schedules of one name are an error, a disabled one beside it is not", async () => {
  const five = head('cron: "0 9 * * 1-5"\nname: daily');
  const six = head('cron: "*/10 0 9 * * *"\nname: daily\nenabled: false');
  put({ "instructions.md": "You work.", "schedules/a.md": five, "schedules/b.md": six });
  expect(await checkAgentDir(dir)).toEqual({ tools: [], errors: [], warnings: [] });
  put({ "schedules/c.md": five });
  expect((await checkAgentDir(dir)).errors.map(({ code, file }) => [code, file])).toEqual([
    ["duplicate-name", "schedules/c.md"],
  ]);
});

test.each([
  ["agent.yaml:1", "modle: x\n"],
  ["agent.yaml:2", "limits:\n  max_stpes: 3\n"],
  ["agent.yaml:1", "limits: { max_steps: many }\n"],
  ["agent.yaml", "- a\n"],
])("What is wrong in agent.yaml is told with its line: %s", async (place, text) => {
  put({ "agent.yaml": text });
  const { errors } = await checkAgentDir(dir);
  expect(errors.map(({ code, file }) => [code, file])).toEqual([["bad-agent", "agent.yaml"]]);
  expect(errors[0]!.message.startsWith(place)).toBe(true);
});

test("Schedules without instructions are warned of, and a directory that is not there is an error", async () => {
  put({ "schedules/a.md": head("cron: 0 9 * * *") });
  expect((await checkAgentDir(dir)).warnings.map(({ code }) => code)).toEqual(["no-instructions"]);
  expect((await checkAgentDir(join(dir, "gone"))).errors.map(({ code }) => code)).toEqual(["no-directory"]);
});

test.each([
  ["agent.yaml", "model: openai/gpt-5\nlimits: { max_steps: 7 }\nmode: plan\n"],
  [
    "agent.acl",
    '# ours\ndefault_model = "openai/gpt-5"\nmax_tool_rounds = 7 # enough\nproviders "x" {\n  model = "y"\n}\n',
  ],
])("Model and limits are read from %s", async (file, text) => {
  put({ [file]: text });
  const { agent } = await loadAgentDir(dir, () => ({ errors: [] }));
  expect(agent?.head).toMatchObject({
    model: { provider: "openai", name: "gpt-5" },
    features: { tools: { max_steps: 7 } },
  });
});
