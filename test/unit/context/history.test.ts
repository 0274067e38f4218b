import fc from "fast-check";
import { expect, test } from "vitest";
import { History } from "../../../src/context/history.ts";
import { callsOf, isPaired } from "../../../src/context/pairing.ts";
import type { Message } from "../../../src/protocol/message.ts";
import { prompt, reply, result, withUsage } from "../../helpers/messages.ts";

const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

test("What the model sees only grows at its end while calls succeed", () => {
  const history = new History();
  let before: readonly Message[] = [];
  const grown = (...messages: Message[]) => {
    for (const message of messages) history.add(message);
    const now = history.forModel();
    expect(now.slice(0, before.length).every((message, at) => message === before[at])).toBe(true);
    before = now;
  };
  grown(prompt("u1", "go"));
  for (let step = 0; step < 30; step++)
    grown(
      reply(`a${step}`, "", [`c${step}`, `d${step}`]),
      result(`r${step}`, `c${step}`),
      result(`s${step}`, `d${step}`),
    );
  grown(prompt("n1", "injected", "synthetic"));
  grown(reply("z", "done"), prompt("u2", "more"));
  expect(before).toHaveLength(94);
});

test("A message goes with all that came after it, and calls stay paired", () => {
  const history = new History();
  const messages = [
    prompt("u1", "go"),
    reply("a1", "", ["c1"]),
    result("r1", "c1"),
    prompt("u2", "typed meanwhile"),
    reply("a2", "done"),
  ];
  for (const message of messages) history.add(message);
  expect(ids(history.dropFrom("nowhere"))).toEqual([]);
  expect(ids(history.dropFrom("u2"))).toEqual(["u2", "a2"]);
  expect(ids(history.forModel())).toEqual(["u1", "a1", "r1"]);
  expect(isPaired(history.forModel())).toBe(true);
  for (const message of messages.slice(3)) history.add(message);
  expect(ids(history.forModel())).toEqual(["u1", "a1", "r1", "u2", "a2"]);
});

test("A failed call is seen once and then gone with its result; screens keep the reply, exports do not", () => {
  const refused = reply("a1", "", ["c1"]);
  const history = new History([prompt("u1", "go"), refused, result("r1", "c1", "Error: denied", "ephemeral")]);
  expect(ids(history.forModel())).toEqual(["u1", "a1", "r1"]);
  history.add(reply("a2", "then not"));
  expect(ids(history.forModel())).toEqual(["u1", "a2"]);
  expect(history.forDisplay()).toEqual([prompt("u1", "go"), refused, reply("a2", "then not")]);
  expect(ids(history.forExport("data"))).toEqual(["u1", "a2"]);
  expect(ids(history.forSave())).toEqual(["u1", "a1", "a2"]);
});

test("Of a reply with several calls only the failed one fades, and its words stay", () => {
  const history = new History([
    prompt("u1", "go"),
    reply("a1", "Both.", ["bad", "good"]),
    result("r1", "bad", "Error: denied", "ephemeral"),
    result("r2", "good"),
  ]);
  history.add(reply("a2", "", ["next"]));
  history.add(result("r3", "next"));
  expect(history.forModel()).toEqual([
    prompt("u1", "go"),
    reply("a1", "Both.", ["good"]),
    result("r2", "good"),
    reply("a2", "", ["next"]),
    result("r3", "next"),
  ]);
});

test("A reply that was cut off has not read what is sent once", () => {
  const history = new History([prompt("u1", "go"), prompt("e1", "your call was malformed", "ephemeral")]);
  history.add(reply("a1", "I w", [], { interrupted: true }));
  expect(ids(history.forModel())).toEqual(["u1", "e1", "a1"]);
  history.add(prompt("u2", "again"));
  history.add(reply("a2", "I will"));
  expect(ids(history.forModel())).toEqual(["u1", "a1", "u2", "a2"]);
});

test("What is inserted between a call and its result waits for the result", () => {
  const history = new History([prompt("u1", "go"), reply("a1", "", ["c1", "c2"])]);
  history.insert(prompt("i1", "note", "synthetic"));
  history.add(result("r1", "c1"));
  expect(ids(history.messages)).toEqual(["u1", "a1", "r1"]);
  history.add(result("r2", "c2"));
  expect(ids(history.forModel())).toEqual(["u1", "a1", "r1", "r2", "i1"]);
  history.insert(prompt("i2", "note", "synthetic"));
  expect(ids(history.forModel()).at(-1)).toBe("i2");
});

test("A call without a result gets one made up, and a late result takes its place", () => {
  const history = new History([prompt("u1", "go"), reply("a1", "", ["c1"]), prompt("u2", "and?")]);
  expect(
    history.forModel().map(({ id, role, parts: [part] }) => [id, role, part?.type === "tool-result" && part.text]),
  ).toEqual([
    ["u1", "user", false],
    ["a1", "assistant", false],
    ["a1/results", "tool", "Error: no result was recorded for this call"],
    ["u2", "user", false],
  ]);
  history.add(result("r1", "c1", "late"));
  expect(history.forModel()[2]?.parts).toEqual(result("r1", "c1", "late").parts);
});

test("Stray and second results are left out", () => {
  const history = new History([result("r0", "c0"), reply("a1", "", ["c1"]), result("r1", "c1"), result("r2", "c1")]);
  expect(history.forModel().map(({ role }) => role)).toEqual(["assistant", "tool"]);
  expect(isPaired(history.forModel())).toBe(true);
});

