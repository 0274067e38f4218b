import { expect, test } from "vitest";
import type { Message } from "../../../src/protocol/message.ts";
import type { ModelRequest, StreamPart } from "../../../src/providers/provider.ts";
import { parseScript, type Script, type ScriptTurn } from "../../../src/providers/script-file.ts";
import { openScripted } from "../../../src/providers/scripted.ts";

const script = (...turns: ScriptTurn[]): Script => ({ model: { name: "m", context: 500 }, turns });

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "m",
    system: "sys",
    messages: [],
    tools: [],
    think: "off",
    signal: new AbortController().signal,
    ...more,
  };
}
async function collect(stream: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const out: StreamPart[] = [];
  for await (const part of stream) out.push(part);
  return out;
}
const play = (turn: ScriptTurn, more?: Partial<ModelRequest>) =>
  collect(openScripted("s", script(turn)).stream(request(more)));
const fails = (message: string) => [{ type: "failed", failure: { kind: "script", message, retryable: false } }];

test("Texts come in chunks of characters, never inside one", async () => {
  const parts = await play({ text: "a😀bc", chunk: 2, usage: { input: 1, output: 2, cached: 1 } });
  expect(parts).toEqual([
    { type: "text", delta: "a😀" },
    { type: "text", delta: "bc" },
    { type: "part", part: { type: "text", text: "a😀bc" } },
    { type: "finished", reason: "stop", usage: { input: 1, output: 2, cached: 1 } },
  ]);
});

test("An input that is a string plays a model that wrote it by hand", async () => {
  const parts = await play({
    calls: [
      { tool: "A", input: '{"x":1}' },
      { tool: "B", input: "{" },
    ],
  });
  expect(parts.filter(({ type }) => type === "part")).toEqual([
    { type: "part", part: { type: "tool-call", callId: "call_1_1", tool: "A", input: { x: 1 } } },
    {
      type: "part",
      part: { type: "tool-call", callId: "call_1_2", tool: "B", input: "{", malformed: expect.any(String) },
    },
  ]);
});

test("An error ends the turn as a failure of its kind, after what was said", async () => {
  const parts = await play({ text: "well", error: { kind: "rate_limit", message: "slow down", retry_after_ms: 5 } });
  expect(parts.at(-1)).toEqual({
    type: "failed",
    failure: { kind: "rate_limit", message: "slow down", retryAfterMs: 5, retryable: true },
  });
  expect(parts[0]).toEqual({ type: "text", delta: "well" });
});

test("What is expected may stand in the system prompt, a text, a call or a result", async () => {
  const messages = [
    { parts: [{ type: "text", text: "hello there" }] },
    { parts: [{ type: "tool-call", callId: "c", tool: "Read", input: { path: "notes.md" } }] },
    { parts: [{ type: "tool-result", callId: "c", tool: "Read", text: "the notes", failed: false }] },
  ] as unknown as Message[];
  const turn = { text: "ok", expect: { contains: ["sys", "hello", "notes.md", "the notes"] } };
  expect((await play(turn, { messages })).at(-1)).toMatchObject({ type: "finished" });
});

test("An expectation that fails names the turn and what was missing", async () => {
  expect(await play({ expect: { contains: ["absent"] } })).toEqual(
    fails('Turn 1 of the script expected the request to contain "absent".'),
  );
  expect(await play({ expect: { tools: ["Bash"] } })).toEqual(
    fails('Turn 1 of the script expected the tool "Bash" to be offered.'),
  );
});

test("An expectation may also name what must not be said or offered", async () => {
  const tools = [{ name: "Bash", description: "", parameters: { type: "object" } }];
  expect((await play({ expect: { lacks: ["absent"], hides: ["Read"] } }, { tools })).at(-1)?.type).toBe("finished");
  expect(await play({ expect: { lacks: ["sys"] } })).toEqual(
    fails('Turn 1 of the script expected the request not to contain "sys".'),
  );
  expect(await play({ expect: { hides: ["Bash"] } }, { tools })).toEqual(
    fails('Turn 1 of the script expected the tool "Bash" not to be offered.'),
  );
});

test("A script that has ended says so; one that loops begins again", async () => {
  const once = openScripted("s", script({ text: "a" }));
  await collect(once.stream(request()));
  expect(await collect(once.stream(request()))).toEqual(
    fails("The script has ended: request 2 was made, but it has 1 turns."),
  );

  const round = openScripted("s", { ...script({ calls: [{ tool: "A", input: {} }] }, { text: "b" }), loop: true });
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    for (const part of await collect(round.stream(request()))) if (part.type === "call-started") ids.push(part.callId);
  }
  expect(ids).toEqual(["call_1_1", "call_3_1"]);
});

test("An abort ends a delay", async () => {
  const controller = new AbortController();
  const stream = openScripted("s", script({ text: "late", delay_ms: 3_600_000 })).stream(
    request({ signal: controller.signal }),
  );
  const all = collect(stream);
  controller.abort();
  expect(await all).toMatchObject([{ type: "failed", failure: { kind: "cancelled" } }]);
});

test("A script is YAML or JSON", async () => {
  const expected = {
    model: { name: "m" },
    turns: [{ text: "hi", calls: [{ tool: "Ls", input: { path: "." } }] }],
    loop: true,
  };
  const yaml =
    "model: {name: m}\nturns:\n  - text: hi\n    calls:\n      - tool: Ls\n        input: {path: .}\nloop: true\n";
  expect(await parseScript(yaml, "a.yaml")).toEqual(expected);
  expect(await parseScript(JSON.stringify(expected), "a.json")).toEqual(expected);
});

test.each([
  ["model: {name: m}\nturns: [{txt: hi}]", 'a.yaml: turns[1] has an unknown key "txt": did you mean "text"?'],
  ["model: {nam: m}\nturns: []", 'a.yaml: model has an unknown key "nam": did you mean "name"?'],
  ["model: {name: m}", 'a.yaml: the script lacks "turns"'],
  ["model: {name: m}\nturns: [{}, {calls: [{input: 1}]}]", 'a.yaml: turns[2].calls[1] lacks "tool"'],
  ["model: {name: m}\nturns: [{chunk: many}]", "a.yaml: turns[1].chunk must be a number, 0 or more"],
  ["model: {name: m}\nturns: {}", "a.yaml: turns must be a list"],
  ["[1]", "a.yaml: the script must be a map"],
])("A slip in a script is named with its place: %j", async (text, problem) => {
  await expect(parseScript(text, "a.yaml")).rejects.toThrow(problem);
});

test("Text that is neither JSON nor YAML is named with its file", async () => {
  await expect(parseScript("{", "a.json")).rejects.toThrow(/^a\.json: /);
});
