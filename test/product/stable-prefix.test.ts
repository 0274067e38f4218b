// Providers keep what they have read of a prompt, as long as the next one begins with the same bytes. Real engine, real
// request bodies.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openConversation } from "../../src/index.ts";
import { type ModelServer, startModelServer } from "../helpers/model-server/model-server.ts";
import type { ModelTurn } from "../helpers/model-server/turn.ts";
import { createStage, type Stage } from "../helpers/scenario-project.ts";

const WIRES = [
  { type: "anthropic", path: "/anthropic/v1", model: "claude-sonnet-4-5" },
  { type: "openai", path: "/openai/v1", model: "gpt-5.2" },
  { type: "openai-compatible", path: "/v1", model: "m" },
  { type: "openrouter", path: "/openrouter/v1", model: "maker/model" },
  { type: "google", path: "/gemini/v1beta", model: "gemini-2.5-pro" },
] as const;
type WireType = (typeof WIRES)[number]["type"];

let server: ModelServer;
const stages: Stage[] = [];
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});
afterEach(() => {
  for (const stage of stages.splice(0)) stage.remove();
});

/** What the model does with its 30 calls: every kind of result there is, but none that is refused before it runs. */
const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ["Ls", {}],
  ["Read", { path: "a.txt" }],
  ["Read", { path: "missing.txt" }],
  ["Rg", { pattern: "alpha" }],
  ["Glob", { pattern: "**/*" }],
  ["Bash", { command: "echo out; echo err >&2; exit 3" }],
  ["Bash", { command: "seq 1 300" }],
  ["TodoCreate", { summary: "Work", items: [{ content: "one" }, { content: "two" }] }],
  ["TodoProgress", { updates: [{ index: 1, status: "completed" }] }],
  ["Write", { path: "b.txt", content: "ü € 😀\n" }],
  ["Patch", { patch: "*** Begin Patch\n*** Update File: b.txt\n-ü € 😀\n+ü\n*** End Patch" }],
  ["MemoryWrite", { key: "k", content: "remembered" }],
  ["MemoryRead", {}],
  [
    "Batch",
    {
      calls: [
        { name: "Read", arguments: { path: "b.txt" } },
        { name: "Ls", arguments: {} },
      ],
    },
  ],
  ["Mkdir", { paths: ["new"] }],
];
const TURNS: readonly ModelTurn[] = [
  ...Array.from({ length: 30 }, (_, at): ModelTurn => {
    const [name, input] = CALLS[at % CALLS.length]!;
    return {
      ...(at % 3 === 0 && { thinking: { pieces: ["Thinking ", `of ${at}.`], sign: `sign-${at}` } }),
      ...(at % 2 === 0 && { text: [`Step ${at}.`] }),
      calls: [{ id: `c${at}`, name, json: JSON.stringify(input) }],
    };
  }),
  { text: ["All ", "done."] },
];

function createProject(wire: (typeof WIRES)[number]): Stage {
  const stage = createStage("aura-prefix-");
  stages.push(stage);
  stage.put({ "a.txt": "alpha\n" });
  const entry = `{ type: ${wire.type}, url: "${server.url}${wire.path}", token: secret-token-1 }`;
  stage.put({ ".aura/config/providers/p.yaml": `mine: ${entry}\n` }, stage.home);
  return stage;
}

/** Sends the prompts one after the other and returns the canonical form of every request. */
async function talk(stage: Stage, wire: (typeof WIRES)[number], prompts: readonly string[]): Promise<string[][]> {
  const from = server.requests.length;
  const opened = await openConversation({
    cwd: stage.project,
    env: { PATH: process.env["PATH"], HOME: stage.home },
    shipped: stage.root,
    provider: "mine",
    model: wire.model,
    think: "medium",
    approveAll: true,
  });
  if (opened.kind === "refused") throw new Error(opened.problem);
  const { conversation } = opened;
  try {
    const events = conversation.events()[Symbol.asyncIterator]();
    for (const text of prompts) {
      conversation.send({ type: "prompt", text });
      for (;;) {
        const { value: event } = await events.next();
        if (event?.type !== "turn-finished") continue;
        expect([event.reason, event.error]).toEqual(["answered", undefined]);
        break;
      }
    }
  } finally {
    await conversation.close();
  }
  return server.requests.slice(from).map(({ body }) => canonical(wire.type, body));
}

/**
 * A request in the order providers cache it: tools, system prompt, messages, one line each. Markers that say where to
 * cache, and the ids of items, are no text of the prompt.
 */
