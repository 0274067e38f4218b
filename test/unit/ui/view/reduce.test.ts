import fc from "fast-check";
import { expect, test } from "vitest";
import type { Event } from "../../../../src/protocol/event.ts";
import type { Message } from "../../../../src/protocol/message.ts";
import type { CallState } from "../../../../src/protocol/tool-call.ts";
import { dropFinished, reduce } from "../../../../ui/view/reduce.ts";
import { emptyView, type Item, type ViewState } from "../../../../ui/view/view-state.ts";
import { idleStatus, opened } from "../../../helpers/fake-conversation.ts";

const after = (...events: Event[]) => events.reduce(reduce, emptyView);
/** Items in few words. */
const told = (state: ViewState) => state.finished.map(inShort);

function inShort(item: Item): string {
  if (item.kind === "call") return `call ${item.call.id} ${item.call.status} ${item.depth}`;
  return `${item.kind} ${"text" in item ? item.text : ""}`;
}
const grew = (delta: string, kind: "text" | "thinking" = "text"): Event => ({
  type: "reply-grew",
  messageId: "m",
  kind,
  delta,
});
const call = (id: string, state: CallState, parentId?: string): Event => ({
  type: "call-changed",
  call: { id, tool: "Bash", input: {}, ...state, ...(parentId === undefined ? {} : { parentId }) },
});
const done: CallState = { status: "done", ms: 5, output: { text: "ok" } };
const message = (id: string, role: "user" | "assistant", text: string, kind: Message["kind"] = "normal"): Message => ({
  id,
  role,
  kind,
  parts: [{ type: "text", text }],
  at: "",
});

test("finished blocks of a streaming reply become items, the rest stays live", () => {
  const state = after({ type: "reply-started", messageId: "m" }, grew("First par"), grew("agraph.\n\nSecond"));
  expect(told(state)).toEqual(["reply First paragraph.\n\n"]);
  expect(state.reply?.text).toBe("Second");
});

test("code fences, lists and indented lines are not cut apart", () => {
  const state = after(grew("- a\n\n- b\n\n  more\n\n```\nx\n\ny\n```\nafter"));
  expect(told(state)).toEqual(["reply - a\n\n- b\n\n  more\n\n```\nx\n\ny\n```\n"]);
  expect(state.reply?.text).toBe("after");
});

test("however a reply is chunked, its items and tail are its text", () => {
  const piece = fc.constantFrom(
    "word ",
    "\n",
    "\n\n",
    "```\n",
    "- item\n",
    "    code\n",
    "# head\n",
    "1. one\n",
    "12",
    "~~~ts\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (pieces, size) => {
      const text = pieces.join("");
      const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      const state = after({ type: "reply-started", messageId: "m" }, ...chunks.map((chunk) => grew(chunk)));
      const replies = state.finished.map((item) => (item.kind === "reply" ? item.text : ""));
      expect(replies.join("") + (state.reply?.text ?? "")).toBe(text);
    }),
  );
});

test("thinking comes before the text it led to", () => {
  const state = after({ type: "reply-started", messageId: "m" }, grew("hmm", "thinking"), grew("So."), {
    type: "reply-finished",
    message: message("m", "assistant", "So."),
  });
  expect(told(state)).toEqual(["thinking hmm", "reply So."]);
  expect(state.reply).toBeUndefined();
});

test("a reply that came in one piece is shown", () => {
  expect(
    told(
      after(
        { type: "reply-started", messageId: "m" },
        { type: "reply-finished", message: message("m", "assistant", "All.") },
      ),
    ),
  ).toEqual(["reply All."]);
});

test("a withdrawn reply leaves no text, and says so", () => {
  const state = after({ type: "reply-started", messageId: "m" }, grew("half a sen"), {
    type: "reply-withdrawn",
    messageId: "m",
    reason: "connection lost",
  });
  expect(told(state)).toEqual(["notice connection lost — asking again"]);
  expect(state.reply).toBeUndefined();
});

