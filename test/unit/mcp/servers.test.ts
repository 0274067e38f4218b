import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { ServerDef } from "../../../src/config/mcp-server.ts";
import { wordState } from "../../../src/mcp/server-state.ts";
import { createServers, type ServersOptions } from "../../../src/mcp/servers.ts";
import type { ToolAccess } from "../../../src/toolkit/tool-access.ts";
import { RUDE, serversOptions, stdioDef } from "../../helpers/mcp.ts";

const rude = (name: string, manner: string, more: Partial<ServerDef> = {}) => stdioDef(name, [RUDE, manner], more);
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function open(defs: readonly ServerDef[], more: Partial<ServersOptions> = {}) {
  const world = serversOptions(more);
  const servers = createServers(world.options);
  opened.push(async () => {
    await servers.close();
    world.remove();
  });
  await servers.use({ servers: defs, errors: [] });
  return { ...world, servers };
}

const states = ({ statuses }: { statuses: readonly { name: string; state: { kind: string } }[] }) =>
  Object.fromEntries(statuses.map(({ name, state }) => [name, state.kind]));

function run(servers: Awaited<ReturnType<typeof open>>["servers"], name: string, input = {}, signal?: AbortSignal) {
  const known = servers.known().find(({ tool }) => tool.name === name);
  if (!known) throw new Error(`no tool ${name}`);
  const access = { callId: "c1", signal: signal ?? new AbortController().signal, print: () => undefined };
  return known.tool.run(input, access as unknown as ToolAccess);
}

test("a server that hangs, one that falls over and one that talks rubbish cost nothing but their own tools", async () => {
  const { servers, told } = await open([
    rude("good", "polite"),
    rude("talks", "garbage"),
    rude("hangs", "silent", { timeout: 700 }),
    rude("falls", "crash-at-start"),
    stdioDef("missing", [], { command: "there-is-no-such-program" }),
  ]);
  await servers.settled();
  expect(states(servers)).toEqual({
    good: "connected",
    talks: "connected",
    hangs: "failed",
    falls: "failed",
    missing: "failed",
  });
  expect([...told].sort()).toEqual(["falls: failed", "hangs: failed", "missing: failed"]);
  const reasons = servers.statuses.flatMap(({ state }) => ("reason" in state ? [state.reason] : []));
  expect(reasons[0]).toBe("it did not answer within 0.7 s");
  expect(reasons[1]).toContain("no licence found");
  expect(reasons[2]).toContain('cannot start "there-is-no-such-program"');
  expect(await run(servers, "mcp__talks__echo", { text: "hi" })).toEqual({
    text: '[data from the MCP server "talks"]\necho: hi',
  });
});

test("tools have names every provider takes, the same in every session", async () => {
  const { servers } = await open([rude("good", "polite")]);
  await servers.settled();
  const names = servers.known().map(({ tool }) => tool.name);
  expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
  const long = servers.known().find(({ tool }) => tool.name.startsWith("mcp__good__a_name"))!;
  expect(long.tool.name).toBe("mcp__good__a_name___with__signs__which_is_far_too_long__d369f689");
  expect(long.aliases?.[0]).toMatch(/^good__a name \/ with: signs/);
  expect(names).not.toContain("mcp__good__no schema");
});

test("a server that falls over during a call fails that call, and is back for the next", async () => {
  const { servers, told } = await open([rude("good", "polite")]);
  await servers.settled();
  await expect(run(servers, "mcp__good__crash")).rejects.toThrow(
    'the MCP server "good" ended during the call: it ended. It is started anew for the next one.',
  );
  expect(told).toEqual(["good: crashed"]);
  expect(await run(servers, "mcp__good__echo", { text: "again" })).toMatchObject({
    text: expect.stringContaining("echo: again"),
  });
});

