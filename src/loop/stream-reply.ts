import type { Message, Part, ToolCallPart, Usage } from "../protocol/message.ts";
import type { ModelRequest, ProviderFailure } from "../providers/provider.ts";
import type { Turn } from "./turn.ts";

export type Reply =
  | { readonly kind: "finished"; readonly message: Message; readonly cutShort: boolean }
  /** `message` holds what arrived before the failure; absent when nothing did. */
  | { readonly kind: "failed"; readonly failure: ProviderFailure; readonly message?: Message };

/** Streams one reply into events and returns it whole. Deltas are shown as they come; parts decide what is kept. */
export async function streamReply(turn: Turn, request: ModelRequest, usedCallIds: Set<string>): Promise<Reply> {
  const id = turn.newId();
  const parts: Part[] = [];
  const unfinished = { text: "", thinking: "" };
  let started = false;
  const grow = (kind: "text" | "thinking", delta: string) => {
    if (delta === "") return;
    if (!started) turn.emit({ type: "reply-started", messageId: id });
    started = true;
    unfinished[kind] += delta;
    turn.emit({ type: "reply-grew", messageId: id, kind, delta });
  };
  const message = (extra: { usage?: Usage; interrupted?: boolean }): Message => ({
    id,
    role: "assistant",
    kind: "normal",
    parts,
    at: turn.timestamp(),
    ...extra,
  });

  for await (const part of turn.provider.stream(request)) {
    switch (part.type) {
      case "text":
      case "thinking":
        grow(part.type, part.delta);
        break;
      case "part":
        if (part.part.type === "text" || part.part.type === "thinking") unfinished[part.part.type] = "";
        parts.push(part.part.type === "tool-call" ? withUniqueId(part.part, usedCallIds) : part.part);
        break;
      case "finished": {
        const { usage, reason } = part;
        if (reason !== "content_filter")
          return { kind: "finished", message: message({ usage }), cutShort: reason === "length" };
        keepWords(parts, unfinished);
        return failed(FILTERED, parts, () => message({ usage, interrupted: true }));
      }
      case "failed":
        keepWords(parts, unfinished);
        return failed(part.failure, parts, () => message({ interrupted: true }));
    }
  }
  throw new Error(`provider ${turn.provider.name} ended its stream without saying how`);
}

const FILTERED: ProviderFailure = {
  kind: "content_filter",
  message: "The provider's content filter stopped the reply. Say it differently.",
  retryable: false,
};

function failed(failure: ProviderFailure, kept: readonly Part[], message: () => Message): Reply {
  return kept.length > 0 ? { kind: "failed", failure, message: message() } : { kind: "failed", failure };
}

/** What was said so far, without calls: a call of a broken reply was never asked for whole. */
function keepWords(parts: Part[], unfinished: { text: string; thinking: string }): void {
  parts.splice(0, parts.length, ...parts.filter((part) => part.type !== "tool-call"));
  if (unfinished.thinking) parts.push({ type: "thinking", text: unfinished.thinking });
  if (unfinished.text) parts.push({ type: "text", text: unfinished.text });
}

/** Some servers number calls anew in each reply; a conversation needs each id once. */
function withUniqueId(part: ToolCallPart, used: Set<string>): ToolCallPart {
  let callId = part.callId || "call";
  for (let n = 2; used.has(callId); n++) callId = `${part.callId || "call"}-${n}`;
  used.add(callId);
  return callId === part.callId ? part : { ...part, callId };
}
