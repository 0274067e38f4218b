import type { Event, EventOf } from "../../src/protocol/event.ts";
import { type Message, textOf, type Usage } from "../../src/protocol/message.ts";
import type { RequestOf } from "../../src/protocol/request.ts";
import { SETTLED, type ToolCall } from "../../src/protocol/tool-call.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { because, callResult, callSubject } from "../view/wording.ts";

/** Where output goes. `data` is what the caller asked for; `talk` is everything else. */
export interface Outputs {
  data(text: string): void;
  talk(text: string): void;
}

export interface Writer {
  write(event: Event): void;
  /** An approval was answered by the rule of this run. */
  answered(request: RequestOf<"approval">, allowed: boolean): void;
  /** Something outside the conversation went wrong. */
  problem(text: string): void;
}

export interface TextOptions {
  /** Stream every word as it comes (a terminal), instead of only the answer of each turn (a pipe). */
  readonly live: boolean;
  /** Also tell what the model says between its calls, and thinks. */
  readonly verbose: boolean;
  /** Show the diff of what is approved. */
  readonly diffs?: boolean;
}

/** The answer on standard output; calls, notices and streamed lines on standard error. */
export function createTextWriter(out: Outputs, options: TextOptions): Writer {
  let atLineStart = true;
  let isThinking = false;
  let answer: Message | undefined;
  let streamedId: string | undefined;
  const endThinking = () => {
    if (isThinking) out.talk("\n");
    isThinking = false;
  };
  const stream = (text: string) => {
    if (text === "") return;
    endThinking();
    out.data(options.live ? neutralise(text) : text); // a terminal obeys control sequences, a pipe carries bytes
    atLineStart = text.endsWith("\n");
  };
  const endLine = () => {
    if (!atLineStart) stream("\n");
  };
  const think = (delta: string) => {
    if (options.live) endLine();
    out.talk(neutralise(delta));
    isThinking = true;
  };
  const talk = (text: string) => {
    if (options.live) endLine();
    endThinking();
    out.talk(`${neutralise(text)}\n`);
  };
  return {
    problem: talk,
    answered(request, allowed) {
      talk(answerLine(request, allowed));
      if (options.diffs && request.preview?.diff) talk(neutralise(request.preview.diff).trimEnd());
    },
    write(event) {
      switch (event.type) {
        case "reply-grew":
          if (options.live && event.kind === "text") {
            stream(event.delta);
            streamedId = event.messageId;
          } else if (options.verbose && event.kind === "thinking") think(event.delta);
          break;
        case "reply-finished":
          if (options.live) {
            if (event.message.id !== streamedId) stream(textOf(event.message)); // it came in one piece
            endLine();
          } else if (event.message.parts.some((part) => part.type === "tool-call")) {
            const said = textOf(event.message).trim();
            if (said && options.verbose) talk(said);
          } else answer = event.message;
          break;
        case "reply-withdrawn":
          talk(`reply withdrawn: ${event.reason}`);
          break;
        case "turn-finished":
          if (!options.live && answer) stream(withNewline(textOf(answer)));
          answer = undefined;
          if (event.error) talk(`aura: ${event.error}`);
          else if (event.reason === "cancelled") talk("(cancelled)");
          break;
        case "command-finished":
          if (event.text && event.failed) talk(event.text);
          else if (event.text) stream(withNewline(event.text));
          break;
        default:
          writeTalk(event, talk);
      }
    },
  };
}

/** One JSON object a prompt, when it is over. */
export function createJsonWriter(out: Outputs): Writer {
  const talk = (text: string) => out.talk(`${neutralise(text)}\n`);
  const collect = createResult();
  return {
    problem: talk,
    answered: (request, allowed) => talk(answerLine(request, allowed)),
    write(event) {
      const result = collect(event);
      if (result) out.data(`${JSON.stringify(result)}\n`);
      else writeTalk(event, talk);
    },
  };
}

/** One JSON object an event, in the shapes scripts know from other assistants. */
export function createStreamJsonWriter(out: Outputs): Writer {
  const line = (value: unknown) => out.data(`${JSON.stringify(value)}\n`);
  const collect = createResult();
  let session = "";
  return {
    problem: (text) => line({ type: "error", message: text }),
    answered: ({ callId: id, tool, detail }, allowed) =>
      line({ type: "approval", session_id: session, id, tool, detail, allowed }),
    write(event) {
      const result = collect(event);
      if (result) return line(result);
      switch (event.type) {
        case "opened":
          session = event.status.sessionId;
          return line({
            type: "system",
            subtype: "init",
            session_id: session,
            cwd: event.status.cwd,
            agent: event.status.agent,
            mode: event.status.mode ?? null,
            model: event.status.model,
            provider: event.status.provider,
          });
        case "reply-grew":
          return line({
            type: "stream_event",
            session_id: session,
            message_id: event.messageId,
            event: { type: `${event.kind}_delta`, [event.kind]: event.delta },
          });
        case "reply-finished":
          return line({ type: "assistant", session_id: session, message: wireMessage(event.message) });
        case "message-added":
          return line({ type: "user", session_id: session, message: wireMessage(event.message) });
        case "call-changed":
          return line({ type: "tool_call", session_id: session, ...wireCall(event.call) });
        case "call-printed":
          return line({ type: "tool_output", session_id: session, id: event.callId, line: event.line });
        case "notice":
          return line({ type: "notice", level: event.level, text: event.text });
        case "compaction-finished":
          return line({ type: "system", subtype: "compact", session_id: session, removed: event.removed });
        default:
          return undefined;
      }
    },
  };
}

