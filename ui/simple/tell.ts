/** Events as lines of a transcript that only grows: nothing that was told is ever taken back or changed. Pure. */
import type { Event, EventOf } from "../../src/protocol/event.ts";
import { type Message, textOf } from "../../src/protocol/message.ts";
import type { Status } from "../../src/protocol/status.ts";
import type { TodoItem } from "../../src/protocol/todos.ts";
import type { CallStatus, ToolCall } from "../../src/protocol/tool-call.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import * as wording from "../view/wording.ts";
import { callLines, callSubject, isSettled } from "./call-lines.ts";
import { type Line, line, linesOf, type Manner } from "./line.ts";
import { type Speech, say, sayRest, silence } from "./sentences.ts";

export interface Telling {
  readonly manner: Manner;
  readonly status: Status | undefined;
  readonly reply: Reply | undefined;
  /** What was last told of each call of this turn. */
  readonly calls: ReadonlyMap<string, { readonly tool: string; readonly status: CallStatus }>;
  /** Calls whose change was shown in an approval. */
  readonly judged: ReadonlySet<string>;
  readonly queue: readonly string[];
  /** The newest call's output, whole, for `/output`. */
  readonly lastOutput: { readonly title: string; readonly text: string } | undefined;
  /** The next prompt stands on the screen already, as it was typed. */
  readonly promptSeen: boolean;
}

interface Reply {
  readonly messageId: string;
  readonly text: Speech;
  readonly thinking: Speech;
  readonly isThinking: boolean;
  /** Came in pieces, so that the whole message says nothing new. */
  readonly streamed: boolean;
}

export interface Told {
  readonly state: Telling;
  readonly lines: readonly Line[];
}

export function newTelling(manner: Manner): Telling {
  return {
    manner,
    status: undefined,
    reply: undefined,
    calls: new Map(),
    judged: new Set(),
    queue: [],
    lastOutput: undefined,
    promptSeen: false,
  };
}

export function tell(state: Telling, event: Event): Told {
  switch (event.type) {
    case "opened":
      return {
        state: { ...state, status: event.status, queue: event.queue },
        lines: openingLines(event, state.manner),
      };
    case "status-changed":
      return { state: { ...state, status: event.status }, lines: [] };
    case "turn-started":
      return told(state, state.manner === "accessible" ? [line("Working.", "faint")] : []);
    case "message-added":
      return addMessage(finishReply(state), event.message);
    case "reply-started":
      return startReply(state, event.messageId);
    case "reply-grew":
      return growReply(state, event);
    case "reply-finished":
      return endReply(state, event.message);
    case "reply-withdrawn":
      return told({ ...state, reply: undefined }, [
        line(`Reply withdrawn: ${neutralise(event.reason)}. It is asked for again.`, "warn"),
      ]);
    case "call-changed":
      return changeCall(finishReply(state), event.call);
    case "call-printed":
      return told(state, state.status?.verbose ? printed(state, event) : []);
    case "request-opened":
      return requestOpened(finishReply(state), event);
    case "request-closed":
      return told(state, []);
    case "queue-changed":
      return changeQueue(state, event.queue);
    case "todos-changed":
      return told(state, todoWords(event.todos.items));
    case "command-finished":
      return finishCommand(finishReply(state), event);
    case "history-replaced":
      return told({ ...state, reply: undefined, calls: new Map() }, replacedLines(event));
    case "compaction-finished":
      return told(state, [line(`Compacted: ${event.removed} messages became a summary.`)]);
    case "notice":
      return after(finishReply(state), noticeLines(event.level, event.text));
    case "turn-finished":
      return finishTurn(finishReply(state), event);
    case "exit-requested":
    case "closed":
      return finishReply(state);
  }
}

function todoWords(items: readonly TodoItem[]): readonly Line[] {
  const sentence = wording.todoSentence(items);
  return sentence === undefined ? [] : [line(sentence, "faint")];
}

function told(state: Telling, lines: readonly Line[]): Told {
  return { state, lines };
}

function after(before: Told, lines: readonly Line[], state: Telling = before.state): Told {
  return { state, lines: [...before.lines, ...lines] };
}

