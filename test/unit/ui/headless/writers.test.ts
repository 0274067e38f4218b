import { describe, expect, test } from "vitest";
import type { Event } from "../../../../src/protocol/event.ts";
import type { ToolCallPart } from "../../../../src/protocol/message.ts";
import type { CallState } from "../../../../src/protocol/tool-call.ts";
import {
  createJsonWriter,
  createStreamJsonWriter,
  createTextWriter,
  type Writer,
} from "../../../../ui/headless/writers.ts";
import { endOf, OPENED, reply, STATUS, startOf, streamed } from "../../../helpers/recording-conversation.ts";

/** What a writer puts where. */
function outputsOf(
  make: (out: { data(text: string): void; talk(text: string): void }) => Writer,
  events: readonly Event[],
  after: (writer: Writer) => void = () => undefined,
) {
  const got = { data: "", talk: "", both: "" };
  const writer = make({
    data: (text) => {
      got.data += text;
      got.both += text;
    },
    talk: (text) => {
      got.talk += text;
      got.both += text;
    },
  });
  for (const event of events) writer.write(event);
  after(writer);
  return got;
}
const CALL: ToolCallPart = { type: "tool-call", callId: "c1", tool: "Bash", input: { command: "ls" } };
const state = (call: CallState, more: object = {}): Event => ({
  type: "call-changed",
  call: { id: "c1", tool: "Bash", input: { command: "ls" }, ...more, ...call },
});
const RAN: readonly Event[] = [
  state({ status: "pending" }),
  state({ status: "running", startedAt: 0 }),
  { type: "call-printed", callId: "c1", line: "a.txt" },
  state({ status: "done", ms: 5, output: { text: "a.txt\n" } }),
];
const notice = (level: "info" | "warn" | "error", text: string): Event => ({ type: "notice", level, text });
const TURN = [
  OPENED,
  startOf(),
  ...streamed("Let me look.", [CALL]),
  ...RAN,
  ...streamed("One file: a.txt"),
  endOf("answered"),
];

describe("text into a pipe", () => {
  const pipe = (events: readonly Event[], verbose = false) =>
    outputsOf((out) => createTextWriter(out, { live: false, verbose }), events);

  test("is the answer of the turn and nothing else; what happens is told beside it", () => {
    expect(pipe(TURN)).toMatchObject({
      data: "One file: a.txt\n",
      talk: "> Bash ls\n  a.txt\n",
    });
  });

  test("has one answer a turn, each ending in one newline", () => {
    const turns = [
      startOf(),
      ...streamed("one\n"),
      endOf("answered"),
      startOf(2),
      ...streamed("two"),
      endOf("answered"),
    ];
    expect(pipe(turns).data).toBe("one\ntwo\n");
  });

  test("is the last of several answers in one turn", () => {
    expect(pipe([startOf(), ...streamed("first"), ...streamed("second", [], "m2"), endOf("answered")]).data).toBe(
      "second\n",
    );
  });

  test("does not repeat the answer of an earlier turn when a later one has none", () => {
    const events = [startOf(), ...streamed("one"), endOf("answered"), startOf(2), endOf("failed", "no connection")];
    expect(pipe(events)).toMatchObject({ data: "one\n", talk: "aura: no connection\n" });
  });

  test("is empty when there is no answer", () => {
    expect(pipe([startOf(), ...streamed("Let me look.", [CALL]), endOf("cancelled")])).toMatchObject({
      data: "",
      talk: "(cancelled)\n",
    });
  });

  test("passes the answer on byte for byte", () => {
    expect(pipe([startOf(), ...streamed("\x1b[1m bold\r\n"), endOf("answered")]).data).toBe("\x1b[1m bold\r\n");
  });

  test("leaves notices, refusals and failures to standard error", () => {
    const events = [
      notice("info", "hello"),
      notice("warn", "careful"),
      state({ status: "denied", refusal: { by: "person" } }),
      state({ status: "failed", ms: 1, failure: { kind: "error", message: "boom" } }),
      state({ status: "cancelled", by: "user" }),
    ];
    expect(pipe(events)).toMatchObject({
      data: "",
      talk: ["hello", "warn: careful", "x Bash ls: denied by you", "x Bash ls: boom", "x Bash ls: cancelled", ""].join(
        "\n",
      ),
    });
  });

  test("shows no control sequences of what a tool printed", () => {
    expect(pipe([{ type: "call-printed", callId: "c1", line: "\x1b[2Jwiped\x07" }]).talk).toBe("  wiped␇\n");
    expect(pipe([notice("info", "\x1b]0;title\x07hi")]).talk).toBe("hi\n");
  });

  test("leaves out the empty lines a tool printed", () => {
    expect(pipe([{ type: "call-printed", callId: "c1", line: " " }]).talk).toBe("");
  });

  test("verbose tells thinking and what is said between calls, on lines of their own", () => {
    const events: Event[] = [
      { type: "reply-grew", messageId: "m1", kind: "thinking", delta: "Hm, " },
      { type: "reply-grew", messageId: "m1", kind: "thinking", delta: "files" },
      ...streamed("Let me look.", [CALL]),
      state({ status: "running", startedAt: 0 }),
      ...streamed("Done"),
      endOf("answered"),
    ];
    expect(pipe(events, true)).toMatchObject({
      data: "Done\n",
      talk: "Hm, files\nLet me look.\n> Bash ls\n",
    });
  });

  test("has what commands say, their failures beside it", () => {
    const events: Event[] = [
      { type: "command-finished", line: "/tools", text: "Enabled tools:", failed: false },
      { type: "command-finished", line: "/nope", text: "unknown command: /nope", failed: true },
      { type: "command-finished", line: "/quiet", failed: false },
    ];
    expect(pipe(events)).toMatchObject({ data: "Enabled tools:\n", talk: "unknown command: /nope\n" });
  });

  test("says what a withdrawn reply was withdrawn for", () => {
    expect(pipe([{ type: "reply-withdrawn", messageId: "m1", reason: "cut off" }])).toMatchObject({
      data: "",
      talk: "reply withdrawn: cut off\n",
    });
  });
});

