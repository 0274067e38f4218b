import { describe, expect, test } from "vitest";
import type { Event } from "../../../../src/protocol/event.ts";
import type { Message } from "../../../../src/protocol/message.ts";
import type { ToolCall } from "../../../../src/protocol/tool-call.ts";
import type { Manner } from "../../../../ui/simple/line.ts";
import { newTelling, tell } from "../../../../ui/simple/tell.ts";
import { endOf, OPENED, reply, STATUS, startOf, streamed } from "../../../helpers/recording-conversation.ts";

function lines(manner: Manner, ...events: readonly Event[]): string[] {
  let state = newTelling(manner);
  return events.flatMap((event) => {
    const told = tell(state, event);
    state = told.state;
    return told.lines.map(({ text }) => text);
  });
}

const call = (id: string, state: Partial<ToolCall>): Event => ({
  type: "call-changed",
  call: { id, tool: "Bash", input: { command: "npm test" }, ...state } as ToolCall,
});
const prompt = (text: string, kind: Message["kind"] = "normal"): Event => ({
  type: "message-added",
  message: { id: "u", role: "user", kind, at: "now", parts: [{ type: "text", text }] },
});

/** A whole turn: thinking, a reply with code, a call in its states, a second reply. */
const TURN: readonly Event[] = [
  OPENED,
  startOf(),
  prompt("fix it"),
  { type: "reply-grew", messageId: "m1", kind: "thinking", delta: "Where is it?" },
  ...streamed("## Plan\n\nI look at **it**. Then:\n\n```sh\nnpm test # 1. One. Two.\n```\n"),
  call("c1", { status: "pending" }),
  call("c1", { status: "running", startedAt: 0 }),
  { type: "call-printed", callId: "c1", line: "1 of 2" },
  call("c1", { status: "running", startedAt: 0, lastLine: "1 of 2" }),
  call("c1", { status: "done", ms: 1_234, output: { text: `${"x\n".repeat(14)}` } }),
  ...streamed("All 14 pass.", [], "m2"),
  endOf("answered"),
];

test("a turn is told in whole sentences and one line for every change", () => {
  expect(lines("accessible", ...TURN)).toEqual([
    "Agent coder, model small from local.",
    "Working.",
    "You: fix it",
    "Thinking.",
    "Aura: Heading: Plan",
    "I look at it.",
    "Then:",
    "Code sh:",
    "npm test # 1. One. Two.",
    "End of code.",
    "Tool Bash started: npm test",
    "Tool Bash finished in 1.2 s, 14 lines",
    "Aura: All 14 pass.",
    "Ready.",
  ]);
});

test("for the eye replies keep their Markdown, and a turn needs no words around it", () => {
  expect(lines("simple", ...TURN)).toEqual([
    "coder • small • think: off • local",
    "You: fix it",
    "Aura: ## Plan",
    "",
    "I look at **it**. Then:",
    "",
    "```sh",
    "npm test # 1. One. Two.",
    "```",
    "Tool Bash started: npm test",
    "Tool Bash finished in 1.2 s, 14 lines",
    "Aura: All 14 pass.",
  ]);
});

test("thinking and output are told when verbose is on", () => {
  const verbose: Event = { type: "status-changed", status: { ...STATUS, verbose: true } };
  expect(lines("accessible", verbose, ...TURN.slice(3, 12)).slice(0, 3)).toEqual([
    "Thinking: Where is it?",
    "Aura: Heading: Plan",
    "I look at it.",
  ]);
  expect(lines("accessible", verbose, ...TURN)).not.toContain("Bash: 1 of 2");
  expect(lines("simple", verbose, ...TURN.slice(5, -2))).toContain("Bash: 1 of 2");
});

test.each<[string, Partial<ToolCall>, string]>([
  [
    "failed",
    { ms: 2_000, failure: { kind: "error", message: "exit code 2\nboom" } },
    "Tool Bash failed after 2.0 s: exit code 2 (1 line more, /output shows them)",
  ],
  ["denied", { refusal: { by: "person", feedback: "not now" } }, "Tool Bash denied by you: not now"],
  ["cancelled", { by: "user" }, "Tool Bash cancelled"],
  ["done", { ms: 65_000, output: { text: "" } }, "Tool Bash finished in 1 min 5 s, no output"],
  [
    "done",
    { ms: 5, output: { text: "a\n", diff: "--- a.ts\n+++ a.ts\n@@ -1,0 +2,2 @@\n+x\n+y\n" } },
    "Tool Bash finished in 5 ms, 1 line|File a.ts: 2 lines added.",
  ],
])("a call that is %s says so", (status, state, words) => {
  expect(lines("simple", call("c", { status, ...state } as Partial<ToolCall>)).join("|")).toBe(words);
});

test("a change that was approved is not told a second time", () => {
  const diff = "--- a.ts\n+++ a.ts\n@@ -1,0 +2,1 @@\n+x\n";
  const because = { rule: "Patch", from: "default" } as const;
  const request = {
    id: "r",
    kind: "approval",
    callId: "c",
    tool: "Patch",
    about: "",
    detail: "a.ts",
    because,
  } as const;
  expect(
    lines(
      "accessible",
      { type: "request-opened", request: { ...request, preview: { title: "a.ts", diff } } },
      call("c", { status: "done", ms: 5, tool: "Patch", output: { text: "ok", diff } }),
    ),
  ).toEqual(["Tool Patch finished in 5 ms, 1 line"]);
});

