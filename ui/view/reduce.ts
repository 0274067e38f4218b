import type { Event, Level } from "../../src/protocol/event.ts";
import { type Message, textOf } from "../../src/protocol/message.ts";
import { SETTLED, type ToolCall } from "../../src/protocol/tool-call.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { scanBlocks, scanFromStart } from "./blocks.ts";
import { callTree, type Folded, family } from "./call-tree.ts";
import { commandOutput } from "./command-output.ts";
import { type ShownCall, shownCall, shownLine } from "./shown-call.ts";
import {
  blockName,
  emptyView,
  type FullOutput,
  type Item,
  type LiveReply,
  type OutputLook,
  type ViewState,
} from "./view-state.ts";
import * as wording from "./wording.ts";

/** How much of a slash command's output an item keeps, in characters; the whole is in `lastOutput`. */
const COMMAND_CHARS = 8_000;

/** Folds one event into what a screen shows. Pure; what did not change is shared. */
export function reduce(state: ViewState, event: Event): ViewState {
  switch (event.type) {
    case "opened": {
      const opened = {
        ...state,
        status: event.status,
        requests: event.pending,
        queue: event.queue,
        todos: event.todos?.items ?? [],
      };
      return withHistory(opened, event.history, event.calls);
    }
    case "status-changed":
      return { ...state, status: event.status };
    case "turn-started":
      return { ...state, turn: { number: event.turn } };
    case "message-added":
      return addMessage(state, event.message);
    case "reply-started":
      return { ...finishReply(state), reply: newReply(event.messageId) };
    case "reply-grew":
      return growReply(state, event.messageId, event.kind, event.delta);
    case "reply-finished":
      return replyFinished(state, event.message);
    case "reply-withdrawn":
      return withdrawReply(state, event.messageId, event.reason);
    case "call-changed":
      return changeCall(finishReply(state), event.call);
    case "call-printed":
      return printCall(state, event.callId, event.line);
    case "request-opened":
      return { ...state, requests: [...state.requests, event.request] };
    case "request-closed":
      return { ...state, requests: state.requests.filter((request) => request.id !== event.requestId) };
    case "queue-changed":
      return { ...state, queue: event.queue };
    case "todos-changed":
      return { ...state, todos: event.todos.items };
    case "command-finished":
      return finishCommand(state, event.line, event.text ?? "", event.failed);
    case "history-replaced":
      return withHistory({ ...emptied(state), clears: state.clears + 1 }, event.history, event.calls);
    case "compaction-finished":
      return add(state, { kind: "bookmark", text: `compacted: ${event.removed} messages became a summary` });
    case "notice":
      return add(finishReply(state), { kind: "notice", level: event.level, text: event.text });
    case "turn-finished":
      return finishTurn(state, event);
    case "exit-requested":
      return { ...state, exiting: true };
    case "closed":
      return { ...state, closed: true, exiting: true };
  }
}

/** Forgets finished items that a screen has printed. */
export function dropFinished(state: ViewState): ViewState {
  return state.finished.length === 0 ? state : { ...state, finished: [] };
}

type WithoutKey<T> = T extends Item ? Omit<T, "key"> : never;

function add(state: ViewState, item: WithoutKey<Item>): ViewState {
  const keyed = { ...item, key: String(state.nextKey) } as Item;
  return { ...state, finished: [...state.finished, keyed], nextKey: state.nextKey + 1 };
}

function emptied(state: ViewState): ViewState {
  const { status, requests, queue, todos, nextKey, clears, turn } = state;
  return { ...emptyView, status, requests, queue, todos, nextKey, clears, turn };
}

function withHistory(state: ViewState, history: readonly Message[], calls: readonly ToolCall[]): ViewState {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const finished = [...state.finished];
  let next = state;
  for (const message of history) {
    next = addMessage({ ...next, finished: [] }, message);
    for (const part of message.parts) {
      const call = part.type === "tool-call" ? byId.get(part.callId) : undefined;
      if (call !== undefined && SETTLED.has(call.status)) next = add(next, callItem(shownCall(call), 0));
    }
    finished.push(...next.finished);
  }
  return { ...next, finished, calls: calls.filter((call) => !SETTLED.has(call.status)).map(shownCall) };
}

function addMessage(state: ViewState, message: Message): ViewState {
  if (message.kind === "ephemeral" || message.kind === "metadata" || message.role === "tool") return state;
  const settled = finishReply(state);
  const text = textOf(message);
  if (message.kind === "bookmark") return add(settled, { kind: "bookmark", text });
  if (message.role === "user") return add(settled, { kind: "prompt", text, synthetic: message.kind === "synthetic" });
  const thinking = message.parts.map((part) => (part.type === "thinking" ? part.text : "")).join("");
  const thought = thinking === "" ? settled : add(settled, { kind: "thinking", text: thinking });
  return text.trim() === "" ? thought : add(thought, replyItem(newReply(message.id), text));
}

function newReply(messageId: string): LiveReply {
  return { messageId, text: "", thinking: "", blocks: 0, scan: scanFromStart };
}

function replyItem(reply: LiveReply, text: string): WithoutKey<Item> {
  return { kind: "reply", block: blockName(reply.messageId, reply.blocks), text, first: reply.blocks === 0 };
}