// biome-ignore lint/suspicious/noExplicitAny: bodies of five formats
function canonical(type: WireType, body: any): string[] {
  const strip = (key: string, value: unknown) =>
    key === "cache_control" || (key === "id" && type === "openai") ? undefined : value;
  const lines = (value: unknown) =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((item) => JSON.stringify(item, strip));
  switch (type) {
    case "anthropic":
      return [...lines(body.tools), ...lines(body.system), ...lines(body.messages)];
    case "openai":
      return [...lines(body.tools), ...lines(body.instructions), ...lines(body.input)];
    case "google":
      return [...lines(body.tools), ...lines(body.systemInstruction), ...lines(body.contents)];
    case "openai-compatible":
    case "openrouter":
      return [...lines(body.tools), ...lines(body.messages)];
  }
}

/** The tools of a request, and all the rest of it in the order of `canonical`. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of five formats
function withoutTools(type: WireType, body: any): { names: string[]; tools: string[]; rest: string[] } {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of five formats
  const tools: any[] = type === "google" ? body.tools[0].functionDeclarations : body.tools;
  return {
    names: tools.map((tool) => tool.name ?? tool.function.name),
    tools: tools.map(({ cache_control: _, ...tool }) => JSON.stringify(tool)),
    rest: canonical(type, { ...body, tools: undefined }),
  };
}

function commonPrefix(a: Buffer, b: Buffer): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

describe.each(WIRES)("$type", (wire) => {
  test("every request of a session of 30 calls begins with the whole one before it", async () => {
    const stage = createProject(wire);
    server.play(...TURNS);
    const requests = await talk(stage, wire, ["work", "and now?"]);
    expect(requests).toHaveLength(32);
    expect(stage.files()).toMatchObject({ "b.txt": "ü\n", ".aura/memory/k.md": "remembered" });
    for (const [at, before] of requests.slice(0, -1).entries()) {
      const after = requests[at + 1]!;
      expect(after.length, `request ${at + 2} has more than the one before it`).toBeGreaterThan(before.length);
      expect(after.slice(0, before.length), `request ${at + 2} begins with request ${at + 1}`).toEqual(before);
    }
  });

  test("loading deferred tools adds schemas behind the others and changes no byte of what was there", async () => {
    const stage = createProject(wire);
    const features = "tools: { deferred: [Todo*, MemoryRead] }";
    stage.put({ ".aura/config/features/tools.yaml": features }, stage.home);
    const call = (id: string, tools: readonly string[]) => ({ id, name: "LoadTools", json: JSON.stringify({ tools }) });
    server.play(
      { calls: [call("c1", ["TodoProgress"])] },
      { calls: [call("c2", ["TodoList", "MemoryRead"])] },
      { text: ["Done."] },
      { text: ["Still here."] },
    );
    const from = server.requests.length;
    await talk(stage, wire, ["work", "and now?"]);
    const bodies = server.requests.slice(from).map(({ body }) => withoutTools(wire.type, body));
    const added = [[], ["TodoProgress"], ["TodoProgress", "TodoList", "MemoryRead"]];
    const first = bodies[0]!;
    expect(first.names).toContain("LoadTools");
    expect(bodies.map(({ names }) => names)).toEqual([...added, added[2]!].map((more) => [...first.names, ...more]));
    for (const [at, { tools, rest }] of bodies.entries()) {
      const before = bodies[at - 1] ?? { tools: [], rest: [] };
      expect(tools.slice(0, before.tools.length)).toEqual(before.tools);
      expect(rest.slice(0, before.rest.length), "system prompt and messages").toEqual(before.rest);
    }
    expect(first.rest.join("\n")).toContain("<available-deferred-tools>");
  });

  test("two sessions of a project begin with the same bytes, two projects with 98 % of them", async () => {
    const stage = createProject(wire);
    const other = createProject(wire);
    server.play({ text: ["Hi."] });
    const [first] = await talk(stage, wire, ["hello"]);
    const [second] = await talk(stage, wire, ["hello"]);
    expect(second).toEqual(first);
    const [third] = await talk(other, wire, ["hello"]);
    const [a, b] = [first, third].map((lines) => Buffer.from(lines!.join("\n"))) as [Buffer, Buffer];
    expect(commonPrefix(a, b) / a.length).toBeGreaterThanOrEqual(0.98);
    expect(a.length, "bytes of the first request").toBeLessThan(12_000);
  });
});
