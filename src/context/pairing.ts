import type { Message, ToolCallPart, ToolResultPart } from "../protocol/message.ts";

/**
 * Takes away what has been sent once: ephemeral messages, and with a failed result the call it answers. A reply left
 * with neither words nor calls goes too (aura 8.6). `answered`: how many of `messages` a successful reply has
 * followed; an ephemeral message behind that is still to be sent. Pure.
 *
 * This is the one thing that rewrites what the model has already read, so a provider's prompt cache is lost from the
 * failed call on. It costs one reply and its results at most, because the next successful reply comes right behind.
 */
export function fadeFailed(messages: readonly Message[], answered: number): readonly Message[] {
  if (!messages.slice(0, answered).some(isEphemeral)) return messages;
  const kept: Message[] = [];
  const open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const fades = at < answered && isEphemeral(message);
    if (!fades) kept.push(message);
    for (const { callId } of callsOf(message)) open.add(callId);
    // Only a call's first result is its result: a stray failure does not take a call that went well.
    for (const { callId } of resultsOf(message)) if (open.delete(callId) && fades) dropCall(kept, callId);
  }
  return kept;
}

/**
 * Gives every call exactly one result, before anything else is said. What is already in order passes through as the
 * same objects; a missing result is stood in for, a stray or second one left out. Pure.
 */
export function pairUp(messages: readonly Message[]): readonly Message[] {
  return isPaired(messages) ? messages : paired(messages);
}

/** Whether each reply's calls are answered one by one by the tool messages right behind it. */
export function isPaired(messages: readonly Message[]): boolean {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      for (const { callId } of resultsOf(message)) {
        const at = open.indexOf(callId);
        if (at < 0) return false;
        open.splice(at, 1);
      }
    } else {
      if (open.length > 0) return false;
      open = callsOf(message).map(({ callId }) => callId);
    }
  }
  return open.length === 0;
}

export function callsOf(message: Message): readonly ToolCallPart[] {
  return message.role === "assistant" ? message.parts.filter((part) => part.type === "tool-call") : [];
}

export function resultsOf(message: Message): readonly ToolResultPart[] {
  return message.role === "tool" ? message.parts.filter((part) => part.type === "tool-result") : [];
}

const isEphemeral = (message: Message) => message.kind === "ephemeral";

/** Takes the newest call of this id out of the replies so far. */
function dropCall(messages: Message[], callId: string): void {
  const at = messages.findLastIndex((message) => callsOf(message).some((call) => call.callId === callId));
  if (at < 0) return;
  const reply = messages[at]!;
  const parts = reply.parts.filter((part) => part.type !== "tool-call" || part.callId !== callId);
  const says = parts.some((part) => part.type === "tool-call" || (part.type === "text" && part.text.trim() !== ""));
  if (says) messages[at] = { ...reply, parts };
  else messages.splice(at, 1);
}

function paired(messages: readonly Message[]): Message[] {
  const used = new Set<ToolResultPart>();
  const out: Message[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") continue;
    out.push(message);
    const calls = callsOf(message);
    if (calls.length === 0) continue;
    const answers = answersBehind(messages, at, calls) ?? [
      rebuilt(
        message,
        calls.map((call) => findResult(messages, at + 1, call.callId, used) ?? standIn(call)),
      ),
    ];
    for (const part of answers.flatMap(resultsOf)) used.add(part);
    out.push(...answers);
  }
  return out;
}

/** The tool messages right behind a reply that answer all its calls, strays left out; nothing when a call is open. */
function answersBehind(
  messages: readonly Message[],
  at: number,
  calls: readonly ToolCallPart[],
): Message[] | undefined {
  const open = calls.map(({ callId }) => callId);
  const answers: Message[] = [];
  for (let next = at + 1; messages[next]?.role === "tool"; next++) {
    const message = messages[next]!;
    const left = [...open];
    const fits = resultsOf(message).every(({ callId }) => {
      const index = left.indexOf(callId);
      return index >= 0 && left.splice(index, 1).length === 1;
    });
    if (!fits) continue;
    open.splice(0, open.length, ...left);
    answers.push(message);
  }
  return open.length === 0 ? answers : undefined;
}

/** The next unused result of this id, up to where the id is used for another call. */
function findResult(messages: readonly Message[], from: number, callId: string, used: Set<ToolResultPart>) {
  for (let at = from; at < messages.length; at++) {
    const message = messages[at]!;
    if (callsOf(message).some((call) => call.callId === callId)) return undefined;
    const found = resultsOf(message).find((part) => part.callId === callId && !used.has(part));
    if (!found) continue;
    used.add(found);
    return found;
  }
  return undefined;
}

function rebuilt(reply: Message, parts: readonly ToolResultPart[]): Message {
  return { id: `${reply.id}/results`, role: "tool", kind: "normal", at: reply.at, parts };
}

function standIn({ callId, tool }: ToolCallPart): ToolResultPart {
  return { type: "tool-result", callId, tool, text: "Error: no result was recorded for this call", failed: true };
}