test("calls under another name it, and inputs are told in words", () => {
  expect(
    lines(
      "accessible",
      call("b", { status: "running", startedAt: 0, tool: "Batch", input: { calls: [1, 2] } }),
      call("r", { status: "running", startedAt: 0, tool: "Read", parentId: "b", input: { path: "a.ts" } }),
      call("m", { status: "running", startedAt: 0, tool: "MemoryWrite", input: { key: "k", deep: { a: 1 } } }),
      call("p", {
        status: "running",
        startedAt: 0,
        tool: "Patch",
        input: { patch: "*** Begin Patch\n*** Add File: a b.ts\n+x\n*** Delete File: c.ts\n*** End Patch" },
      }),
    ),
  ).toEqual([
    "Tool Batch started: 2 calls",
    "In Batch: Tool Read started: a.ts",
    'Tool MemoryWrite started: key k, deep {"a":1}',
    "Tool Patch started: a b.ts, c.ts",
  ]);
});

test("the todo list is told when it changes", () => {
  const items = [{ content: "look" }, { content: "fix" }];
  const progress = 'Task 1 completed.\nTask 2 now in_progress: "fix"\nStatus: 0 pending, 1 in_progress, 1 completed.';
  expect(
    lines(
      "accessible",
      call("t", { status: "running", startedAt: 0, tool: "TodoCreate", input: { items } }),
      call("t", { status: "done", ms: 1, tool: "TodoCreate", input: { items }, output: { text: "Created 2 tasks." } }),
      call("u", { status: "done", ms: 1, tool: "TodoProgress", input: {}, output: { text: progress } }),
    ),
  ).toEqual([
    "Todo list with 2 items:",
    "1. look (in progress)",
    "2. fix",
    "Todo list: Task 1 completed.",
    'Task 2 now in progress: "fix"',
    "Status: 0 pending, 1 in progress, 1 completed.",
  ]);
});

describe("replies", () => {
  test("that come in one piece are told once", () => {
    const message = reply("One. Two.");
    expect(
      lines("accessible", { type: "reply-started", messageId: "m1" }, { type: "reply-finished", message }),
    ).toEqual(["Aura: One.", "Two."]);
  });

  test("that are cut off end with what came", () => {
    const events = streamed("Half a sen").slice(0, -1);
    const message = { ...reply("Half a sen"), interrupted: true };
    expect(lines("accessible", ...events, { type: "reply-finished", message }, endOf("cancelled"))).toEqual([
      "Aura: Half a sen",
      "(interrupted)",
      "Turn cancelled",
      "Ready.",
    ]);
  });

  test("that are withdrawn are not finished", () => {
    const events = streamed("Told. Not told").slice(0, -1);
    expect(lines("accessible", ...events, { type: "reply-withdrawn", messageId: "m1", reason: "overloaded" })).toEqual([
      "Aura: Told.",
      "Reply withdrawn: overloaded. It is asked for again.",
    ]);
  });

  test("carry no control sequence", () => {
    const nasty = "a \x1b[2Jb\x1b]0;owned. Really\x07 c\x9b5n\x07.";
    const told = lines("accessible", ...streamed(nasty), { type: "notice", level: "error", text: nasty });
    expect(told.join("\n")).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  });
});

test("everything around a turn is one line", () => {
  expect(
    lines(
      "accessible",
      { type: "queue-changed", queue: ["then\nthis"] },
      endOf("limit", "50 steps"),
      { type: "queue-changed", queue: [] },
      prompt("then this"),
      prompt("go on", "synthetic"),
      endOf("failed", "no key"),
      { type: "command-finished", line: "/think on", text: "Think: on\n", failed: false },
      { type: "command-finished", line: "/x", text: "unknown command: /x", failed: true },
      { type: "command-finished", line: "/assert", failed: false },
      { type: "notice", level: "info", text: "fine" },
      { type: "notice", level: "warn", text: "careful" },
      { type: "compaction-finished", removed: 9, summary: "…" },
      { type: "history-replaced", history: [], calls: [] },
    ),
  ).toEqual([
    "Queued: then this",
    "Turn stopped at a limit: 50 steps",
    "The next queued prompt follows.",
    "You: then this",
    "Note to the model: go on",
    "Error: no key",
    "Ready.",
    "Think: on",
    "Error: unknown command: /x",
    "fine",
    "Warning: careful",
    "Compacted: 9 messages became a summary.",
    "The conversation was cleared.",
  ]);
});

test("a session that goes on is told by its end", () => {
  const history: Message[] = ["first", "last"].flatMap((text) => [
    { id: text, role: "user", kind: "normal", at: "now", parts: [{ type: "text", text }] },
    reply(`to the ${text}`),
  ]);
  expect(lines("simple", { ...OPENED, history } as Event).slice(1)).toEqual([
    "Going on with a session of 4 messages.",
    "You: last",
    "Aura: to the last",
  ]);
});
