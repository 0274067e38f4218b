import { expect, test } from "vitest";
import type { McpServerLine } from "../../../src/commands/controls.ts";
import { createCommands } from "../../../src/commands/registry.ts";
import { fakeControls, fakeWorld } from "../../helpers/fake-controls.ts";

const SERVERS: McpServerLine[] = [
  {
    name: "github",
    transport: "http",
    state: "connected",
    words: "connected (2 tools)",
    tools: 2,
    cost: { tokens: 1234, visibility: "eager" },
  },
  {
    name: "files",
    transport: "stdio",
    state: "failed",
    words: "failed: it ended\nno licence",
    tools: 0,
    file: "/x/mcp.yaml",
  },
];

const run = (line: string, servers: McpServerLine[] = SERVERS) =>
  createCommands().run(line, fakeControls(fakeWorld({ servers })));

test("/mcp lists the servers with their states and what they cost", async () => {
  expect(await run("/mcp")).toEqual({
    text: [
      "+ github: connected (2 tools) — about 1234 tokens, eager",
      "x files: failed: it ended",
      "    no licence",
      "    (/x/mcp.yaml)",
    ].join("\n"),
    data: SERVERS,
  });
  expect((await run("/mcp", [])).text).toContain("No MCP servers are configured");
});

test("/mcp reconnect takes one server or all, /mcp auth needs one", async () => {
  expect(await run("/mcp reconnect")).toEqual({ text: "reconnected all" });
  expect(await run("/mcp reconnect github")).toEqual({ text: "reconnected github" });
  expect(await run("/mcp auth github")).toEqual({ text: "signing in at github (auto)" });
  expect(await run("/mcp auth github device")).toEqual({ text: "signing in at github (device)" });
  const usage = "usage: /mcp [reconnect [server] | auth <server> [device]]";
  for (const line of ["/mcp auth", "/mcp list", "/mcp auth github phone", "/mcp reconnect a b"])
    expect(await run(line)).toEqual({ text: usage, failed: true });
});

test("/context says what each server takes", async () => {
  expect((await run("/context")).text).toMatch(/\n {2}MCP github: 2 tools, 1\.2k tokens, in every request$/);
});
