import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Event } from "../../../../src/protocol/event.ts";
import type { Intent } from "../../../../src/protocol/intent.ts";
import type { LineInput, LineListener } from "../../../../ui/simple/line-input.ts";
import { createPipedLines } from "../../../../ui/simple/piped-lines.ts";
import { createSimple } from "../../../../ui/simple/simple.ts";
import { type FakeConversation, fakeConversation, opened } from "../../../helpers/fake-conversation.ts";

/** Pipes lines into the simple face and gives back what it wrote and sent. A pipe may be left open. */
async function pipe(
  input: string,
  onIntent: (intent: Intent, play: FakeConversation["play"]) => void,
  { leftOpen = false } = {},
) {
  const conversation = fakeConversation((intent, { play }) => onIntent(intent, play));
  conversation.play(opened());
  const stdin = new PassThrough();
  let written = "";
  const face = createSimple({
    manner: "simple",
    coloured: false,
    input: createPipedLines(stdin, (text) => {
      written += text;
    }),
    stop: new AbortController().signal,
  });
  stdin.write(input);
  if (!leftOpen) stdin.end();
  const { exitCode } = await face.run(conversation);
  return { exitCode, lines: written.split("\n").slice(1, -1), intents: conversation.intents };
}

const end: Event = { type: "turn-finished", turn: 1, reason: "answered", usage: { input: 1, output: 1 } };
const start: Event = { type: "turn-started", turn: 1 };
const approval: Event = {
  type: "request-opened",
  request: {
    id: "r",
    kind: "approval",
    callId: "c",
    tool: "Bash",
    about: "",
    detail: "ls",
    because: { rule: "Bash", from: "default" },
  },
};

/** Asks before it answers a prompt. */
function asks(intent: Intent, play: FakeConversation["play"]): void {
  if (intent.type === "prompt") play(start, approval);
  if (intent.type === "answer") play({ type: "request-closed", requestId: "r", how: "answered" }, end);
  if (intent.type === "command") play({ type: "command-finished", line: intent.line, text: "told", failed: false });
}

test("a pipe is read line by line: prompts when idle, answers when asked", async () => {
  const { exitCode, lines, intents } = await pipe("first\n1\n\n/info\nsecond\\\nline\nwhatever\n", asks);
  expect(exitCode).toBe(0);
  expect(intents).toEqual([
    { type: "prompt", text: "first" },
    { type: "answer", requestId: "r", answer: { kind: "approval", value: { allow: true, scope: "once" } } },
    { type: "command", line: "/info" },
    { type: "prompt", text: "second\nline" },
    { type: "answer", requestId: "r", answer: { kind: "approval", value: { allow: false } } },
  ]);
  const question = [
    "? Confirm Bash: ls",
    "Asked because of rule Bash (default).",
    "1 allow this call",
    "Not more than that: no reusable pattern is safe for this call.",
    "5 deny; words behind it are told to the model",
    "? why this is asked, and what each answer covers",
  ];
  expect(lines).toEqual([
    ...question,
    "confirm> 1",
    "Allowed once.",
    "> /info",
    "told",
    ...question,
    "confirm> whatever",
    'Denied: "whatever" is no choice.',
  ]);
});

test("a pipe that ends while something is asked denies it", async () => {
  const { intents } = await pipe("first\n", asks);
  expect(intents.at(-1)).toEqual({
    type: "answer",
    requestId: "r",
    answer: { kind: "approval", value: { allow: false } },
  });
});

test("an answer given elsewhere closes the question", async () => {
  const answeredElsewhere: Event = { type: "request-closed", requestId: "r", how: "answered" };
  const onIntent = (intent: Intent, play: FakeConversation["play"]) => {
    if (intent.type === "prompt") play(start, approval, answeredElsewhere, end, { type: "exit-requested" });
  };
  const { lines, intents } = await pipe("first\n", onIntent, { leftOpen: true });
  expect(intents).toEqual([{ type: "prompt", text: "first" }]);
  expect(lines.at(-1)).toBe("It was answered elsewhere.");
});

