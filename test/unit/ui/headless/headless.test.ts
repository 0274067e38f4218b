import { describe, expect, test } from "vitest";
import type { Event } from "../../../../src/protocol/event.ts";
import type { Intent } from "../../../../src/protocol/intent.ts";
import type { Request } from "../../../../src/protocol/request.ts";
import { createHeadless, type HeadlessOptions } from "../../../../ui/headless/headless.ts";
import { endOf, type FakeConversation, fakeConversation, startOf } from "../../../helpers/recording-conversation.ts";

type React = (intent: Intent, emit: FakeConversation["emit"]) => void;

function headless(react: React, options: Partial<HeadlessOptions> = {}) {
  const conversation = fakeConversation(react);
  const written: Event[] = [];
  const problems: string[] = [];
  const writer = {
    write: (event: Event) => void written.push(event),
    problem: (text: string) => void problems.push(text),
    answered: () => undefined,
  };
  const stop = new AbortController();
  const frontEnd = createHeadless({ prompts: ["hello"], approve: "all", writer, stop: stop.signal, ...options });
  return { conversation, written, problems, stop, run: async () => (await frontEnd.run(conversation)).exitCode };
}
const answering: React = (intent, emit) => {
  if (intent.type === "prompt") emit(startOf(), endOf("answered"));
};
const sentOf = ({ conversation }: ReturnType<typeof headless>) => conversation.sent;

describe("prompts", () => {
  test("are sent one after the other, each when the one before is answered", async () => {
    const order: string[] = [];
    const run = headless(
      (intent, emit) => {
        if (intent.type !== "prompt") return;
        order.push(`sent ${intent.text}`);
        queueMicrotask(() => {
          order.push(`answered ${intent.text}`);
          emit(startOf(), endOf("answered"));
        });
      },
      { prompts: ["one", "two"] },
    );
    expect(await run.run()).toBe(0);
    expect(order).toEqual(["sent one", "answered one", "sent two", "answered two"]);
  });

  test("every event goes to the writer", async () => {
    const run = headless(answering);
    await run.run();
    expect(run.written.map(({ type }) => type)).toEqual(["opened", "turn-started", "turn-finished"]);
  });

  test.each([
    ["answered", 0],
    ["done", 0],
    ["failed", 1],
    ["limit", 2],
    ["cancelled", 130],
  ] as const)("a turn that is %s ends with %i", async (reason, code) => {
    const run = headless((intent, emit) => intent.type === "prompt" && emit(startOf(), endOf(reason)));
    expect(await run.run()).toBe(code);
  });

  test("the first that fails is the last that is sent", async () => {
    const run = headless(
      (intent, emit) =>
        intent.type === "prompt" && emit(startOf(), endOf(intent.text === "two" ? "failed" : "answered")),
      { prompts: ["one", "two", "three"] },
    );
    expect(await run.run()).toBe(1);
    expect(sentOf(run)).toEqual([
      { type: "prompt", text: "one" },
      { type: "prompt", text: "two" },
    ]);
  });

  test("a conversation that ends by itself is a failure", async () => {
    const run = headless(() => run.conversation.end());
    expect(await run.run()).toBe(1);
  });
});

describe("commands", () => {
  const finished = (line: string, more: object = {}): Event => ({
    type: "command-finished",
    line,
    failed: false,
    ...more,
  });

  test("are sent as commands and wait for no turn", async () => {
    const run = headless((intent, emit) => intent.type === "command" && emit(finished(intent.line)), {
      prompts: ["/tools", "/info"],
    });
    expect(await run.run()).toBe(0);
    expect(sentOf(run)).toEqual([
      { type: "command", line: "/tools" },
      { type: "command", line: "/info" },
    ]);
  });

  test("that fail end the run", async () => {
    const run = headless((intent, emit) => intent.type === "command" && emit(finished(intent.line, { failed: true })), {
      prompts: ["/nope", "hello"],
    });
    expect(await run.run()).toBe(1);
    expect(sentOf(run)).toHaveLength(1);
  });

  test("that send a prompt are over when its turn is", async () => {
    const run = headless(
      (intent, emit) =>
        intent.type === "command" && emit(finished(intent.line, { startsTurn: true }), startOf(), endOf("limit")),
      { prompts: ["/review", "hello"] },
    );
    expect(await run.run()).toBe(2);
    expect(sentOf(run)).toHaveLength(1);
  });

  test("/exit leaves the rest unsent", async () => {
    const run = headless(
      (intent, emit) => intent.type === "command" && emit({ type: "exit-requested" }, finished(intent.line)),
      { prompts: ["/exit", "hello"] },
    );
    expect(await run.run()).toBe(0);
    expect(sentOf(run)).toHaveLength(1);
  });
});

