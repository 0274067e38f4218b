import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ServerDef } from "../../../src/config/mcp-server.ts";
import { createServers, type Servers } from "../../../src/mcp/servers.ts";
import type { ToolAccess } from "../../../src/toolkit/tool-access.ts";
import { startForgetfulServer } from "../../helpers/forgetful-mcp-server.ts";
import { RUDE, serversOptions, stdioDef } from "../../helpers/mcp.ts";

// Pauses between restarts pass when a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of opened.splice(0).reverse()) await close();
});

async function open(makeDef: (dir: string) => ServerDef) {
  const world = serversOptions();
  const servers = createServers(world.options);
  opened.push(async () => {
    await servers.close();
    world.remove();
  });
  await servers.use({ servers: [makeDef(world.dir)], errors: [] });
  const [{ name } = { name: "" }] = servers.statuses;
  const server = servers.find(name)!;
  await server.connect();
  /** Ends the server in a call; what becomes of it is known when this resolves. */
  const fall = async () => {
    await call(servers, `mcp__${name}__crash`).catch(() => undefined);
    await world.until(() => server.state.kind !== "connected");
  };
  return { ...world, servers, server, fall };
}

function call(servers: Servers, name: string) {
  const { tool } = servers.known().find((known) => known.tool.name === name)!;
  const access = { callId: "c1", signal: new AbortController().signal, print: () => undefined };
  return tool.run({}, access as unknown as ToolAccess);
}

const polite = () => stdioDef("good", [RUDE, "polite"]);

test("a server that ends by itself is started anew after a pause that doubles, and given up the fifth time", async () => {
  const { server, until, fall, told } = await open(polite);
  for (const pause of [1_000, 2_000, 4_000, 8_000]) {
    await fall();
    expect(server.state).toEqual({ kind: "crashed", reason: expect.stringContaining("it ended") });
    vi.advanceTimersByTime(pause - 1);
    expect(server.state.kind).toBe("crashed");
    vi.advanceTimersByTime(1);
    expect(server.state.kind).toBe("connecting");
    await until(() => server.state.kind === "connected");
  }
  await fall();
  expect(server.state).toEqual({
    kind: "failed",
    reason: "it ended, 5 times in a row. Try /mcp reconnect good\nabout to fall over",
  });
  vi.advanceTimersByTime(600_000);
  expect(server.state.kind).toBe("failed");
  expect(told).toEqual([...Array.from({ length: 4 }, () => "good: crashed"), "good: failed"]);

  await server.reconnect();
  await fall();
  expect(server.state.kind).toBe("crashed"); // a person's restart begins the count anew
});

test("a restart that fails is tried again as well, until it was tried often enough", async () => {
  const { server, until, fall, dir } = await open((folder) => {
    const program = join(folder, "server.mjs");
    writeFileSync(program, `await import(${JSON.stringify(RUDE)});\n`);
    return stdioDef("good", [program]);
  });
  writeFileSync(join(dir, "server.mjs"), "process.exit(1);\n");
  await fall();
  for (const pause of [1_000, 2_000, 4_000]) {
    vi.advanceTimersByTime(pause);
    expect(server.state.kind).toBe("connecting");
    await until(() => server.state.kind === "crashed");
  }
  vi.advanceTimersByTime(8_000);
  await until(() => server.state.kind === "failed");
  expect(server.state).toMatchObject({ reason: expect.stringContaining("5 times in a row") });
});

test("a remote server that was started anew is greeted anew, and a call it has not made is made once", async () => {
  vi.useRealTimers();
  const remote = await startForgetfulServer();
  opened.push(() => remote.close());
  const { servers } = await open(() => stdioDef("far", [], { transport: "http", url: remote.url }));
  const text = async () => ((await call(servers, "mcp__far__count")) as { text: string }).text.split("\n")[1];
  expect(await text()).toBe("call 1 in session s1");
  remote.forget();
  expect((await Promise.all([text(), text(), text()])).sort()).toEqual([
    "call 2 in session s2",
    "call 3 in session s2",
    "call 4 in session s2",
  ]);
  expect(remote.sessions).toBe(2);
});