function growReply(state: ViewState, messageId: string, kind: "text" | "thinking", delta: string): ViewState {
  const started = state.reply?.messageId === messageId ? state : { ...finishReply(state), reply: newReply(messageId) };
  const reply = started.reply ?? newReply(messageId);
  if (kind === "thinking") return { ...started, reply: { ...reply, thinking: reply.thinking + delta } };
  const thought = finishThinking(started, reply);
  const text = reply.text + delta;
  const { scan, boundary } = scanBlocks(text, reply.scan);
  if (boundary === 0) return { ...thought, reply: { ...reply, thinking: "", text, scan } };
  return {
    ...add(thought, replyItem(reply, text.slice(0, boundary))),
    reply: {
      ...reply,
      thinking: "",
      text: text.slice(boundary),
      scan: { ...scan, scanned: scan.scanned - boundary },
      blocks: reply.blocks + 1,
    },
  };
}

function finishThinking(state: ViewState, reply: LiveReply): ViewState {
  return reply.thinking.trim() === "" ? state : add(state, { kind: "thinking", text: reply.thinking });
}

/** Turns what is left of the streaming reply into items. */
function finishReply(state: ViewState): ViewState {
  const { reply } = state;
  if (reply === undefined) return state;
  const thought = finishThinking({ ...state, reply: undefined }, reply);
  return reply.text.trim() === "" ? thought : add(thought, replyItem(reply, reply.text));
}

function replyFinished(state: ViewState, message: Message): ViewState {
  if (state.reply?.messageId !== message.id) return state;
  // A provider may deliver a reply in one piece, without deltas.
  const { reply } = state;
  const silent = reply.text === "" && reply.thinking === "" && reply.blocks === 0;
  const finished = silent ? addMessage({ ...state, reply: undefined }, message) : finishReply(state);
  return message.interrupted === true
    ? add(finished, { kind: "notice", level: "warn", text: "(interrupted)" })
    : finished;
}

function withdrawReply(state: ViewState, messageId: string, reason: string): ViewState {
  const shown = state.reply?.messageId === messageId && state.reply.blocks > 0;
  const withdrawn = state.reply?.messageId === messageId ? { ...state, reply: undefined } : state;
  const text = shown ? `${reason} — the reply above is void and is asked for again` : `${reason} — asking again`;
  return add(withdrawn, { kind: "notice", level: "warn", text });
}

function changeCall(state: ViewState, call: ToolCall): ViewState {
  const at = state.calls.findIndex((known) => known.id === call.id);
  const shown = shownCall(call);
  const calls = at < 0 ? [...state.calls, shown] : state.calls.with(at, shown);
  const lastOutput = fullOutput(call) ?? state.lastOutput;
  return settleCalls({ ...state, calls, lastOutput });
}

/** Hands the calls at the front that are settled, each with the calls made under it, to the finished items. */
function settleCalls(state: ViewState): ViewState {
  let next = state;
  for (;;) {
    const first = next.calls[0];
    if (first === undefined) return next;
    const settled = family(first, next.calls);
    if (!settled.every((call) => SETTLED.has(call.status))) return next;
    const rest = next.calls.filter((call) => !settled.includes(call));
    for (const { call, depth, folded } of callTree(settled)) next = add(next, callItem(call, depth, folded));
    next = { ...next, calls: rest };
  }
}

function callItem(call: ShownCall, depth: number, folded?: Folded): WithoutKey<Item> {
  return { kind: "call", call, depth, ...(folded === undefined ? {} : { folded }) };
}

function fullOutput(call: ToolCall): FullOutput | undefined {
  if (!SETTLED.has(call.status)) return undefined;
  const file = call.status === "done" ? call.output.fullTextFile : undefined;
  const text = wording.callResult(call) ?? "";
  const look = call.status === "done" ? lookOf(call) : undefined;
  const title = wording.callTitle(call, 120);
  return { title, text, ...(file === undefined ? {} : { file }), ...(look === undefined ? {} : { look }) };
}

/** Read numbers the lines of a file, Rg prints places and what it found there. */
function lookOf(call: ToolCall): OutputLook | undefined {
  const fields = typeof call.input === "object" && call.input !== null ? (call.input as Record<string, unknown>) : {};
  const { path, pattern } = fields;
  if (call.tool === "Read" && typeof path === "string")
    return { kind: "numbered-code", language: /([^./\\]+)$/.exec(path)?.[1] ?? "" };
  if (call.tool === "Rg" && typeof pattern === "string")
    return { kind: "matches", pattern, ignoreCase: fields["ignore_case"] === true };
  return undefined;
}

function printCall(state: ViewState, callId: string, line: string): ViewState {
  const at = state.calls.findIndex((call) => call.id === callId);
  const call = state.calls[at];
  if (call?.status !== "running") return state;
  return { ...state, calls: state.calls.with(at, { ...call, lastLine: shownLine(line) }) };
}

function finishCommand(state: ViewState, line: string, output: string, failed: boolean): ViewState {
  const text = neutralise(output).trimEnd();
  const echoed = add(finishReply(state), { kind: "command", line, text: text.slice(0, COMMAND_CHARS), failed });
  return text.includes("\n") ? { ...echoed, lastOutput: commandOutput(line, text) } : echoed;
}

function finishTurn(state: ViewState, event: Extract<Event, { type: "turn-finished" }>): ViewState {
  const settled = settleCalls(finishReply(state));
  const ended: ViewState = { ...settled, turn: { number: event.turn, end: event.reason } };
  const text = wording.turnEnd(event.reason, event.error);
  if (text === undefined) return ended;
  const level: Level = event.reason === "failed" ? "error" : "warn";
  return add(ended, { kind: "notice", level, text });
}
