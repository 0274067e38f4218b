import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type OpenOptions, openConversation } from "../../../src/index.ts";
import type { Event } from "../../../src/protocol/event.ts";
import { RUDE } from "../../helpers/mcp.ts";
import { createStage } from "../../helpers/scenario-project.ts";
import { startSignInServer } from "../../helpers/sign-in-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A conversation with these servers, in which one waits for what is told. */
async function open(servers: string, turns: readonly object[], more: Partial<OpenOptions> = {}) {
  const stage = createStage();
  closers.push(stage.remove);
  stage.put({ ".aura/config/mcp/s.yaml": servers });
  const script = join(stage.root, "script.json");
  writeFileSync(script, JSON.stringify({ model: { name: "story", context: 64_000 }, turns }));
  const env = { HOME: stage.home, PATH: process.env["PATH"], RUDE_LOG: join(stage.root, "pids"), ...more.env };
  const opened = await openConversation({
    cwd: stage.project,
    shipped: stage.root,
    script,
    trust: true,
    approveAll: true,
    ...more,
    env,
  });
  if (opened.kind === "refused") throw new Error(opened.problem);
  const { conversation } = opened;
  closers.push(() => conversation.close());
  const events = conversation.events()[Symbol.asyncIterator]();
  const seen: Event[] = [];
  /** The next event of which the claim holds. */
  const next = async (claim: (event: Event) => boolean): Promise<Event> => {
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error(`never told: ${JSON.stringify(seen.slice(-5))}`);
      seen.push(value);
      if (claim(value)) return value;
    }
  };
  const command = async (line: string) => {
    conversation.send({ type: "command", line });
    const event = await next((told) => told.type === "command-finished" && told.line === line);
    return event.type === "command-finished" ? event.text : undefined;
  };
  return { ...stage, conversation, next, command };
}

const rude = (name: string, manner: string, log = "") =>
  `${name}: { command: "${process.execPath}", args: ["${RUDE}", ${manner}]${log && `, env: { RUDE_LOG: "${log}" }`} }\n`;
const isNotice = (text: string) => (event: Event) => event.type === "notice" && event.text.includes(text);

test("a conversation is open before any server is started", async () => {
  const { root, command } = await open(rude("hangs", "silent", "$RUDE_LOG"), [{ text: "hi" }], { setUp: true });
  expect(existsSync(join(root, "pids"))).toBe(false);
  expect(await command("/mcp")).toMatch(/^- hangs: not started|^~ hangs: connecting/);
});

test("a server's instructions close the system prompt, marked as its words, and its tools are there", async () => {
  const { conversation, next } = await open(rude("good", "polite"), [
    {
      expect: { contains: ['<mcp-server-instructions server="good">', "You are free.\n</mcp-server-instructions>"] },
      calls: [{ tool: "mcp__good__echo", input: { text: "hi" } }],
    },
    { text: "done" },
  ]);
  conversation.send({ type: "prompt", text: "go" });
  const call = await next((event) => event.type === "call-changed" && event.call.status === "done");
  expect(call).toMatchObject({ call: { output: { text: '[data from the MCP server "good"]\necho: hi' } } });
  expect(await next((event) => event.type === "turn-finished")).toMatchObject({ reason: "answered" });
});

test("the person is told of a server that fails, and /mcp reconnect tries it anew", async () => {
  const { conversation, next, command } = await open(rude("falls", "crash-at-start"), [{ text: "done" }]);
  conversation.send({ type: "prompt", text: "go" });
  await next(isNotice('MCP server "falls" failed'));
  expect(await command("/mcp reconnect falls")).toContain("falls: failed");
  await expect(command("/mcp reconnect other")).resolves.toContain('there is no MCP server "other": there are falls');
});

test("/mcp auth opens the browser, and the server is connected when the person has signed in", async () => {
  const server = await startSignInServer();
  closers.push(server.close);
  const bin = createStage();
  closers.push(bin.remove);
  const browser = join(bin.root, "browser");
  writeFileSync(browser, `#!${process.execPath}\nfetch(process.argv[2]);\n`);
  chmodSync(browser, 0o755);
  const definition = `remote: { transport: http, url: "${server.url}" }\n`;
  const { conversation, next, command } = await open(definition, [{ text: "done" }], { env: { BROWSER: browser } });
  conversation.send({ type: "prompt", text: "go" });
  await next(isNotice("needs a sign-in: /mcp auth remote"));
  await next((event) => event.type === "turn-finished");
  expect(await command("/mcp auth remote")).toMatch(/^Signing in at http:\/\/127\.0\.0\.1:\d+ …$/);
  await next(isNotice("remote: signed in; connected (1 tool)"));
  expect(await command("/mcp")).toMatch(/^\+ remote: connected \(1 tool\)/);
});