describe("text on a terminal", () => {
  const live = (events: readonly Event[], verbose = false) =>
    outputsOf((out) => createTextWriter(out, { live: true, verbose }), events);

  test("streams every word, and calls between the words on lines of their own", () => {
    expect(live(TURN).both).toBe(["Let me look.", "> Bash ls", "  a.txt", "One file: a.txt", ""].join("\n"));
  });

  test("shows words as they come, not when the turn is over", () => {
    expect(live(TURN.slice(0, 4)).data).toBe("Let ");
  });

  test("shows a reply that came in one piece", () => {
    expect(live([startOf(), { type: "reply-finished", message: reply("all at once") }, endOf("answered")]).data).toBe(
      "all at once\n",
    );
  });

  test("begins a new line before it tells something", () => {
    expect(live([...streamed("half a ").slice(0, 3), notice("warn", "slow")]).both).toBe("half a \nwarn: slow\n");
  });

  test("keeps thinking and words apart", () => {
    const thinking: Event = { type: "reply-grew", messageId: "m1", kind: "thinking", delta: "Hm" };
    expect(live([thinking, ...streamed("Yes.")], true).both).toBe("Hm\nYes.\n");
    expect(live([thinking, ...streamed("Yes.")]).both).toBe("Yes.\n");
  });

  test("shows no control sequences of the model", () => {
    expect(live(streamed("a\x1b[2Jb")).data).toBe("ab\n");
  });
});

describe("json", () => {
  const json = (events: readonly Event[]) => outputsOf(createJsonWriter, events);

  test("is one object a prompt, with answer, usage and calls", () => {
    const { data, talk } = json(TURN);
    expect(data.endsWith("}\n")).toBe(true);
    expect(JSON.parse(data)).toEqual({
      type: "result",
      subtype: "success",
      is_error: false,
      result: "One file: a.txt",
      session_id: "s-1",
      num_turns: 2,
      usage: { input_tokens: 12, output_tokens: 3, cache_read_input_tokens: 4, cache_creation_input_tokens: 0 },
      tool_calls: [{ id: "c1", tool: "Bash", status: "done" }],
    });
    expect(talk).toContain("> Bash");
  });

  test.each([
    ["failed", "error_failed"],
    ["limit", "error_limit"],
    ["cancelled", "error_cancelled"],
  ] as const)("of a turn that is %s is an error", (reason, subtype) => {
    expect(JSON.parse(json([startOf(), endOf(reason, "why")]).data)).toMatchObject({
      subtype,
      is_error: true,
      error: "why",
      result: "",
    });
  });

  test("begins anew with each turn", () => {
    const lines = json([...TURN, startOf(2), ...streamed("again"), endOf("answered")])
      .data.trim()
      .split("\n");
    expect(JSON.parse(lines[1]!)).toMatchObject({ result: "again", num_turns: 1, tool_calls: [] });
  });

  test("has the price when it is known", () => {
    const status: Event = { type: "status-changed", status: { ...STATUS, cost: 0.25 } };
    expect(JSON.parse(json([startOf(), status, endOf("answered")]).data)).toMatchObject({ total_cost_usd: 0.25 });
  });

  test("of a command has its text and its data", () => {
    const command: Event = {
      type: "command-finished",
      line: "/context",
      text: "Context: 1",
      failed: false,
      data: { used: 1 },
    };
    expect(JSON.parse(json([OPENED, command]).data)).toEqual({
      type: "result",
      subtype: "command",
      is_error: false,
      result: "Context: 1",
      session_id: "s-1",
      command: "/context",
      data: { used: 1 },
    });
  });

  test("of a command that sends a prompt is that of its turn", () => {
    const command: Event = { type: "command-finished", line: "/review", failed: false, startsTurn: true };
    const { data } = json([command, startOf(), ...streamed("fine"), endOf("answered")]);
    expect(JSON.parse(data)).toMatchObject({ subtype: "success", result: "fine" });
  });

  test("leaves notices and problems to standard error", () => {
    const got = outputsOf(createJsonWriter, [notice("error", "odd")], (writer) => writer.problem("too late"));
    expect(got).toMatchObject({ data: "", talk: "error: odd\ntoo late\n" });
  });
});

