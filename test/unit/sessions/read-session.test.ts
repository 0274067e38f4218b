import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callsOf, resultsOf } from "../../../src/context/pairing.ts";
import type { Message } from "../../../src/protocol/message.ts";
import type { ToolCall } from "../../../src/protocol/tool-call.ts";
import { rebuildSession } from "../../../src/sessions/read-session.ts";
import { encodeRecord, type SessionRecord } from "../../../src/sessions/session-record.ts";
import { prompt, reply, result, withUsage } from "../../helpers/messages.ts";

const header: SessionRecord = {
  type: "header",
  version: 1,
  id: "s1",
  cwd: "/project",
  created: "2026-01-02T03:04:05.000Z",
};
const message = (one: Message): SessionRecord => ({ type: "message", message: one });
const delta = (messageId: string, text: string, kind: "text" | "thinking" = "text"): SessionRecord => ({
  type: "reply-delta",
  messageId,
  kind,
  delta: text,
});
const read = (records: readonly (SessionRecord | string)[]) =>
  rebuildSession(
    Buffer.from(records.map((one) => (typeof one === "string" ? one : encodeRecord(one))).join("")),
    "from-file",
  );
const call = (id: string, state: object): SessionRecord => ({
  type: "call",
  call: { id, tool: "Read", input: { path: `${id}.txt` }, ...state } as ToolCall,
});

const child = {
  id: "k1",
  callId: "c1",
  name: "Helper",
  agent: "Helper",
  model: "p/m",
  description: "look",
  status: "running" as const,
  calls: 0,
};

test("A log gives back messages, calls, settings, todos, title and name", () => {
  const todos = { summary: "s", items: [{ content: "one", status: "pending" as const }] };
  const done = { status: "done", ms: 3, output: { text: "ok" } };
  const session = read([
    header,
    { type: "meta", meta: { agent: "build", mode: "fast", think: "low" } },
    message(prompt("u1", "hello")),
    delta("a1", "he"),
    delta("a1", "y"),
    message(reply("a1", "hey", ["c1"])),
    call("c1", { status: "running", startedAt: 1 }),
    call("c1", done),
    message(result("r1", "c1")),
    { type: "usage", provider: "p", model: "m", usage: { input: 10, output: 2, cached: 4 } },
    { type: "usage", provider: "p", model: "m", usage: { input: 12, output: 3 } },
    { type: "todos", todos },
    { type: "child", child },
    { type: "child-message", child: "k1", message: prompt("k-u1", "look") },
    { type: "child-message", child: "nobody", message: prompt("k-u2", "lost") },
    { type: "child", child: { ...child, calls: 2 } },
    { type: "title", title: "First" },
    { type: "title", title: "Second" },
    { type: "name", name: "mine" },
    { type: "meta", meta: { mode: null, think: "high" } },
    { type: "command", line: "/todo", text: "1. one", failed: false },
    { type: "turn-finished", turn: 4, reason: "answered", usage: { input: 1, output: 1 } },
  ]);
  expect(session).toEqual({
    id: "s1",
    cwd: "/project",
    created: "2026-01-02T03:04:05.000Z",
    name: "mine",
    title: "Second",
    messages: [prompt("u1", "hello"), reply("a1", "hey", ["c1"]), result("r1", "c1")],
    archived: [],
    calls: [{ id: "c1", tool: "Read", input: { path: "c1.txt" }, ...done }],
    children: [
      { ...child, calls: 2, status: "cancelled", error: "the program ended", messages: [prompt("k-u1", "look")] },
    ],
    commands: [{ line: "/todo", text: "1. one", failed: false }],
    meta: { agent: "build", think: "high" },
    todos,
    queue: [],
    spent: { "p/m": { input: 22, output: 5, cached: 4 } },
    undo: { turns: [], undone: [], redo: [] },
    turn: 4,
    interrupted: false,
    warnings: [],
  });
});