/** What a prompt or command came to; made from its closing event. */
interface PromptResult {
  readonly type: "result";
  readonly subtype: "success" | "command" | `error_${string}`;
  readonly is_error: boolean;
  readonly result: string;
  readonly session_id: string;
  readonly [key: string]: unknown;
}

function createResult(): (event: Event) => PromptResult | undefined {
  let session = "";
  let answer = "";
  let steps = 0;
  let cost: number | undefined;
  // In the order the model made them, which is not the order they end in.
  const calls = new Map<string, ToolCall>();
  return (event) => {
    switch (event.type) {
      case "opened":
        session = event.status.sessionId;
        return undefined;
      case "status-changed":
        cost = event.status.cost;
        return undefined;
      case "turn-started":
        answer = "";
        steps = 0;
        calls.clear();
        return undefined;
      case "reply-finished":
        steps++;
        answer = textOf(event.message);
        return undefined;
      case "call-changed":
        calls.set(event.call.id, event.call);
        return undefined;
      case "command-finished":
        if (event.startsTurn) return undefined;
        return {
          type: "result",
          subtype: event.failed ? "error_command" : "command",
          is_error: event.failed,
          result: event.text ?? "",
          session_id: session,
          command: event.line,
          ...(event.data !== undefined && { data: event.data }),
        };
      case "turn-finished":
        return {
          ...turnResult(event),
          result: answer,
          session_id: session,
          num_turns: steps,
          usage: wireUsage(event.usage),
          ...(cost !== undefined && { total_cost_usd: cost }),
          tool_calls: [...calls.values()].map(({ id, tool, status }) => ({ id, tool, status })),
        };
      default:
        return undefined;
    }
  };
}

function turnResult(event: EventOf<"turn-finished">) {
  const fine = event.reason === "answered" || event.reason === "done";
  return {
    type: "result" as const,
    subtype: fine ? ("success" as const) : (`error_${event.reason}` as const),
    is_error: !fine,
    ...(event.error !== undefined && { error: event.error }),
  };
}

const wireUsage = (usage: Usage) => ({
  input_tokens: usage.input,
  output_tokens: usage.output,
  cache_read_input_tokens: usage.cached ?? 0,
  cache_creation_input_tokens: usage.cacheWritten ?? 0,
});

function wireCall(call: ToolCall) {
  const { id, tool, status, parentId } = call;
  return {
    id,
    tool,
    status,
    input: call.input,
    ...(parentId !== undefined && { parent_id: parentId }),
    ...(call.status === "done" && { ms: call.ms, output: call.output.text }),
    ...(call.status === "failed" && { ms: call.ms, failure: call.failure }),
    ...(call.status === "denied" && { refusal: call.refusal }),
  };
}

function wireMessage(message: Message) {
  const content = message.parts.map((part) => {
    switch (part.type) {
      case "text":
        return { type: "text", text: part.text };
      case "thinking":
        return { type: "thinking", thinking: part.text };
      case "image":
        return { type: "image", media_type: part.mediaType, name: part.name ?? null };
      case "tool-call":
        return { type: "tool_use", id: part.callId, name: part.tool, input: part.input };
      case "tool-result":
        return { type: "tool_result", tool_use_id: part.callId, content: part.text, is_error: part.failed };
    }
  });
  return { id: message.id, role: message.role === "tool" ? "user" : message.role, kind: message.kind, content };
}

/** Progress for a person who watches standard error. */
function writeTalk(event: Event, talk: (text: string) => void): void {
  if (event.type === "notice") talk(event.level === "info" ? event.text : `${event.level}: ${event.text}`);
  else if (event.type === "call-printed" && event.line.trim() !== "") talk(`  ${event.line}`);
  else if (event.type === "call-changed" && event.call.status === "running") talk(`> ${callLine(event.call)}`);
  else if (event.type === "call-changed" && event.call.status !== "done" && SETTLED.has(event.call.status))
    talk(`x ${callLine(event.call)}: ${callResult(event.call)}`);
}

const answerLine = (request: RequestOf<"approval">, allowed: boolean) =>
  `? ${request.tool} asks (${because(request.because)}): ${allowed ? "allowed once" : "refused"}`;

/** `Bash npm test`, short enough for one line of a log. */
const callLine = (call: ToolCall) => `${call.tool} ${callSubject(call, 120)}`.trimEnd();

const withNewline = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