describe("requests", () => {
  const because = { rule: "Bash", from: "default" } as const;
  const approval: Request = {
    id: "r1",
    kind: "approval",
    callId: "c1",
    tool: "Bash",
    about: "",
    detail: "ls",
    because,
  };
  const answerTo = async (request: Request, approve: "all" | "none") => {
    const run = headless(
      (intent, emit) => {
        if (intent.type === "prompt") emit(startOf(), { type: "request-opened", request });
        else emit(endOf("answered"));
      },
      { approve },
    );
    await run.run();
    return sentOf(run)[1];
  };

  test("for approval are granted once when all is approved", async () => {
    expect(await answerTo(approval, "all")).toEqual({
      type: "answer",
      requestId: "r1",
      answer: { kind: "approval", value: { allow: true, scope: "once" } },
    });
  });

  test("for approval are refused, with the reason, when none is", async () => {
    expect(await answerTo(approval, "none")).toEqual({
      type: "answer",
      requestId: "r1",
      answer: { kind: "approval", value: { allow: false, nobody: "nobody is here to approve it in this run" } },
    });
  });

  test.each([
    { id: "r1", kind: "question", questions: [] },
    { id: "r1", kind: "pick", title: "", items: [] },
    { id: "r1", kind: "edit", title: "", text: "" },
  ] as const)("of kind $kind find nobody", async (request) => {
    expect(await answerTo(request, "all")).toEqual({
      type: "answer",
      requestId: "r1",
      answer: { kind: request.kind, value: null },
    });
  });
});

describe("stopping", () => {
  const untilCancelled: React = (intent, emit) => {
    if (intent.type === "prompt") emit(startOf());
    if (intent.type === "cancel") emit(endOf("cancelled"));
  };

  test("when the time is up cancels, says so and ends with 2", async () => {
    const run = headless(untilCancelled, { timeoutMs: 1, prompts: ["one", "two"] });
    expect(await run.run()).toBe(2);
    expect(sentOf(run)).toEqual([{ type: "prompt", text: "one" }, { type: "cancel" }]);
    expect(run.problems).toEqual(["stopped: the time limit of 1 ms is over"]);
  });

  test.each([60_000, 2 ** 40])("in time (%i ms) is no timeout", async (timeoutMs) => {
    const run = headless(answering, { timeoutMs });
    expect(await run.run()).toBe(0);
    expect(run.problems).toEqual([]);
  });

  test("by a signal cancels what runs and ends with 130", async () => {
    const run = headless(
      (intent, emit) => {
        untilCancelled(intent, emit);
        if (intent.type === "prompt") queueMicrotask(() => run.stop.abort());
      },
      { prompts: ["one", "two"] },
    );
    expect(await run.run()).toBe(130);
    expect(sentOf(run)).toEqual([{ type: "prompt", text: "one" }, { type: "cancel" }]);
  });

  test("by a signal just as a turn is answered sends no further prompt", async () => {
    const run = headless(
      (intent, emit) => {
        if (intent.type === "prompt") emit(startOf(), endOf("answered"));
        run.stop.abort();
      },
      { prompts: ["one", "two"] },
    );
    expect(await run.run()).toBe(130);
    expect(sentOf(run).filter(({ type }) => type === "prompt")).toHaveLength(1);
  });

  test("before anything was sent sends nothing", async () => {
    const run = headless(untilCancelled);
    run.stop.abort();
    expect(await run.run()).toBe(130);
    expect(sentOf(run)).toEqual([]);
  });
});
