import { describe, expect, test } from "vitest";
import { textOf } from "../../../src/protocol/message.ts";
import {
  brokenRules,
  DENY,
  type FakeReply,
  type FakeTurnOptions,
  fakeTool,
  fakeTurn,
} from "../../helpers/fake-turn.ts";

const A = fakeTool("A");
const CALL_A: FakeReply = { calls: [{ tool: "A" }] };
const BAD: FakeReply = { calls: [{ tool: "A", input: "{", malformed: "not JSON" }] };
const ANSWER: FakeReply = { text: "All done." };

/** Runs a turn with tool A, and checks that every call ended well. */
async function turnOf(replies: readonly FakeReply[], options: FakeTurnOptions = {}) {
  const fake = fakeTurn({ tools: [A], replies, ...options });
  const outcome = await fake.run();
  expect(brokenRules(fake)).toEqual([]);
  return { fake, outcome };
}
/** Roles of all messages, kinds other than normal in brackets. */
const rolesOf = ({ messages }: ReturnType<typeof fakeTurn>) =>
  messages.map(({ role, kind }) => (kind === "normal" ? role : `${role} (${kind})`));

describe("a turn", () => {
  test("is over when the model only talks", async () => {
    const { fake, outcome } = await turnOf([ANSWER]);
    expect(outcome).toEqual({ reason: "answered" });
    expect(fake.messages.map(textOf)).toEqual(["hello", "All done."]);
    expect(fake.events.map(({ type }) => type)).toEqual([
      "reply-started",
      "reply-grew",
      "reply-grew",
      "reply-finished",
    ]);
  });

  test("runs the calls of a reply and asks again, until it is", async () => {
    const { fake, outcome } = await turnOf([{ text: "Let me see.", calls: [{ tool: "A" }, { tool: "A" }] }, ANSWER]);
    expect(outcome).toEqual({ reason: "answered" });
    expect(rolesOf(fake)).toEqual(["user", "assistant", "tool", "tool", "assistant"]);
    expect(fake.results).toEqual({ "c1-1": "A ran", "c1-2": "A ran" });
    expect(fake.steps).toEqual([1, 2]);
  });

  test("sends each request with the one before as its beginning", async () => {
    const { fake } = await turnOf([CALL_A, CALL_A, ANSWER]);
    const [first, second, third] = fake.asked.map(({ messages }) => messages);
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(third?.slice(0, second?.length)).toEqual(second);
    expect(new Set(fake.asked.map(({ system, tools }) => JSON.stringify({ system, tools }))).size).toBe(1);
  });

  test("says that a reply was cut at the model's output limit", async () => {
    const { fake } = await turnOf([{ text: "So it goes", reason: "length" }]);
    expect(fake.notices).toEqual(["The reply was cut at the model's output limit."]);
  });

  test.each([{}, { thinking: "Hm." }])("says that a reply has no word in it: %j", async (reply) => {
    const { fake, outcome } = await turnOf([reply]);
    expect(outcome).toEqual({ reason: "answered" });
    expect(fake.notices).toEqual(["The model ended its reply without a word."]);
  });

  test("sends what was refused before it ran only once, and the failure of a tool for good", async () => {
    const { fake } = await turnOf(
      [{ calls: [{ tool: "A" }, { tool: "Nope" }, { tool: "No" }, { tool: "Fails" }] }, ANSWER],
      {
        tools: [A, fakeTool("No"), fakeTool("Fails", { run: () => Promise.reject(new Error("x")) })],
        judge: ({ tool }) => (tool === "No" ? DENY : { kind: "auto", because: DENY.because }),
      },
    );
    expect(rolesOf(fake)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool (ephemeral)",
      "tool (ephemeral)",
      "tool",
      "assistant",
    ]);
  });
});

describe("call ids", () => {
  test("that a server uses again are made unique", async () => {
    const again: FakeReply = {
      calls: [
        { tool: "A", id: "call_0" },
        { tool: "A", id: "call_0" },
      ],
    };
    const { fake } = await turnOf([
      again,
      {
        calls: [
          { tool: "A", id: "call_0" },
          { tool: "A", id: "" },
        ],
      },
      ANSWER,
    ]);
    expect(Object.keys(fake.results)).toEqual(["call_0", "call_0-2", "call_0-3", "call"]);
  });
});