test("calls are finished in the order they were made", () => {
  const first = after(call("a", { status: "running", startedAt: 0 }), call("b", done));
  expect([told(first), first.calls.map(({ id }) => id)]).toEqual([[], ["a", "b"]]);
  expect(told(reduce(first, call("a", done)))).toEqual(["call a done 0", "call b done 0"]);
});

test("sub-calls are finished with their parent, indented", () => {
  const state = after(
    call("batch", { status: "running", startedAt: 0 }),
    call("x", done, "batch"),
    call("y", { status: "running", startedAt: 0 }, "batch"),
  );
  expect(told(state)).toEqual([]);
  expect(told([call("y", done, "batch"), call("batch", done)].reduce(reduce, state))).toEqual([
    "call batch done 0",
    "call x done 1",
    "call y done 1",
  ]);
});

test("the newest printed line shows while a call runs", () => {
  const state = after(call("a", { status: "running", startedAt: 0 }), {
    type: "call-printed",
    callId: "a",
    line: "compiling",
  });
  expect(state.calls[0]).toMatchObject({ status: "running", lastLine: "compiling" });
});

test("an item keeps a preview, the pager the whole output", () => {
  const text = "x".repeat(50_000);
  const state = after(call("a", { status: "done", ms: 1, output: { text, fullTextFile: "/tmp/out" } }));
  const item = state.finished[0];
  expect(item?.kind === "call" && item.call.status === "done" && item.call.output.text.length).toBeLessThan(5_000);
  expect(state.lastOutput).toMatchObject({ text, file: "/tmp/out" });
});

test("requests open and close, the first is answered first", () => {
  const ask = (id: string): Event => ({ type: "request-opened", request: { id, kind: "pick", title: id, items: [] } });
  const state = after(ask("1"), ask("2"), { type: "request-closed", requestId: "1", how: "answered" });
  expect(state.requests.map(({ id }) => id)).toEqual(["2"]);
});

test("a resumed conversation shows its history with its calls, without what only the model sees", () => {
  const history: Message[] = [
    message("1", "user", "hi"),
    {
      ...message("2", "assistant", "look"),
      parts: [
        { type: "text", text: "look" },
        { type: "tool-call", callId: "a", tool: "Bash", input: {} },
      ],
    },
    message("3", "user", "hidden", "ephemeral"),
    message("4", "user", "from a hook", "synthetic"),
  ];
  const state = after({
    type: "opened",
    status: idleStatus,
    history,
    calls: [{ id: "a", tool: "Bash", input: {}, ...done }],
    pending: [],
    queue: [],
  });
  expect(told(state)).toEqual(["prompt hi", "reply look", "call a done 0", "prompt from a hook"]);
});

test("replacing the history empties the screen", () => {
  const state = after(
    opened(),
    { type: "notice", level: "info", text: "old" },
    { type: "history-replaced", history: [], calls: [] },
  );
  expect([told(state), state.clears, state.status]).toEqual([[], 1, idleStatus]);
});

test("a turn that failed, was cancelled or hit a limit says so", () => {
  const end = (reason: "failed" | "cancelled" | "limit" | "answered", error?: string): Event => ({
    type: "turn-finished",
    turn: 1,
    reason,
    usage: { input: 0, output: 0 },
    ...(error === undefined ? {} : { error }),
  });
  expect(
    [end("failed", "no key"), end("cancelled"), end("limit", "50 steps"), end("answered")].map((event) =>
      told(after(event)),
    ),
  ).toEqual([["notice no key"], ["notice cancelled"], ["notice stopped at a limit: 50 steps"], []]);
});

test("printed items leave the state, and what did not change is shared", () => {
  const state = after(opened(), { type: "notice", level: "info", text: "a" });
  const dropped = dropFinished(state);
  expect(dropped.finished).toEqual([]);
  expect(reduce(dropped, { type: "queue-changed", queue: ["q"] }).calls).toBe(dropped.calls);
  expect(dropFinished(dropped)).toBe(dropped);
});
