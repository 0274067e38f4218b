// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what this is about
import { describe, expect, test } from "vitest";
import type { ServerDef } from "../../../../src/config/mcp-server.ts";
import { type ExportRequest, planExport } from "../../../../src/config/servers/plan-export.ts";
import { serverDef } from "../../../../src/config/servers/read-entry.ts";
import { findTarget } from "../../../../src/config/servers/targets/index.ts";

const server = (name: string, command: string, more = {}) => serverDef(name, { command, ...more });

async function plan(target: string, servers: readonly ServerDef[], text: string, more: Partial<ExportRequest> = {}) {
  return planExport({ target: findTarget(target)!, servers, file: "/f", text, known: {}, force: false, ...more });
}
/** What is written over what was written before. */
async function again(
  target: string,
  first: readonly ServerDef[],
  edit: (text: string) => string,
  then: readonly ServerDef[],
  force = false,
) {
  const { content, hashes } = await plan(target, first, "");
  return plan(target, then, edit(content), { known: hashes, force });
}

const OPENCODE = `// mine
{
\t"theme": "dark", // keep
\t"mcp": {
\t\t// theirs
\t\t"theirs": { "type": "local", "command": ["t"], "oauth": false },
\t\t"ours": {
\t\t\t"type": "local",
\t\t\t// why
\t\t\t"command": ["old"],
\t\t\t"strange": 1,
\t\t},
\t},
}
`;

describe("a JSON file", () => {
  test("keeps comments, order, tabs, foreign entries and foreign keys", async () => {
    const { content, changes } = await plan("opencode", [server("ours", "new", { env: { A: "$A" } })], OPENCODE, {
      force: true,
    });
    expect(changes).toEqual({ ours: "updated" });
    expect(content).toBe(
      OPENCODE.replace('["old"]', '[\n\t\t\t\t"new"\n\t\t\t]').replace(
        '"strange": 1,',
        '"strange": 1,\n\t\t\t"environment": {\n\t\t\t\t"A": "{env:A}"\n\t\t\t},',
      ),
    );
  });

  test("that says it all already stays byte by byte", async () => {
    const text = '{"mcpServers":{"A":{"command":"x",   "args":["y"]}}}';
    const { content, changes } = await plan("claude", [server("a", "x", { args: ["y"] })], text);
    expect({ content, changes }).toEqual({ content: text, changes: { a: "unchanged" } });
  });

  test("in the owner's second dialect is written in that", async () => {
    const { content } = await plan("opencode", [server("a", "x", { disabled: true })], '{"mcp": {"servers": {}}}');
    expect(JSON.parse(content)).toEqual({
      mcp: { servers: { a: { type: "local", command: ["x"], disabled: true } } },
    });
  });

  test("its owner could not read is left alone", async () => {
    const { errors, content } = await plan("claude", [server("a", "x")], "{ /* c */ }");
    expect(errors).toEqual([{ code: "parse-error", message: "/f:1: not valid JSON: invalid comment token" }]);
    expect(content).toBe("");
  });
});

const CODEX = `# mine
model = "o" # keep
[mcp_servers.theirs]
command = "t" # theirs

# about ours
[mcp_servers.ours] # head
# why
command = "old" # command
args = [
  "a", # first
  "]",
]
required = true
[mcp_servers.ours.env]
A = "1" # a
B = '''
x"'''

# the end
[profiles.x]
y = 1
`;