test("/output tells the last tool's whole output", async () => {
  const { lines } = await pipe("/output\nfirst\n/output\n", (intent, play) => {
    if (intent.type !== "prompt") return;
    const call = { id: "c", tool: "Bash", input: { command: "ls" } };
    play(
      start,
      { type: "call-changed", call: { ...call, status: "done", ms: 3, output: { text: "a\n\x1b[2Jb" } } },
      end,
    );
  });
  expect(lines).toEqual([
    "> /output",
    "No tool has finished yet.",
    "Tool Bash finished in 3 ms, 2 lines",
    "> /output",
    "Output of Bash ls:",
    "a",
    "b",
  ]);
});

test.each([
  ["failed", 1],
  ["limit", 2],
  ["cancelled", 130],
] as const)(
  "lines from a pipe whose turn %s end with exit code %i, also when a later one is answered",
  async (reason, code) => {
    const { exitCode } = await pipe("first\nsecond\n", (intent, play) => {
      if (intent.type === "prompt") play(start, intent.text === "first" ? { ...end, reason } : end);
    });
    expect(exitCode).toBe(code);
  },
);

test("a command that fails in a pipe ends with exit code 1", async () => {
  const { exitCode } = await pipe("/nonsense\n", (intent, play) => {
    if (intent.type === "command") play({ type: "command-finished", line: intent.line, text: "unknown", failed: true });
  });
  expect(exitCode).toBe(1);
});

/** A person at a terminal of which nothing but the prompts and the lines are seen. */
function person() {
  const seen: string[] = [];
  let listener: LineListener | undefined;
  const see = (text: string) => {
    if (seen.at(-1) !== text) seen.push(text);
  };
  const input: LineInput = {
    isTerminal: true,
    typing: undefined,
    start: (given) => {
      listener = given;
    },
    ask: see,
    rest: see,
    print: (text) => see(text.trimEnd()),
    remember: () => undefined,
    close: () => undefined,
  };
  return { seen, input, act: () => listener as LineListener };
}

test("Ctrl+C drops what is queued with the turn", async () => {
  const { input, act, seen } = person();
  const conversation = fakeConversation((intent, { play }) => {
    if (intent.type === "prompt" && intent.text === "one") play(start);
    else if (intent.type === "prompt") {
      play({ type: "queue-changed", queue: [intent.text] }, { type: "notice", level: "info", text: "queued" });
    } else if (intent.type === "cancel") play({ ...end, reason: "cancelled" }, { type: "exit-requested" });
  });
  conversation.play(opened());
  const face = createSimple({ manner: "simple", coloured: false, input, stop: new AbortController().signal });
  const running = face.run(conversation);
  await new Promise(setImmediate);
  act().line("one");
  act().line("two");
  await new Promise(setImmediate);
  act().interrupt();
  expect(await running).toEqual({ exitCode: 0 });
  expect(conversation.intents.slice(2)).toEqual([{ type: "drop-queued" }, { type: "cancel" }]);
  expect(seen).toContain("Cancelling. The queued prompt is dropped.");
});

test("the newest line of a running tool stands before the line to type, until something else goes on", async () => {
  const { input, act, seen } = person();
  const call = { id: "c", tool: "Bash", input: { command: "make" } };
  const conversation = fakeConversation((intent, { play }) => {
    if (intent.type !== "prompt") return;
    play(
      start,
      { type: "call-changed", call: { ...call, status: "running", startedAt: 0 } },
      { type: "call-printed", callId: "c", line: "compiling\x1b[2J a.c" },
      { type: "call-changed", call: { ...call, status: "done", ms: 3, output: { text: "" } } },
      { ...end, reason: "cancelled" },
      { type: "exit-requested" },
    );
  });
  conversation.play(opened());
  const face = createSimple({ manner: "simple", coloured: false, input, stop: new AbortController().signal });
  const running = face.run(conversation);
  await new Promise(setImmediate);
  act().line("one");
  await running;
  const says = "(Bash: compiling a.c) > ";
  const at = seen.indexOf(says);
  expect(seen.slice(at - 1, at + 3)).toEqual([
    "(working) > ",
    says,
    "Tool Bash finished in 3 ms, no output",
    "(working) > ",
  ]);
});