test("A reply that never finished is kept as far as it was shown", () => {
  const session = read([
    header,
    message(prompt("u1", "hello")),
    delta("a1", "let me ", "thinking"),
    delta("a1", "think", "thinking"),
    delta("a1", "It "),
    delta("a1", "is"),
    '{"type":"reply-delta","messageId":"a1","kind":"text","del',
  ]);
  expect(session.messages[1]).toEqual({
    id: "a1",
    role: "assistant",
    kind: "normal",
    at: "2026-01-02T03:04:05.000Z",
    interrupted: true,
    parts: [
      { type: "thinking", text: "let me think" },
      { type: "text", text: "It is" },
    ],
  });
  expect({ interrupted: session.interrupted, warnings: session.warnings }).toEqual({ interrupted: true, warnings: [] });
});

test("A torn line that was closed later is no damage, and prompts still waiting are kept", () => {
  const session = read([
    header,
    message(prompt("u1", "hello")),
    { type: "queue", prompts: ["next", "and then"] },
    '{"type":"message","message":{"id":"a1","ro\n',
    message(prompt("u2", "again")),
    { type: "queue", prompts: ["and then"] },
  ]);
  expect(session).toMatchObject({ queue: ["and then"], warnings: [], messages: [{ id: "u1" }, { id: "u2" }] });
});

test("A withdrawn reply is gone, and the next try under its id counts", () => {
  const session = read([
    header,
    message(prompt("u1", "hello")),
    delta("a1", "wrong"),
    { type: "reply-withdrawn", messageId: "a1", reason: "429" },
    delta("a1", "right"),
  ]);
  expect(session.messages.map(({ parts }) => parts)).toEqual([
    [{ type: "text", text: "hello" }],
    [{ type: "text", text: "right" }],
  ]);
});

test("Calls without an end are cancelled, and every call part has one result worded after its last state", () => {
  const calls = ["ran", "lost", "gone", "no", "bad", "nothing"];
  const session = read([
    header,
    message(reply("a1", "", calls)),
    call("ran", { status: "done", ms: 1, output: { text: "the output" } }),
    call("lost", { status: "running", startedAt: 1 }),
    call("gone", { status: "cancelled", by: "user" }),
    call("no", { status: "denied", refusal: { by: "person" } }),
    call("bad", { status: "failed", ms: 1, failure: { kind: "bad-input", problems: ["unknown x", "Valid: y"] } }),
    message(prompt("u2", "go on")),
  ]);
  expect(session.calls.map(({ id, status }) => [id, status])).toEqual([
    ["ran", "done"],
    ["lost", "cancelled"],
    ["gone", "cancelled"],
    ["no", "denied"],
    ["bad", "failed"],
  ]);
  const interrupted = "Error: interrupted: the process ended before this finished; it may have had partial effects";
  expect(
    session.messages.slice(1, -1).map(({ kind, parts: [part] }) => [kind, part?.type === "tool-result" && part.text]),
  ).toEqual([
    ["normal", "the output"],
    ["normal", interrupted],
    ["normal", "Error: cancelled before it finished; it may have had partial effects"],
    ["ephemeral", "Error: tool call denied by user"],
    ["ephemeral", "Error: unknown x\nValid: y"],
    ["normal", interrupted],
  ]);
  expect(session.messages.at(-1)).toEqual(prompt("u2", "go on"));
});

describe("A call that waited for approval when the process ended", () => {
  const waiting = [
    header,
    message(reply("a1", "", ["asked", "next"])),
    call("asked", { status: "waiting", requestId: "r1" }),
    call("next", { status: "pending" }),
  ];
  const results = ({ messages }: ReturnType<typeof read>) =>
    messages.slice(1).map(({ parts: [part] }) => part?.type === "tool-result" && part.text);

  test("was never run, and its result says so", () => {
    const session = read(waiting);
    expect(session.calls).toMatchObject([
      { id: "asked", status: "cancelled", by: "shutdown", ran: false },
      { id: "next", status: "cancelled", by: "shutdown", ran: false },
    ]);
    const text = "Error: not run: the process ended before this was started";
    expect(results(session)).toEqual([text, text]);
  });

  test.each<[string, SessionRecord | string]>([
    ["unreadable", "garbage\n"],
    ["missing", { type: "lost", records: 1 }],
  ])("may have run where a record is %s", (_how, record) => {
    const text = "Error: interrupted: the process ended before this finished; it may have had partial effects";
    expect(results(read([...waiting, record]))).toEqual([text, text]);
  });
});