describe("the step limit", () => {
  test("is followed by one request for words only, with the tools still listed", async () => {
    const { fake, outcome } = await turnOf([CALL_A, CALL_A, ANSWER], { limits: { maxSteps: 2 } });
    expect(outcome).toEqual({ reason: "answered" });
    expect(fake.asked.map(({ mayCall, tools }) => [mayCall, tools.length])).toEqual([
      [true, 1],
      [true, 1],
      [false, 1],
    ]);
    expect(textOf(fake.asked[2]!.messages.at(-1)!)).toMatch(/^The step limit is reached\./);
  });

  test("stops a model that calls tools all the same; its calls are not run", async () => {
    let runs = 0;
    const counting = fakeTool("A", {
      run: async () => {
        runs++;
        return "";
      },
    });
    const { fake, outcome } = await turnOf([CALL_A, CALL_A], { limits: { maxSteps: 1 }, tools: [counting] });
    expect(outcome).toEqual({ reason: "limit", error: "maximum steps exceeded (1)" });
    expect(runs).toBe(1);
    expect(fake.results["c2-1"]).toBe("Error: not run: the step limit was reached");
    expect(fake.statesOf("c2-1")).toEqual(["pending", "cancelled"]);
  });

  test("is explained once, even when the last request is repeated", async () => {
    const { fake } = await turnOf([CALL_A, { fails: { kind: "context_exhausted" } }, ANSWER], {
      limits: { maxSteps: 1 },
      compacts: (reason) => reason === "exhausted",
    });
    expect(rolesOf(fake)).toEqual(["user", "assistant", "tool", "user (synthetic)", "assistant"]);
  });

  test("leaves prompts that were typed meanwhile for the next turn", async () => {
    const queued: string[] = [];
    const { outcome } = await turnOf([CALL_A, { ...ANSWER, meanwhile: () => void queued.push("and now?") }], {
      limits: { maxSteps: 1 },
      queued,
    });
    expect(outcome).toEqual({ reason: "answered" });
    expect(queued).toEqual(["and now?"]);
  });
});

describe("the token budget", () => {
  test("is looked at before each request", async () => {
    let spent = 0;
    const spend = () => {
      spent = 120;
    };
    const { fake, outcome } = await turnOf([{ ...CALL_A, meanwhile: spend }], {
      limits: { tokenBudget: 100 },
      spent: () => spent,
    });
    expect(outcome).toEqual({ reason: "limit", error: "token budget exceeded (120/100)" });
    expect(fake.asked).toHaveLength(1);
    expect(fake.results).toEqual({ "c1-1": "A ran" });
  });

  test("of 0 is none", async () => {
    expect((await turnOf([ANSWER], { spent: () => 1e9 })).outcome).toEqual({ reason: "answered" });
  });
});

describe("calls that cannot be read", () => {
  test("are explained to the model three times, then the turn fails", async () => {
    const { fake, outcome } = await turnOf([BAD, BAD, BAD, BAD]);
    expect(outcome).toEqual({
      reason: "failed",
      error: "the model's tool calls could not be read, 4 times in a row",
    });
    expect(fake.results["c1-1"]).toBe("Error: not JSON");
  });

  test("count anew after a reply that could be read", async () => {
    const { outcome } = await turnOf([BAD, BAD, BAD, CALL_A, BAD, BAD, BAD, ANSWER]);
    expect(outcome).toEqual({ reason: "answered" });
  });

  test("do not count beside one that could be", async () => {
    const mixed: FakeReply = { calls: [...BAD.calls!, ...CALL_A.calls!] };
    expect((await turnOf([mixed, mixed, mixed, mixed, mixed, ANSWER])).outcome).toEqual({ reason: "answered" });
  });
});

describe("prompts typed meanwhile", () => {
  test("are delivered behind the results, between two steps", async () => {
    const queued: string[] = [];
    const { fake } = await turnOf([{ ...CALL_A, meanwhile: () => void queued.push("also b", "and c") }, ANSWER], {
      queued,
    });
    expect(rolesOf(fake)).toEqual(["user", "assistant", "tool", "user", "user", "assistant"]);
    expect(fake.asked[1]?.messages.slice(-2).map(textOf)).toEqual(["also b", "and c"]);
  });

  test("keep a turn going that would have been over", async () => {
    const queued: string[] = [];
    const { fake } = await turnOf([{ ...ANSWER, meanwhile: () => void queued.push("one more") }, ANSWER], { queued });
    expect(fake.messages.map(textOf)).toEqual(["hello", "All done.", "one more", "All done."]);
  });

  test("stay queued when the turn is cancelled", async () => {
    const queued: string[] = [];
    const fake = fakeTurn({
      tools: [A],
      queued,
      replies: [
        {
          ...CALL_A,
          meanwhile: () => {
            queued.push("later");
            fake.cancel();
          },
        },
      ],
    });
    expect(await fake.run()).toEqual({ reason: "cancelled" });
    expect(queued).toEqual(["later"]);
  });
});