test("Screens see notices and bookmarks, the model does not", () => {
  const history = new History([
    prompt("u1", "go"),
    prompt("d1", "notice", "display"),
    prompt("b1", "mark", "bookmark"),
    prompt("m1", "{}", "metadata"),
    prompt("s1", "injected", "synthetic"),
    prompt("e1", "once", "ephemeral"),
  ]);
  expect(ids(history.forModel())).toEqual(["u1", "s1", "e1"]);
  expect(ids(history.forDisplay())).toEqual(["u1", "d1", "b1", "s1"]);
  expect(ids(history.forExport("export"))).toEqual(["u1", "d1", "b1"]);
  expect(ids(history.forExport("data"))).toEqual(["u1", "d1", "b1", "m1"]);
  expect(ids(history.forSave())).toEqual(["u1", "d1", "b1", "m1", "s1"]);
  expect(ids(history.forCompaction())).toEqual(["u1"]);
});

test("Dropping takes back what a person counts, with the results of its calls", () => {
  const history = new History([
    prompt("u1", "go"),
    reply("a1", "", ["c1"]),
    result("r1", "c1"),
    prompt("b1", "mark", "bookmark"),
    reply("a2", "done"),
  ]);
  expect(history.drop(2)).toEqual({ dropped: 2, ids: ["a1", "r1", "b1", "a2"] });
  expect(history.drop(5)).toEqual({ dropped: 1, ids: ["u1"] });
  expect(history.drop(1)).toEqual({ dropped: 0, ids: [] });
});

test("A compaction stands where the first replaced message stood, and old costs are forgotten", () => {
  const history = new History([
    prompt("u1", "one"),
    reply("a1", "two"),
    withUsage(reply("a2", "three"), { input: 900, output: 1 }),
  ]);
  history.forModel();
  history.replace(new Set(["u1", "a1"]), [prompt("s1", "summary")]);
  expect(history.forModel()).toEqual([prompt("s1", "summary"), reply("a2", "three")]);
});

test("A summary is made without thinking, injected messages and failed calls", () => {
  const thought: Message = { ...reply("a0", ""), parts: [{ type: "thinking", text: "hm" }] };
  const history = new History([
    prompt("u1", "go"),
    thought,
    reply("a1", "", ["c1"]),
    result("r1", "c1", "Error", "ephemeral"),
    prompt("s1", "reminder", "synthetic"),
    reply("a2", "done"),
  ]);
  expect(ids(history.forCompaction())).toEqual(["u1", "a2"]);
});

type Step = { readonly kind: string; readonly n: number; readonly calls: number; readonly fail: boolean };
const step = fc.record({
  kind: fc.constantFrom(
    "prompt",
    "reply",
    "cut",
    "result",
    "result",
    "stray",
    "insert",
    "drop",
    "remove",
    "compact",
    "rewrite",
    "look",
    "clear",
  ),
  n: fc.nat(40),
  calls: fc.nat(3),
  fail: fc.boolean(),
});

function act(history: History, { kind, n, calls, fail }: Step, id: string): void {
  const open = history.messages.flatMap((message) => callsOf(message).map(({ callId }) => callId));
  const all = ids(history.messages);
  const names = Array.from({ length: calls }, (_, at) => `c${id}.${at}`);
  if (kind === "prompt") history.add(prompt(id, "text", fail ? "ephemeral" : "normal"));
  if (kind === "reply") history.add(reply(id, fail ? "" : "text", names));
  if (kind === "cut") history.add(reply(id, "text", names, { interrupted: true }));
  if (kind === "result") history.add(result(id, open.at(-1 - (n % 3)) ?? "none", "ok", fail ? "ephemeral" : "normal"));
  if (kind === "stray") history.add(result(id, "stray"));
  if (kind === "insert") history.insert(prompt(id, "note", fail ? "bookmark" : "synthetic"));
  if (kind === "drop") history.drop(n % 4);
  if (kind === "remove") history.remove(new Set(all.slice(n, n + 1)));
  if (kind === "compact") history.replace(new Set(all.slice(0, n)), [prompt(id, "summary")]);
  if (kind === "rewrite") history.rewrite(history.messages.slice(0, n).map((message) => ({ ...message, at: "later" })));
  if (kind === "clear" && n < 4) history.clear();
  history.forModel();
}

test("Whatever happens to a history, calls and results stay in pairs, and remembering changes nothing", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: "max" }), (steps) => {
      const history = new History();
      for (const [at, one] of steps.entries()) {
        act(history, one, `m${at}`);
        const seen = history.forModel();
        expect(isPaired(seen)).toBe(true);
        expect(seen).toEqual(new History(history.messages).forModel());
      }
      expect(isPaired(history.forExport("data"))).toBe(true);
      expect(isPaired(history.forCompaction())).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("The next request of a long conversation is the one before and what was added, nothing made anew", () => {
  const history = new History();
  const turn = (n: number) => {
    history.add(prompt(`u${n}`, "x".repeat(200)));
    history.add(reply(`a${n}`, "y".repeat(200), [`c${n}`]));
    history.add(result(`r${n}`, `c${n}`, "z".repeat(500)));
    history.add(reply(`b${n}`, "done"));
    return [...history.forModel()];
  };
  for (let n = 0; n < 20; n++) turn(n);
  const before = turn(20);
  const after = turn(21);
  expect(after).toHaveLength(before.length + 4);
  expect(before.filter((message, at) => message !== after[at])).toEqual([]);
});