test("Garbage in the middle and records of a newer version are left out with a warning", () => {
  const session = read([
    header,
    "\u0000\u0000garbage\n",
    '{"type":"message","message":{"id":"x"}}\n',
    '{"type":"hologram","depth":3}\n',
    '{"type":"message","message":{"id":"u1","role":"user","kind":"normal","parts":[],"mood":"new field"}}\n',
    '{"type":"message","message":{"id":"x","role":"user","kind":"hologram","parts":[]}}\n',
    '{"type":"call","call":{"id":"c","tool":"Read","status":"done"}}\n',
    message({
      ...prompt("u2", "still here"),
      parts: [{ type: "text", text: "still here" }, { type: "smell" } as never],
    }),
  ]);
  expect(session.messages).toEqual([prompt("u2", "still here")]);
  expect(session.warnings).toEqual([
    "left out of the session because unreadable: 4 lines",
    "left out of the session because written by a newer version: 1 line",
  ]);
});

test("A log without a header, of an older version or of a newer one opens", () => {
  expect(read([message(prompt("u1", "hi"))])).toMatchObject({
    id: "from-file",
    messages: [prompt("u1", "hi")],
    warnings: ["the session has no readable header; its folder is not known"],
  });
  expect(read(['{"type":"header","id":"old"}\n', message(prompt("u1", "hi"))])).toMatchObject({
    id: "old",
    warnings: [],
  });
  expect(read([{ ...header, version: 9 } as SessionRecord, message(prompt("u1", "hi"))]).warnings).toEqual([
    "the session was written by a newer version (format 9, this one knows 1)",
  ]);
  expect(read([])).toMatchObject({ id: "from-file", messages: [] });
});

test("Clearing, dropping and compacting are replayed; compacted messages are kept aside", () => {
  const summary = prompt("s", "*** [COMPACTION]: …");
  const session = read([
    header,
    message(prompt("u0", "before")),
    { type: "cleared" },
    message(prompt("u1", "one")),
    message(withUsage(reply("a1", "two"), { input: 900, output: 1 })),
    message(prompt("u2", "three")),
    message(withUsage(reply("a2", "four"), { input: 950, output: 1 })),
    message(prompt("u3", "oops")),
    { type: "dropped", ids: ["u3"] },
    { type: "compaction", replaced: ["u1", "a1"], messages: [summary], summary: "…" },
  ]);
  // What a request took before the compaction would make the context look full.
  expect(session.messages).toEqual([summary, prompt("u2", "three"), reply("a2", "four")]);
  expect(session.archived.map(({ id }) => id)).toEqual(["u1", "a1"]);
});

test("Whatever is cut off or flipped in a log, it opens, and its calls and results are in pairs", () => {
  const log = Buffer.from(
    [
      header,
      message(prompt("u1", "hello")),
      delta("a1", "he"),
      message(reply("a1", "hey", ["c1", "c2"])),
      call("c1", { status: "done", ms: 1, output: { text: "ok" } }),
      message(result("r1", "c1")),
      message(result("r2", "c2")),
      message(prompt("u2", "more")),
      message(reply("a2", "", ["c3"])),
      message(result("r3", "c3")),
      delta("a3", "end"),
    ]
      .map(encodeRecord)
      .join(""),
  );
  fc.assert(
    fc.property(
      fc.nat(log.length),
      fc.array(fc.tuple(fc.nat(log.length - 1), fc.nat(255)), { maxLength: 6 }),
      (end, flips) => {
        const damaged = Buffer.from(log);
        for (const [at, byte] of flips) damaged[at] = byte;
        const { messages } = rebuildSession(damaged.subarray(0, end), "x");
        const calls = messages.flatMap((one) => callsOf(one).map(({ callId }) => callId));
        const results = messages.flatMap((one) => resultsOf(one).map(({ callId }) => callId));
        expect(results.toSorted()).toEqual([...new Set(calls)].toSorted());
      },
    ),
    { numRuns: 500 },
  );
});