test("a call that says nothing is given up after its time, and one that is cancelled at once", async () => {
  const { servers } = await open([rude("good", "polite", { callTimeout: 300 })]);
  await servers.settled();
  await expect(run(servers, "mcp__good__hang")).rejects.toThrow(
    'the MCP server "good" sent nothing for 0.3 s: the call was given up',
  );
  const stop = new AbortController();
  const running = run(servers, "mcp__good__hang", {}, stop.signal);
  stop.abort();
  await expect(running).rejects.toThrow();
});

test("a result of 20 MB is cut before it goes anywhere", async () => {
  const { servers } = await open([rude("good", "polite")]);
  await servers.settled();
  const result = (await run(servers, "mcp__good__huge", { size: 20_000_000 })) as { text: string };
  expect(result.text.length).toBeLessThan(1_100_000);
  expect(result.text).toContain("characters left out");
});

test("parts of a result that nobody knows are shown as they are", async () => {
  const { servers } = await open([rude("good", "polite")]);
  await servers.settled();
  expect(await run(servers, "mcp__good__strange")).toEqual({
    text: '[data from the MCP server "good"]\n{"type":"hologram","shape":1}\n{}\n\n[image (undefined) left out]\n{"a":1}',
  });
});

test("a list that changes is followed: new tools come last, lost ones say so", async () => {
  const { servers, until } = await open([rude("good", "polite")]);
  await servers.settled();
  const before = servers.known().map(({ tool }) => tool.name);
  expect(before.at(-1)).toBe("mcp__good__removed");
  await run(servers, "mcp__good__change");
  const find = (name: string) => servers.known().find(({ tool }) => tool.name === name);
  await until(() => find("mcp__good__added") !== undefined);
  expect(find("mcp__good__removed")?.unavailable?.value).toBe('server "good" does not offer it any more');
  expect(servers.known().map(({ tool }) => tool.name)).toEqual([
    ...before.slice(0, -1),
    "mcp__good__added",
    "mcp__good__removed",
  ]);
});

test("tools of a server that ran before are known without starting it, from a file only we read", async () => {
  const world = serversOptions();
  opened.push(async () => world.remove());
  const defs = [rude("good", "polite", { file: "/home/.aura/config/mcp/good.yaml", line: 3 })];
  const first = createServers(world.options);
  await first.use({ servers: defs, errors: [] });
  await first.settled();
  const names = first.known().map(({ tool }) => tool.name);
  await first.close();
  const dir = join(world.dir, "mcp");
  const files = readdirSync(dir).filter((file) => file.endsWith(".json"));
  expect(files).toEqual([expect.stringMatching(/^good-[0-9a-f]{12}\.json$/)]);
  expect(statSync(join(dir, files[0]!)).mode & 0o777).toBe(0o600);

  const second = createServers(serversOptions({ manifests: world.options.manifests }).options);
  opened.push(() => second.close());
  await second.use({ servers: defs, errors: [] });
  second.start("stale");
  expect(second.known().map(({ tool }) => tool.name)).toEqual(names);
  expect(states(second)).toEqual({ good: "idle" });
  expect(await run(second, "mcp__good__echo", { text: "now" })).toMatchObject({
    text: expect.stringContaining("echo: now"),
  });
  expect(states(second)).toEqual({ good: "connected" });

  const third = createServers(serversOptions({ manifests: world.options.manifests }).options);
  opened.push(() => third.close());
  await third.use({ servers: [{ ...defs[0]!, args: [RUDE, "polite", "1"] }], errors: [] });
  expect(third.known()).toEqual([]);
});