describe("a TOML file", () => {
  test("keeps comments, foreign tables and foreign keys", async () => {
    const ours = server("ours", "new", { env: { A: "2", C: 'd"\n' }, cwd: "/w" });
    const { content, changes, errors } = await plan("codex", [ours], CODEX, { force: true });
    expect(errors).toEqual([]);
    expect(changes).toEqual({ ours: "updated" });
    expect(content).toBe(
      CODEX.replace('"old"', '"new"')
        .replace('args = [\n  "a", # first\n  "]",\n]\n', "")
        .replace("required = true\n", 'required = true\ncwd = "/w"\n')
        .replace('A = "1"', 'A = "2"')
        .replace("B = '''\nx\"'''\n", 'C = "d\\"\\n"\n'),
    );
  });

  test("gets a new table at its end", async () => {
    const { content } = await plan("codex", [server("new-one", "x")], "a = 1\r\n[b]\r\n# end");
    expect(content).toBe('a = 1\r\n[b]\r\n# end\r\n\r\n[mcp_servers.new-one]\r\ncommand = "x"\r\n');
  });

  test("loses a table with all below it", async () => {
    const known = { ours: (await plan("codex", [server("ours", "x", { env: { A: "1" } })], "")).hashes["ours"]! };
    const text = '[mcp_servers.ours]\ncommand = "x"\n[mcp_servers.ours.env]\nA = "1"\n\n# rest\n[z]\n';
    const { content, changes } = await plan("codex", [], text, { known });
    expect({ content, changes }).toEqual({ content: "\n# rest\n[z]\n", changes: { ours: "removed" } });
  });

  test.each([
    ['mcp_servers.ours.command = "x"\n'],
    ['mcp_servers = { ours = { command = "x" } }\n'],
    ['[mcp_servers]\nours = { command = "x" }\n'],
  ])("that says it in another form than tables is left to the person: %s", async (text) => {
    const { errors } = await plan("codex", [server("ours", "y")], text, { force: true });
    expect(errors).toEqual([
      {
        code: "not-writable",
        message: '/f: mcp_servers.ours is not written as a table [mcp_servers.ours]; change "ours" by hand',
      },
    ]);
  });

  test("that closes the map of servers cannot get another", async () => {
    const { errors } = await plan("codex", [server("b", "y")], 'mcp_servers = { a = { command = "x" } }\n');
    expect(errors.map(({ code }) => code)).toEqual(["not-writable"]);
  });
});

describe.each(["claude", "codex"])("what was written before, for %s", (target) => {
  const edited = (text: string) => text.replace('"x"', '"by hand"');

  test("is updated and removed", async () => {
    const { changes, errors, hashes } = await again(
      target,
      [server("a", "x"), server("b", "y"), server("c", "z")],
      (text) => text,
      [server("a", "other"), server("c", "z")],
    );
    expect({ changes, errors, names: Object.keys(hashes) }).toEqual({
      changes: { a: "updated", b: "removed", c: "unchanged" },
      errors: [],
      names: ["a", "c"],
    });
  });

  test("and then by hand is a conflict, unless forced", async () => {
    const { changes, errors, content } = await again(target, [server("a", "x")], edited, [server("a", "other")]);
    expect({ changes, content }).toEqual({ changes: { a: "conflict" }, content: "" });
    expect(errors).toEqual([
      { code: "conflict", server: "a", message: '/f: "a" was changed by hand; look at it, or use --force' },
    ]);
    const forced = await again(target, [server("a", "x")], edited, [server("a", "other")], true);
    expect(forced.changes).toEqual({ a: "updated" });
    expect(forced.content).toContain('"other"');
  });

  test("and then by hand is a conflict also when it is defined no more", async () => {
    const { changes, errors } = await again(target, [server("a", "x")], edited, []);
    expect(changes).toEqual({ a: "conflict" });
    expect(errors.map(({ code }) => code)).toEqual(["conflict"]);
    expect((await again(target, [server("a", "x")], edited, [], true)).changes).toEqual({ a: "removed" });
  });

  test("by somebody else is a conflict", async () => {
    const { content } = await plan(target, [server("a", "x")], "");
    const { errors } = await plan(target, [server("a", "y")], content);
    expect(errors).toEqual([
      {
        code: "conflict",
        server: "a",
        message: `/f: "a" is there already and is not Aura's; look at it, or use --force`,
      },
    ]);
  });
});