describe("a request that fails", () => {
  test("keeps what had arrived, as interrupted, and ends the turn", async () => {
    const { fake, outcome } = await turnOf([{ thinking: "Hm. ", text: "It may", fails: { kind: "network" } }]);
    expect(outcome).toEqual({ reason: "failed", error: "it failed: network" });
    expect(fake.messages.at(-1)).toMatchObject({
      role: "assistant",
      interrupted: true,
      parts: [
        { type: "thinking", text: "Hm. " },
        { type: "text", text: "It may" },
      ],
    });
    expect(fake.events.at(-1)).toMatchObject({ type: "reply-finished", message: { interrupted: true } });
  });

  test("before anything arrived leaves no message", async () => {
    const { fake, outcome } = await turnOf([{ fails: { kind: "auth", message: "no key" } }]);
    expect(outcome).toEqual({ reason: "failed", error: "no key" });
    expect(rolesOf(fake)).toEqual(["user"]);
  });

  test("because the context is full is repeated after compaction, and does not count as a step", async () => {
    const reasons: string[] = [];
    const { fake, outcome } = await turnOf([{ text: "Well, ", fails: { kind: "context_exhausted" } }, ANSWER], {
      compacts: (reason) => {
        reasons.push(reason);
        return reason === "exhausted";
      },
    });
    expect(outcome).toEqual({ reason: "answered" });
    expect(reasons).toEqual(["threshold", "exhausted", "threshold"]);
    expect(fake.steps).toEqual([1, 1]);
    expect(fake.messages.map(textOf)).toEqual(["hello", "All done."]);
    expect(fake.events.filter(({ type }) => type === "reply-withdrawn")).toEqual([
      { type: "reply-withdrawn", messageId: "m2", reason: "it failed: context_exhausted" },
    ]);
  });

  test("because the context is full fails for good when compaction cannot help", async () => {
    const { outcome } = await turnOf([{ fails: { kind: "context_exhausted" } }]);
    expect(outcome).toEqual({ reason: "failed", error: "it failed: context_exhausted" });
  });

  test("because the context is full is not repeated for ever", async () => {
    const full: FakeReply = { fails: { kind: "context_exhausted" } };
    const { fake, outcome } = await turnOf(Array(6).fill(full), { compacts: (reason) => reason === "exhausted" });
    expect(outcome.reason).toBe("failed");
    expect(fake.asked).toHaveLength(6);
  });

  test("is repeated when a plugin wants it, three times at most", async () => {
    const failing: FakeReply = { text: "Oh", fails: { kind: "server" } };
    const { fake, outcome } = await turnOf(Array(4).fill(failing), { hooks: [{ onError: async () => "retry" }] });
    expect(outcome).toEqual({ reason: "failed", error: "it failed: server" });
    expect(fake.asked).toHaveLength(4);
    expect(fake.events.filter(({ type }) => type === "reply-withdrawn")).toHaveLength(3);
    expect(rolesOf(fake)).toEqual(["user", "assistant"]);
  });
});

describe("a provider that fails for good", () => {
  test("is followed by another, which goes on with the same step", async () => {
    const { fake, outcome } = await turnOf([CALL_A, { fails: { kind: "network" } }], { fallback: [CALL_A, ANSWER] });
    expect(outcome).toEqual({ reason: "answered" });
    expect(fake.steps).toEqual([1, 2, 2, 3]);
    expect(rolesOf(fake)).toEqual(["user", "assistant", "tool", "assistant", "tool", "assistant"]);
  });

  test("is not followed by another once words have arrived", async () => {
    const failing: FakeReply = { text: "Well", fails: { kind: "network" } };
    const { outcome } = await turnOf([failing], { fallback: [ANSWER] });
    expect(outcome).toEqual({ reason: "failed", error: "it failed: network" });
  });

  test("ends the turn with the last failure when the other one fails too", async () => {
    const { outcome } = await turnOf([{ fails: { kind: "network" } }], { fallback: [{ fails: { kind: "auth" } }] });
    expect(outcome).toEqual({ reason: "failed", error: "it failed: auth" });
  });
});

describe("a cancel", () => {
  test("before the first request asks nothing", async () => {
    const fake = fakeTurn();
    fake.cancel();
    expect(await fake.run()).toEqual({ reason: "cancelled" });
    expect(fake.asked).toEqual([]);
  });

  test("while the reply streams keeps what arrived, and none of its calls", async () => {
    const fake = fakeTurn({
      tools: [A],
      replies: [{ text: "I will", calls: [{ tool: "A" }], meanwhile: () => fake.cancel() }],
    });
    expect(await fake.run()).toEqual({ reason: "cancelled" });
    expect(fake.messages.at(-1)).toMatchObject({ interrupted: true, parts: [{ type: "text", text: "I will" }] });
    expect(brokenRules(fake)).toEqual([]);
  });

  test("while calls run records a result for each of them, and asks no more", async () => {
    const fake = fakeTurn({
      tools: [
        A,
        fakeTool("Stops", {
          parallel: false,
          run: async () => {
            fake.cancel();
            return "";
          },
        }),
      ],
      replies: [{ calls: [{ tool: "Stops" }, { tool: "A" }, { tool: "Stops" }] }],
    });
    expect(await fake.run()).toEqual({ reason: "cancelled" });
    expect(brokenRules(fake)).toEqual([]);
    expect(Object.values(fake.results).map((text) => text.slice(0, 16))).toEqual([
      "Error: cancelled",
      "A ran",
      "Error: not run: ",
    ]);
  });
});

