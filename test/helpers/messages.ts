import type { Message, MessageKind, Part, Usage } from "../../src/protocol/message.ts";

const AT = "2026-01-02T03:04:05.000Z";

export function prompt(id: string, text: string, kind: MessageKind = "normal"): Message {
  return { id, role: "user", kind, at: AT, parts: [{ type: "text", text }] };
}

/** A reply with words and calls; calls are `callId` or `callId:Tool`. */
export function reply(id: string, text: string, calls: readonly string[] = [], more: Partial<Message> = {}): Message {
  const parts: Part[] = text === "" ? [] : [{ type: "text", text }];
  for (const call of calls) {
    const [callId = "", tool = "Read"] = call.split(":");
    parts.push({ type: "tool-call", callId, tool, input: { path: `${callId}.txt` } });
  }
  return { id, role: "assistant", kind: "normal", at: AT, parts, ...more };
}

export function result(id: string, callId: string, text = "ok", kind: MessageKind = "normal"): Message {
  return {
    id,
    role: "tool",
    kind,
    at: AT,
    parts: [{ type: "tool-result", callId, tool: "Read", text, failed: kind === "ephemeral" }],
  };
}

export const withUsage = (message: Message, usage: Usage): Message => ({ ...message, usage });