// ---- the conversation

function openingLines({ status, history }: EventOf<"opened">, manner: Manner): Line[] {
  const about =
    manner === "accessible"
      ? `Agent ${status.agent}${status.mode === undefined ? "" : `, mode ${status.mode}`}, model ${status.model} from ${status.provider}.`
      : wording.statusLine(status);
  const past = history.length === 0 ? [] : [line(`Going on with a session of ${count(history.length, "message")}.`)];
  return [line(neutralise(about), "faint"), ...past, ...lastExchange(history)];
}

/** A session that is resumed is told by its end; reading out all of it would take for ever. */
function lastExchange(history: readonly Message[]): Line[] {
  const last = (role: Message["role"]) =>
    history.findLast((message) => message.role === role && message.kind === "normal" && textOf(message).trim() !== "");
  const prompt = last("user");
  const reply = last("assistant");
  return [
    ...(prompt === undefined ? [] : linesOf(neutralise(textOf(prompt)).trim(), "plain", "You: ")),
    ...(reply === undefined ? [] : linesOf(neutralise(textOf(reply)).trim(), "plain", "Aura: ")),
  ];
}

function replacedLines({ history }: EventOf<"history-replaced">): Line[] {
  if (history.length === 0) return [line("The conversation was cleared.")];
  return [line(`The conversation now has ${count(history.length, "message")}.`), ...lastExchange(history)];
}

function addMessage({ state, lines }: Told, message: Message): Told {
  const text = neutralise(textOf(message)).trimEnd();
  if (message.kind === "ephemeral" || message.kind === "metadata" || message.role === "tool") return told(state, lines);
  if (message.kind === "bookmark") return told(state, [...lines, line(`--- ${text} ---`, "faint")]);
  if (message.role === "assistant") return told(state, [...lines, ...linesOf(text, "plain", "Aura: ")]);
  if (message.kind === "synthetic") return told(state, [...lines, ...linesOf(text, "faint", "Note to the model: ")]);
  const said = state.promptSeen ? [] : linesOf(text, "strong", "You: ");
  return told({ ...state, promptSeen: false }, [...lines, ...said]);
}

function noticeLines(level: EventOf<"notice">["level"], text: string): Line[] {
  const words = neutralise(text).trimEnd();
  if (level === "info") return linesOf(words);
  return linesOf(words, level, level === "warn" ? "Warning: " : "Error: ");
}

// ---- replies

function startReply(state: Telling, messageId: string): Told {
  const before = finishReply(state);
  const reply: Reply = { messageId, text: silence, thinking: silence, isThinking: false, streamed: false };
  return after(before, [], { ...before.state, reply });
}

function growReply(state: Telling, event: EventOf<"reply-grew">): Told {
  const started = state.reply?.messageId === event.messageId ? told(state, []) : startReply(state, event.messageId);
  const { reply } = started.state;
  if (reply === undefined) return started;
  return event.kind === "thinking" ? think(started, reply, event.delta) : speak(started, reply, event.delta);
}

function think(before: Told, reply: Reply, delta: string): Told {
  const { manner, status } = before.state;
  const begins = !reply.isThinking && manner === "accessible" && !status?.verbose;
  const next: Reply = { ...reply, isThinking: true, streamed: true };
  const head = begins ? [line("Thinking.", "faint")] : [];
  if (!status?.verbose) return after(before, head, { ...before.state, reply: next });
  const { speech, lines } = say(reply.thinking, delta, manner);
  return after(before, labelled(lines, reply.thinking, "Thinking: ", "faint"), {
    ...before.state,
    reply: { ...next, thinking: speech },
  });
}

function speak(before: Told, reply: Reply, delta: string): Told {
  const { manner } = before.state;
  const thought = sayRest(reply.thinking, manner);
  const { speech, lines } = say(reply.text, delta, manner);
  return after(
    before,
    [...labelled(thought, reply.thinking, "Thinking: ", "faint"), ...labelled(lines, reply.text, "Aura: ", "plain")],
    { ...before.state, reply: { ...reply, text: speech, thinking: silence, isThinking: false, streamed: true } },
  );
}

