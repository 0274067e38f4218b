import fc from "fast-check";
import { expect, test } from "vitest";
import {
  COMPACTION_DEFAULTS,
  type CompactionOptions,
  compact,
  needsCompaction,
  nextKeep,
  type SummaryAnswer,
  splitForCompaction,
} from "../../../src/context/compaction.ts";
import { History } from "../../../src/context/history.ts";
import { isPaired } from "../../../src/context/pairing.ts";
import type { Message } from "../../../src/protocol/message.ts";
import { prompt, reply, result } from "../../helpers/messages.ts";

const AT = "2026-03-03T00:00:00.000Z";
const NO_TODOS = { summary: "", items: [] };
function options(more: Partial<CompactionOptions> = {}, keep = 2): CompactionOptions {
  let id = 0;
  return {
    settings: { ...COMPACTION_DEFAULTS, keepLastMessages: keep },
    todos: NO_TODOS,
    newId: () => `new${id++}`,
    at: AT,
    ...more,
  };
}
const long = (): Message[] => [
  prompt("u1", "Fix the login.\nKeep the API."),
  reply("a1", "", ["c1:Read", "c2:Patch"]),
  result("r1", "c1", "x".repeat(300)),
  result("r2", "c2"),
  reply("a2", "Fixed."),
  prompt("u2", "And the test?"),
  reply("a3", "Also."),
];
const textOf = (message: Message | undefined) => (message?.parts[0]?.type === "text" ? message.parts[0].text : "");

test("It is time at the threshold, or at the token limit when there is one", () => {
  const at = (percent: number, used = 0) => ({ used, percent, window: 1000 });
  expect(needsCompaction(at(79.9), COMPACTION_DEFAULTS)).toBe(false);
  expect(needsCompaction(at(80), COMPACTION_DEFAULTS)).toBe(true);
  expect(needsCompaction({ used: 1e9 }, COMPACTION_DEFAULTS)).toBe(false);
  const limited = { ...COMPACTION_DEFAULTS, maxTokens: 500 };
  expect([needsCompaction(at(99, 499), limited), needsCompaction({ used: 500 }, limited)]).toEqual([false, true]);
  expect(needsCompaction(at(99), { ...COMPACTION_DEFAULTS, threshold: 0 })).toBe(false);
});

test("The split keeps the last normal messages and never parts a result from its call", () => {
  expect(splitForCompaction(long(), 2)).toBe(5);
  expect(splitForCompaction(long(), 4)).toBe(1);
  expect(splitForCompaction(long(), 0)).toBe(7);
  expect(splitForCompaction(long(), 99)).toBe(0);
  const injected = [...long(), prompt("s1", "note", "synthetic"), prompt("b1", "mark", "bookmark")];
  expect(splitForCompaction(injected, 2)).toBe(5);
});

test("Wherever it splits, both halves are in pairs", () => {
  const turn = fc.tuple(fc.nat(3), fc.boolean()).map(([calls, note]) => ({ calls, note }));
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 12, size: "max" }), fc.nat(30), (turns, keep) => {
      const messages = turns.flatMap(({ calls, note }, n) => {
        const names = Array.from({ length: calls }, (_, at) => `c${n}.${at}`);
        return [
          prompt(`u${n}`, "go"),
          reply(`a${n}`, "ok", names),
          ...names.map((name) => result(`r${name}`, name)),
          ...(note ? [prompt(`n${n}`, "note", "synthetic")] : []),
        ];
      });
      const cut = splitForCompaction(messages, keep);
      expect(isPaired(messages.slice(0, cut))).toBe(true);
      expect(isPaired(messages.slice(cut))).toBe(true);
      const normal = (part: readonly Message[]) => part.filter(({ kind }) => kind === "normal").length;
      expect(normal(messages.slice(cut))).toBeGreaterThanOrEqual(Math.min(keep, normal(messages)));
    }),
  );
});

test("Without a model the older part becomes a list of requests, files and commands", async () => {
  const history = [
    ...long().slice(0, 2),
    result("r1", "c1"),
    result("r2", "c2"),
    {
      ...reply("a9", ""),
      parts: [{ type: "tool-call", callId: "b1", tool: "Bash", input: { command: "npm test\nnpm run lint" } }],
    } as Message,
    result("r9", "b1", "fine"),
    ...long().slice(4),
  ];
  const done = await compact(
    history,
    options({
      todos: {
        summary: "",
        items: [
          { content: "login", status: "completed" },
          { content: "test", status: "in_progress" },
          { content: "docs", status: "pending" },
        ],
      },
    }),
  );
  if (done.kind !== "compacted") throw new Error(done.kind);
  expect(done.replaced).toEqual(["u1", "a1", "r1", "r2", "a9", "r9", "a2"]);
  expect(done.messages.map(({ id, role, kind }) => [id, role, kind])).toEqual([
    ["new0", "user", "bookmark"],
    ["new1", "user", "normal"],
  ]);
  expect(textOf(done.messages[1])).toBe(`*** [COMPACTION]:

Older messages were removed to make room. This list was put together by the program, not by a model; read files again before relying on what they held.

## The user's requests, word for word
> Fix the login.
> Keep the API.

## Files changed
- c2.txt

## Files read
- c1.txt

## Commands run
- npm test; npm run lint

## The assistant's last words
Fixed.

*** [BEGIN TODOS]
1. [completed] login
2. [in_progress] test
3. [pending] docs
*** [END TODOS]

2 of these are not finished. Keep to this list; do not make a new one.

*** [END COMPACTION]`);
});