test("a server that could not be reached last time is not waited for", async () => {
  const world = serversOptions();
  opened.push(async () => world.remove());
  const defs = [rude("hangs", "silent", { timeout: 300 })];
  const first = createServers(world.options);
  await first.use({ servers: defs, errors: [] });
  await first.settled();
  await first.close();
  const second = createServers(serversOptions({ manifests: world.options.manifests }).options);
  opened.push(() => second.close());
  await second.use({ servers: [{ ...defs[0]!, timeout: 60_000 }], errors: [] });
  expect(second.statuses.map(wordState)).toEqual([
    "not started: it could not be reached last time; /mcp reconnect hangs tries it now",
  ]);
  second.start("stale");
  expect(states(second)).toEqual({ hangs: "connecting" });
  await second.introduced();
  expect(states(second)).toEqual({ hangs: "connecting" });
});

test("the lists of a definition leave tools out by bare name, and say where they are written", async () => {
  const place = { file: "/x/mcp/good.yaml", line: 7 };
  const { servers } = await open([
    rude("only", "polite", { enabledTools: ["ec*"], ...place }),
    rude("without", "polite", { disabledTools: ["echo"], ...place }),
  ]);
  await servers.settled();
  const reason = (name: string) => servers.known().find(({ tool }) => tool.name === name)?.unavailable;
  expect(reason("mcp__only__echo")).toBeUndefined();
  expect(reason("mcp__only__huge")).toEqual({ value: 'server filter: not in enabledTools of "only"', ...place });
  expect(reason("mcp__without__echo")).toEqual({ value: 'server filter: in disabledTools of "without"', ...place });
});

test("a server that must not run is never started, and its known tools say why", async () => {
  const world = serversOptions();
  opened.push(async () => world.remove());
  const defs = [rude("good", "polite")];
  const first = createServers(world.options);
  await first.use({ servers: defs, errors: [] });
  await first.settled();
  await first.close();
  const { servers } = await open(defs, { manifests: world.options.manifests, blocked: () => "not trusted" });
  servers.start("all");
  await servers.settled();
  expect(states(servers)).toEqual({ good: "disabled" });
  expect(new Set(servers.known().map(({ unavailable }) => unavailable?.value))).toEqual(
    new Set(['server "good": not trusted']),
  );
  await expect(run(servers, "mcp__good__echo")).rejects.toThrow("not trusted");
});

test("servers beyond the budget are deferred whole, with the reason, and stay so", async () => {
  const { servers } = await open(
    [
      rude("a", "polite"),
      rude("b", "polite"),
      rude("c", "polite", { deferred: true }),
      rude("d", "polite", { proxy: true }),
    ],
    { budget: () => 500 },
  );
  await servers.settled();
  expect(servers.costs.map(({ name, visibility }) => [name, visibility])).toEqual([
    ["a", "eager"],
    ["b", "deferred"],
    ["c", "deferred"],
    ["d", "proxied"],
  ]);
  const because = servers.known().find(({ server }) => server === "b")?.visibility?.because.value;
  expect(because).toMatch(/^its 9 tools \(about \d+ tokens\) would exceed the 500 tokens that MCP tools may take$/);
});

test("a definition that changes ends the old server and leaves the others alone", async () => {
  const { servers, until } = await open([rude("a", "polite"), rude("b", "polite")]);
  await servers.settled();
  const kept = servers.find("a");
  await servers.use({ servers: [rude("a", "polite"), rude("b", "garbage")], errors: [] });
  expect(servers.find("a")).toBe(kept);
  expect(states(servers)).toEqual({ a: "connected", b: "idle" });
  servers.start("all");
  await until(() => servers.find("b")?.state.kind === "connected");
});

test("a server gets little of our environment and all of its own", async () => {
  const { servers } = await open([rude("good", "polite", { env: { MINE: "yes" } })], {
    env: { PATH: process.env["PATH"], HOME: "/home/x", OPENAI_API_KEY: "sk-secret" },
  });
  await servers.settled();
  const value = async (name: string) => ((await run(servers, "mcp__good__env", { name })) as { text: string }).text;
  expect(await value("MINE")).toContain("yes");
  expect(await value("HOME")).toContain("/home/x");
  expect(await value("OPENAI_API_KEY")).toContain("undefined");
});