describe("hooks around a request", () => {
  test("may add to the system prompt, add messages, take the tools away", async () => {
    const { fake } = await turnOf([ANSWER], {
      hooks: [
        { beforeChat: async () => ({ appendSystem: "Be brief.", inject: [{ role: "user", text: "by the way" }] }) },
        { beforeChat: async () => ({ noTools: true, inject: [{ role: "user", text: "once", eject: true }] }) },
      ],
    });
    expect(fake.asked[0]).toMatchObject({ system: "You are a test.\n\nBe brief.", mayCall: false });
    expect(fake.asked[0]?.messages.map(({ kind, parts }) => [kind, parts])).toEqual([
      ["normal", [{ type: "text", text: "hello" }]],
      ["synthetic", [{ type: "text", text: "by the way" }]],
      ["ephemeral", [{ type: "text", text: "once" }]],
    ]);
  });

  test("may end the turn before it asks", async () => {
    const { fake, outcome } = await turnOf([], { hooks: [{ beforeChat: async () => ({ skip: true }) }] });
    expect([outcome, fake.asked.length]).toEqual([{ reason: "answered" }, 0]);
  });

  test("may change what this request sends, each after the other, and nothing else", async () => {
    const only = { id: "x", role: "user", kind: "normal", at: "now", parts: [{ type: "text", text: "only" }] } as const;
    const { fake } = await turnOf([ANSWER], {
      hooks: [
        { transformMessages: async (messages) => [...messages, only] },
        { transformMessages: async (messages) => messages.slice(1) },
      ],
    });
    expect(fake.asked[0]?.messages).toEqual([only]);
    expect(fake.messages.map(textOf)).toEqual(["hello", "All done."]);
  });

  test("that answer a reply force another step", async () => {
    let times = 0;
    const { fake } = await turnOf([ANSWER, ANSWER], {
      hooks: [
        { afterResponse: async () => (times++ === 0 ? { inject: [{ role: "user", text: "really?" }] } : undefined) },
      ],
    });
    expect(fake.messages.map(textOf)).toEqual(["hello", "All done.", "really?", "All done."]);
  });

  test("that answer a reply with calls are heard behind the results", async () => {
    const { fake } = await turnOf([CALL_A, ANSWER], {
      hooks: [
        {
          afterResponse: async ({ parts }) =>
            parts.some(({ type }) => type === "tool-call")
              ? { inject: [{ role: "user", text: "careful" }] }
              : undefined,
          afterTool: async () => ({ inject: [{ role: "user", text: "seen" }] }),
        },
      ],
    });
    expect(rolesOf(fake)).toEqual(["user", "assistant", "tool", "user (synthetic)", "user (synthetic)", "assistant"]);
    expect(fake.asked[1]?.messages.slice(-2).map(textOf)).toEqual(["careful", "seen"]);
  });

  test("that throw become notices, and the turn goes on", async () => {
    const boom = () => Promise.reject(new Error("boom"));
    const { fake, outcome } = await turnOf([CALL_A, ANSWER], {
      hooks: [{ beforeChat: boom, transformMessages: boom, afterResponse: boom, beforeTool: boom }],
    });
    expect(outcome).toEqual({ reason: "answered" });
    expect(new Set(fake.notices)).toEqual(
      new Set(
        ["beforeChat", "transformMessages", "afterResponse", "beforeTool"].map(
          (point) => `hook hook-1 failed at ${point}: Error: boom`,
        ),
      ),
    );
  });

  test("that throw when a request failed do not hide why", async () => {
    const { outcome } = await turnOf([{ fails: { kind: "server" } }], {
      hooks: [{ onError: () => Promise.reject(new Error("boom")) }],
    });
    expect(outcome).toEqual({ reason: "failed", error: "it failed: server" });
  });
});

describe("in auto mode", () => {
  test("a model that stops with work left is reminded until it is done", async () => {
    const reminders = ["2 left", "1 left"];
    const { fake, outcome } = await turnOf([ANSWER, ANSWER, ANSWER], { unfinished: () => reminders.shift() });
    expect(outcome).toEqual({ reason: "answered" });
    expect(fake.asked.map((request) => textOf(request.messages.at(-1)!))).toEqual(["hello", "2 left", "1 left"]);
  });
});