/** The first line of a reply says whose it is. */
function labelled(texts: readonly string[], speech: Speech, label: string, tone: Line["tone"]): Line[] {
  return texts.map((text, index) => line(index === 0 && !speech.begun ? `${label}${text}` : text, tone));
}

/** Tells what is left of the streaming reply. */
function finishReply(state: Telling): Told {
  const { reply, manner } = state;
  if (reply === undefined) return told(state, []);
  const thought = labelled(sayRest(reply.thinking, manner), reply.thinking, "Thinking: ", "faint");
  const text = labelled(sayRest(reply.text, manner), reply.text, "Aura: ", "plain");
  return told({ ...state, reply: undefined }, [...thought, ...text]);
}

function endReply(state: Telling, message: Message): Told {
  if (state.reply?.messageId !== message.id) return told(state, []);
  const cut = message.interrupted === true ? [line("(interrupted)", "warn")] : [];
  if (state.reply.streamed) return after(finishReply(state), cut);
  // A provider may deliver a reply in one piece, without deltas.
  const grown = growReply(state, {
    type: "reply-grew",
    messageId: message.id,
    kind: "text",
    delta: textOf(message),
  });
  const finished = finishReply(grown.state);
  return told(finished.state, [...grown.lines, ...finished.lines, ...cut]);
}

// ---- calls

function changeCall(before: Told, call: ToolCall): Told {
  const { state } = before;
  if (state.calls.get(call.id)?.status === call.status) return before;
  const parent = call.parentId === undefined ? undefined : state.calls.get(call.parentId)?.tool;
  const judged = state.judged.has(call.id);
  const lines = callLines(call, { judged, ...(parent !== undefined && { parent }) });
  const calls = new Map(state.calls).set(call.id, { tool: call.tool, status: call.status });
  const lastOutput = isSettled(call)
    ? { title: `${call.tool} ${callSubject(call)}`.trimEnd(), text: outputOf(call) }
    : state.lastOutput;
  return after(before, lines, { ...state, calls, lastOutput });
}

function outputOf(call: ToolCall): string {
  const file = call.status === "done" ? call.output.fullTextFile : undefined;
  const text = wording.callResult(call) ?? "";
  return file === undefined ? text : `${text}\n(the whole output is in ${file})`;
}

function printed(state: Telling, { callId, line: text }: EventOf<"call-printed">): Line[] {
  const tool = state.calls.get(callId)?.tool ?? "Tool";
  return text.trim() === "" ? [] : [line(`${tool}: ${neutralise(text)}`, "faint")];
}

function requestOpened(before: Told, { request }: EventOf<"request-opened">): Told {
  if (request.kind !== "approval" || request.preview?.diff === undefined) return before;
  return after(before, [], { ...before.state, judged: new Set(before.state.judged).add(request.callId) });
}

// ---- around the turn

function changeQueue(state: Telling, queue: readonly string[]): Told {
  const added = queue.slice(state.queue.length);
  const lines = added.map((text) => line(`Queued: ${neutralise(text).replace(/\s+/g, " ")}`, "faint"));
  return told({ ...state, queue }, lines);
}

function finishCommand(before: Told, { text = "", failed }: EventOf<"command-finished">): Told {
  const words = neutralise(text).trimEnd();
  if (words === "") return before;
  return after(before, failed ? linesOf(words, "error", "Error: ") : linesOf(words));
}

function finishTurn(before: Told, event: EventOf<"turn-finished">): Told {
  const { state } = before;
  const words = wording.turnEnd(event.reason, event.error);
  const end = words === undefined ? [] : linesOf(`Turn ${words}`, event.reason === "failed" ? "error" : "warn");
  const failed = event.reason === "failed" && words !== undefined ? linesOf(words, "error", "Error: ") : end;
  const next = state.queue.length > 0 ? "The next queued prompt follows." : "Ready.";
  const ready = state.manner === "accessible" || state.queue.length > 0 ? [line(next, "faint")] : [];
  return after(before, [...failed, ...ready], { ...state, calls: new Map(), judged: new Set(), promptSeen: false });
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}
