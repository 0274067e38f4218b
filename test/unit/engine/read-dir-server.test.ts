import { expect, test } from "vitest";
import { readDirServer } from "../../../src/engine/read-dir-server.ts";

const DEFAULTS = {
  args: [],
  env: {},
  headers: {},
  deferred: false,
  proxy: false,
  disabled: false,
  timeout: 10_000,
  callTimeout: 60_000,
  scope: "project",
  file: "/a/tools/x.md",
};

test.each([
  [
    "the example of the page",
    {
      transport: "stdio",
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-github"],
      env: { GITHUB_TOKEN: "$" + "{GITHUB_TOKEN}" },
    },
    {
      transport: "stdio",
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-github"],
      env: { GITHUB_TOKEN: "$" + "{GITHUB_TOKEN}" },
    },
  ],
  ["no transport", { command: "x" }, { transport: "stdio", command: "x" }],
  [
    "the newer spelling of http",
    { transport: "streamable-http", url: "http://a" },
    { transport: "http", url: "http://a" },
  ],
  [
    "sse",
    { transport: "sse", url: "http://a", headers: { A: "b" } },
    { transport: "sse", url: "http://a", headers: { A: "b" } },
  ],
  [
    "the transport as an object",
    { transport: { type: "stdio", command: "x", args: ["y"] } },
    { transport: "stdio", command: "x", args: ["y"] },
  ],
  ["a server that is off", { command: "x", enabled: false }, { transport: "stdio", command: "x", disabled: true }],
  [
    "a time limit and keys of the future",
    { command: "x", tool_timeout_secs: 5, oauth: {}, future: 1 },
    { transport: "stdio", command: "x", callTimeout: 5000 },
  ],
])("It reads %s", (_, fields, expected) => {
  expect(readDirServer("x", fields, { file: "/a/tools/x.md" })).toEqual({
    server: { ...DEFAULTS, name: "x", ...expected },
  });
});

test.each([
  ["stdio-no-command", "x", {}],
  ["remote-no-url", "x", { transport: "http" }],
  ["unknown-transport", "x", { transport: "pigeon" }],
  ["bad-name", "a__b", { command: "x" }],
  ["reserved-name", "proxy", { command: "x" }],
  ["parse-error", "x", { command: "x", tool_timeout_secs: "long" }],
])("%s", (code, name, fields) => {
  expect(readDirServer(name, fields, { file: "/a/tools/x.md" })).toMatchObject({ errors: [{ code }] });
});
