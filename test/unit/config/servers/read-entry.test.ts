// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what this is about
import { describe, expect, test } from "vitest";
import { warningsOf } from "../../../../src/config/servers/check-server.ts";
import { checkName, readEntry, serverDef } from "../../../../src/config/servers/read-entry.ts";
import { load } from "../homes-fixture.ts";

describe("one definition", () => {
  test.each([
    [{ command: "x" }, {}],
    [{ type: "http", url: "u" }, {}],
    [{ transport: "sse", url: "u" }, {}],
    [{ transport: "in-memory" }, {}],
    [{ command: "x", enabledTools: ["a"] }, {}],
    [{ command: "x", env: { PORT: 80 }, args: [1, true] }, {}],
    [
      { command: "x", enabledTools: ["a"], disabledTools: ["b"] },
      { code: "both-filters", path: ["disabledTools"] },
    ],
    [
      { command: "x", enabledTools: [], disabledTools: ["b"] },
      { code: "both-filters", path: ["disabledTools"] },
    ],
    [
      { command: "x", enabledTools: [], disabledTools: [] },
      { code: "both-filters", path: ["disabledTools"] },
    ],
    [{ command: "x", enabledTools: null, disabledTools: [] }, {}],
    [{}, { code: "stdio-no-command", path: [] }],
    [{ command: "" }, { code: "stdio-no-command", path: [] }],
    [{ url: "u" }, { code: "stdio-no-command", path: [] }],
    [{ transport: "http" }, { code: "remote-no-url", path: [] }],
    [
      { transport: "sse", command: "x" },
      { code: "remote-no-url", path: [] },
    ],
    [
      { transport: "websocket", url: "u" },
      { code: "unknown-transport", path: ["transport"] },
    ],
    [
      { type: "streamable-http", url: "u" },
      { code: "unknown-transport", path: ["type"] },
    ],
    [
      { type: "http", transport: "sse", url: "u" },
      { code: "unknown-field", path: ["type"] },
    ],
    [{ comand: "x" }, { code: "unknown-field", path: ["comand"] }],
    [
      { command: "x", args: "y" },
      { code: "parse-error", path: ["args"] },
    ],
    [
      { command: "x", args: ["a", {}] },
      { code: "parse-error", path: ["args", "1"] },
    ],
    [
      { command: "x", env: { A: [] } },
      { code: "parse-error", path: ["env", "A"] },
    ],
    [
      { command: "x", timeout: "soon" },
      { code: "parse-error", path: ["timeout"] },
    ],
    [
      { command: "x", scope: "team" },
      { code: "parse-error", path: ["scope"] },
    ],
    [
      { command: "x", condition: "modle_is:x" },
      { code: "parse-error", path: ["condition"] },
    ],
    [[], { code: "parse-error", path: [] }],
  ])("%j", (data, expected) => {
    const [issue] = readEntry(data).issues;
    expect(issue ? { code: issue.code, path: issue.path } : {}).toEqual(expected);
  });

  test("has defaults", () => {
    const { entry } = readEntry({ type: "http", url: "u", timeout: "30s", callTimeout: 5000 });
    expect(serverDef("Docs", entry, { file: "f", line: 3 })).toEqual({
      name: "docs",
      transport: "http",
      url: "u",
      args: [],
      env: {},
      headers: {},
      deferred: false,
      proxy: false,
      disabled: false,
      timeout: 30_000,
      callTimeout: 5000,
      scope: "project",
      file: "f",
      line: 3,
    });
  });

  test.each([
    ["github", undefined],
    ["My-Server_2", undefined],
    ["a__b", "bad-name"],
    ["a_", "bad-name"],
    ["my server", "bad-name"],
    ["", "bad-name"],
    ["ünï", "bad-name"],
    ["proxy", "reserved-name"],
    ["PROXY", "reserved-name"],
  ])("called %j is fine, or %s", (name, code) => {
    expect(checkName(name)?.code).toBe(code);
  });

  test.each([
    [{ transport: "http", url: "u", command: "x" }, ["command-ignored"]],
    [{ command: "x", url: "u" }, ["field-dropped"]],
    [{ command: "x", deferred: true, proxy: true }, ["proxied-wins"]],
    [{ command: "x", env: { API_KEY: "abcdef123456789" } }, ["literal-secret"]],
    [{ command: "x", env: { API_KEY: "${API_KEY}", KEY_FILE: "/home/x/key1234567890" } }, []],
    [{ command: "x", args: ["--token", "ghp_abcdefghijklmnopqrstuvwxyz0123"] }, ["literal-secret"]],
    [{ transport: "http", url: "u", headers: { Authorization: "Bearer ${T}" } }, []],
    [{ transport: "http", url: "u", headers: { Authorization: "Bearer 0123456789abcdef" } }, ["literal-secret"]],
  ])("%j is warned about with %j", (data, codes) => {
    const { entry, issues } = readEntry(data);
    expect(issues).toEqual([]);
    expect(warningsOf(serverDef("x", entry)).map(({ code }) => code)).toEqual(codes);
  });
});

describe("a file of our own", () => {
  test("reports codes with file and line, and keeps nothing of a wrong entry", async () => {
    const config = await load({
      "config/mcp/a.yaml": [
        "Fine: { command: x }",
        "both:",
        "  command: x",
        "  enabledTools: []",
        "  disabledTools: [a]",
        "typo:",
        "  comand: x",
        "a__b: { command: x }",
        "proxy: { command: x }",
        "",
      ].join("\n"),
    });
    const root = config.homes.projects[0]!;
    expect(
      config.problems.map(({ file, line, code, entity }) => [file.slice(root.length + 1), line, code, entity]),
    ).toEqual([
      ["config/mcp/a.yaml", 5, "both-filters", "both"],
      ["config/mcp/a.yaml", 7, "unknown-field", "typo"],
      ["config/mcp/a.yaml", 8, "bad-name", "a__b"],
      ["config/mcp/a.yaml", 9, "reserved-name", "proxy"],
    ]);
    expect(config.problems[1]!.message).toBe('typo: unknown key "comand" (did you mean "command"?)');
    expect([...config.mcp.keys()]).toEqual(["fine"]);
  });
});