test("Compacting twice keeps the first requests", async () => {
  const history = new History(long());
  for (const keep of [2, 0]) {
    const done = await compact(history.messages, options({}, keep));
    if (done.kind !== "compacted") throw new Error(done.kind);
    history.replace(new Set(done.replaced), done.messages);
  }
  const text = textOf(history.forModel()[0]);
  expect(text).toContain("> Keep the API.");
  expect(text).toContain("> And the test?");
  expect(text.match(/\*\*\* \[COMPACTION\]:/g)).toHaveLength(1);
  expect(history.forModel()).toHaveLength(1);
});

test("With a model the summary is asked for, shorter each time it fails", async () => {
  const prompts: string[] = [];
  const ask = async (text: string): Promise<SummaryAnswer> => {
    prompts.push(text);
    return prompts.length < 3 ? { kind: "failed", reason: "too long" } : { kind: "text", text: " The summary. " };
  };
  const settings = { ...COMPACTION_DEFAULTS, keepLastMessages: 2, truncationRetries: [150, 0] };
  const done = await compact(long(), options({ ask, settings }));
  expect(done).toMatchObject({ kind: "compacted", summary: " The summary. " });
  expect(done.kind === "compacted" && textOf(done.messages[1])).toBe(
    "*** [COMPACTION]:\n\nThe summary.\n\n*** [END COMPACTION]",
  );
  expect(prompts.map((text) => text.match(/Tool result:\n(.*)/)?.[1]?.length)).toEqual([200 + 23, 150 + 23, 22]);
  expect(prompts[2]).toContain("Tool result:\n[tool output stripped]");
});

test("When every length fails, so does the compaction, with the last reason; a cancel stops at once", async () => {
  let asked = 0;
  const empty = async (): Promise<SummaryAnswer> => ({ kind: "text", text: asked++ < 99 ? "  " : "" });
  expect(await compact(long(), options({ ask: empty }))).toEqual({
    kind: "failed",
    reason: "the summary came back empty",
  });
  expect(asked).toBe(5);
  asked = 0;
  const cancelled = async (): Promise<SummaryAnswer> => {
    asked++;
    return { kind: "cancelled" };
  };
  expect(await compact(long(), options({ ask: cancelled }))).toEqual({ kind: "cancelled" });
  expect(asked).toBe(1);
});

test("In chunks each request gets the summary so far, and only the last the todos", async () => {
  const prompts: string[] = [];
  const ask = async (text: string): Promise<SummaryAnswer> => {
    prompts.push(text);
    return { kind: "text", text: `summary ${prompts.length}` };
  };
  const settings = { ...COMPACTION_DEFAULTS, keepLastMessages: 2, chunks: 2 };
  const todos = { summary: "", items: [{ content: "one", status: "pending" }] };
  const done = await compact(long(), options({ ask, settings, todos }));
  expect(done).toMatchObject({ kind: "compacted", summary: "summary 2" });
  expect(
    prompts.map((text) => [text.includes("summary 1"), text.includes("BEGIN TODOS"), text.includes("Fix the login")]),
  ).toEqual([
    [false, false, true],
    [true, true, false],
  ]);
});

test("A short history gives nothing up unless it must", async () => {
  expect(await compact(long(), options({}, 10))).toEqual({ kind: "nothing-to-do" });
  expect(await compact(long(), options({ forced: true }, 10))).toMatchObject({ kind: "compacted", replaced: ["u1"] });
  const once = [prompt("s", "*** [COMPACTION]:\n\nx\n\n*** [END COMPACTION]"), prompt("u", "a"), reply("a", "b")];
  expect(await compact(once, options({}, 2))).toEqual({ kind: "nothing-to-do" });
});

test("Recovery keeps one less each time, and nothing once that frees nothing", () => {
  expect([nextKeep(10, true), nextKeep(0, true), nextKeep(10, false)]).toEqual([9, 0, 0]);
});
