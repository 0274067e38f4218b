import type { Message, ToolCallPart, ToolResultPart } from "../protocol/message.ts";
import type { CallFailure, ToolCall } from "../protocol/tool-call.ts";

/**
 * Gives every call part exactly one result, right behind its reply. A process that dies between a reply and the
 * results of its calls leaves calls without one; their result is then what their last state says. Results nobody
 * asked for and second results are left out. Pure; a repaired log reads the same every time.
 */
export function settlePairs(messages: readonly Message[], calls: readonly ToolCall[]): Message[] {
  const states = new Map(calls.map((call) => [call.id, call]));
  const settled: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === "tool") continue;
    settled.push(message);
    const asked = message.parts.filter((part) => part.type === "tool-call");
    if (asked.length === 0) continue;
    const missing = new Map(asked.map((call) => [call.callId, call]));
    settled.push(...takeResults(messages, at + 1, missing));
    settled.push(...standIns(message, [...missing.values()], states));
  }
  return settled;
}

/** The results of these calls, up to where an id is used for another call; takes them out of `missing`. */
function takeResults(messages: readonly Message[], from: number, missing: Map<string, ToolCallPart>): Message[] {
  const found: Message[] = [];
  const open = new Set(missing.keys());
  for (let at = from; at < messages.length && open.size > 0; at++) {
    const message = messages[at]!;
    if (message.role === "assistant")
      for (const part of message.parts) if (part.type === "tool-call") open.delete(part.callId);
    if (message.role !== "tool") continue;
    const parts = message.parts.filter((part) => part.type === "tool-result" && open.delete(part.callId));
    for (const part of parts) missing.delete((part as ToolResultPart).callId);
    if (parts.length === message.parts.length) found.push(message);
    else if (parts.length > 0) found.push({ ...message, parts });
  }
  return found;
}

/** One message per missing result, as the loop makes them: a refusal is ephemeral, what ran is not. */
function standIns(reply: Message, missing: readonly ToolCallPart[], states: ReadonlyMap<string, ToolCall>): Message[] {
  return missing.map(({ callId, tool }) => {
    const { text, failed, refused } = resultOf(states.get(callId));
    return {
      id: `${reply.id}/${callId}`,
      role: "tool",
      kind: refused ? "ephemeral" : "normal",
      at: reply.at,
      parts: [{ type: "tool-result", callId, tool, text, failed }],
    };
  });
}

interface StandIn {
  readonly text: string;
  readonly failed: boolean;
  /** The call never ran. */
  readonly refused: boolean;
}

function resultOf(call: ToolCall | undefined): StandIn {
  switch (call?.status) {
    case "done":
      return { text: call.output.text, failed: false, refused: false };
    case "failed":
      return { text: `Error: ${wordsOf(call.failure)}`, failed: true, refused: NEVER_RAN.has(call.failure.kind) };
    case "denied":
      return { text: `Error: tool call denied by ${DENIED_BY[call.refusal.by]}`, failed: true, refused: true };
    case "cancelled":
      return { text: cancelled(call), failed: true, refused: false };
    default:
      return { text: INTERRUPTED, failed: true, refused: false };
  }
}

const cancelled = ({ by, ran }: ToolCall & { status: "cancelled" }): string => {
  if (ran === false) return by === "shutdown" ? NOT_STARTED : NOT_RUN;
  return by === "shutdown" ? INTERRUPTED : CANCELLED;
};

const NOT_STARTED = "Error: not run: the process ended before this was started";
const NOT_RUN = "Error: not run: it was cancelled before it was started";
const INTERRUPTED = "Error: interrupted: the process ended before this finished; it may have had partial effects";
const CANCELLED = "Error: cancelled before it finished; it may have had partial effects";
const DENIED_BY = { rule: "policy", person: "user", nobody: "policy" } as const;
const NEVER_RAN: ReadonlySet<CallFailure["kind"]> = new Set([
  "unknown-tool",
  "malformed-call",
  "bad-input",
  "blocked",
  "outside-sandbox",
] as const);

function wordsOf(failure: CallFailure): string {
  switch (failure.kind) {
    case "bad-input":
      return failure.problems.join("\n");
    case "blocked":
      return failure.reason;
    case "outside-sandbox":
      return `sandbox: ${failure.access} access denied for "${failure.path}"`;
    default:
      return failure.message.replace(/^Error: /, "");
  }
}