describe("stream-json", () => {
  const lines = (events: readonly Event[], after?: (writer: Writer) => void) => {
    const { data, talk } = outputsOf(createStreamJsonWriter, events, after);
    expect(talk).toBe("");
    return data
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  test("is one object a line, from the beginning to the result", () => {
    expect(lines(TURN).map(({ type }) => type)).toEqual([
      "system",
      ...Array(3).fill("stream_event"),
      "assistant",
      "tool_call",
      "tool_call",
      "tool_output",
      "tool_call",
      ...Array(3).fill("stream_event"),
      "assistant",
      "result",
    ]);
  });

  test("begins with what the session runs with", () => {
    expect(lines([OPENED])[0]).toEqual({
      type: "system",
      subtype: "init",
      session_id: "s-1",
      cwd: "/project",
      agent: "coder",
      mode: null,
      model: "small",
      provider: "local",
    });
  });

  test("carries a call's id, tool, input and status each time it changes", () => {
    const calls = lines([OPENED, ...RAN]).filter(({ type }) => type === "tool_call");
    const common = { type: "tool_call", session_id: "s-1", id: "c1", tool: "Bash", input: { command: "ls" } };
    expect(calls).toEqual([
      { ...common, status: "pending" },
      { ...common, status: "running" },
      { ...common, status: "done", ms: 5, output: "a.txt\n" },
    ]);
  });

  test("carries why a call failed or was refused, and under which call it ran", () => {
    const failure = { kind: "error", message: "boom" } as const;
    const refusal = { by: "nobody", reason: "no" } as const;
    expect(
      lines([
        state({ status: "failed", ms: 1, failure }, { parentId: "b1" }),
        state({ status: "denied", refusal }),
        state({ status: "cancelled", by: "limit" }),
      ]),
    ).toMatchObject([
      { status: "failed", failure, parent_id: "b1" },
      { status: "denied", refusal },
      { status: "cancelled" },
    ]);
  });

  test("carries streamed lines with the id of their call", () => {
    expect(lines([OPENED, { type: "call-printed", callId: "c1", line: "one" }])[1]).toEqual({
      type: "tool_output",
      session_id: "s-1",
      id: "c1",
      line: "one",
    });
  });

  test("carries messages with their parts", () => {
    const [assistant] = lines([
      { type: "reply-finished", message: reply("hi", [{ type: "thinking", text: "Hm" }, CALL]) },
    ]);
    expect(assistant?.["message"]).toEqual({
      id: "m1",
      role: "assistant",
      kind: "normal",
      content: [
        { type: "text", text: "hi" },
        { type: "thinking", thinking: "Hm" },
        { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } },
      ],
    });
    const result = { type: "tool-result", callId: "c1", tool: "Bash", text: "a.txt", failed: false } as const;
    const [user] = lines([
      { type: "message-added", message: { id: "m2", role: "tool", kind: "normal", at: "now", parts: [result] } },
    ]);
    expect(user).toMatchObject({
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c1", content: "a.txt", is_error: false }],
      },
    });
  });

  test("carries deltas of text and thinking by name", () => {
    expect(
      lines([
        { type: "reply-grew", messageId: "m1", kind: "text", delta: "a" },
        { type: "reply-grew", messageId: "m1", kind: "thinking", delta: "b" },
      ]).map(({ event }) => event),
    ).toEqual([
      { type: "text_delta", text: "a" },
      { type: "thinking_delta", thinking: "b" },
    ]);
  });

  test("carries notices and problems as lines too", () => {
    expect(lines([notice("warn", "odd")], (writer) => writer.problem("too late"))).toEqual([
      { type: "notice", level: "warn", text: "odd" },
      { type: "error", message: "too late" },
    ]);
  });

  test("keeps a line break within a value on the line", () => {
    expect(lines([notice("info", "a\nb\u2028c")])).toEqual([{ type: "notice", level: "info", text: "a\nb\u2028c" }]);
  });
});
