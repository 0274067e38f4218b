import type { TurnEnd } from "../protocol/event.ts";
import type { Message, ToolCallPart } from "../protocol/message.ts";
import type { ProviderFailure } from "../providers/provider.ts";
import type { Injection } from "../toolkit/hooks.ts";
import { askChained, askHooks } from "./ask-hooks.ts";
import { fades, resultMessage, runCalls } from "./run-calls.ts";
import { type Reply, streamReply } from "./stream-reply.ts";
import type { Turn } from "./turn.ts";

export interface TurnOutcome {
  readonly reason: TurnEnd;
  /** What went wrong, for a person; with `failed` and `limit`. */
  readonly error?: string;
}

/** Consecutive replies with only malformed calls that are answered with an explanation before the turn fails. */
const MALFORMED_RETRIES = 3;
/** Times a full context is compacted and the request repeated (aura 15, recovery). */
const EXHAUSTED_RETRIES = 5;

/**
 * One user turn: build a request, stream the reply, run its calls, repeat until the model only talks (aura 13.1).
 * The prompt is already in the history. Steps 1 to `maxSteps` may call tools; one more may only answer in words.
 */
export async function runTurn(first: Turn): Promise<TurnOutcome> {
  let turn = first;
  const usedCallIds = new Set<string>(callIdsOf(turn.history.forModel()));
  let malformedStreak = 0;
  let exhausted = 0;
  let errorRetries = 0;
  let toldLast = false;
  for (let step = 1; ; ) {
    if (turn.signal.aborted) return { reason: "cancelled" };
    const { tokenBudget, maxSteps } = turn.limits;
    if (tokenBudget > 0 && turn.spent() >= tokenBudget)
      return { reason: "limit", error: `token budget exceeded (${turn.spent()}/${tokenBudget})` };
    if (step > maxSteps + 1) return { reason: "limit", error: `maximum steps exceeded (${maxSteps})` };
    turn.stepped(step);
    const lastStep = step === maxSteps + 1;
    if (lastStep && !toldLast) addUserText(turn, LAST_STEP, "synthetic");
    toldLast = lastStep;

    const asked = await ask(turn, usedCallIds, step, lastStep);
    if (asked === "skipped") return { reason: "answered" };
    if (asked.kind === "failed") {
      if (asked.failure.kind === "cancelled") {
        keep(turn, asked.message);
        return { reason: "cancelled" };
      }
      const canCompact = asked.failure.kind === "context_exhausted" && exhausted++ < EXHAUSTED_RETRIES;
      const again = canCompact
        ? await turn.compact("exhausted")
        : await retryWanted(turn, asked.failure, errorRetries++);
      const next = again || asked.message ? undefined : await turn.failOver(asked.failure);
      withdrawOrKeep(turn, asked, again);
      turn = next ?? turn;
      if (again || next) continue;
      return { reason: "failed", error: asked.failure.message };
    }

    const { message } = asked;
    turn.history.add(message);
    turn.emit({ type: "reply-finished", message });
    const said = await afterResponse(turn, message);
    const parts = message.parts.filter((part): part is ToolCallPart => part.type === "tool-call");
    const shortfall = parts.length > 0 ? undefined : shortfallOf(asked);
    if (shortfall) turn.emit({ type: "notice", level: "warn", text: shortfall });
    if (parts.length === 0) {
      inject(turn, said);
      // After the last step there is none to go on in: what was typed meanwhile begins the next turn.
      const goesOn = !lastStep && (said.length > 0 || (await deliverQueued(turn)) || remindOfWork(turn));
      if (!goesOn) return { reason: "answered" };
      step++;
      continue;
    }
    if (lastStep) {
      refuseAll(turn, parts);
      return { reason: "limit", error: `maximum steps exceeded (${maxSteps})` };
    }

    const outcome = await runCalls(turn, parts);
    for (const call of outcome.calls) turn.history.add(announced(turn, resultMessage(turn, call, fades(call))));
    inject(turn, [...said, ...outcome.injections]);
    if (turn.signal.aborted) return { reason: "cancelled" };
    if (outcome.calls.some((call) => call.status === "done" && turn.tools.find(call.tool)?.endsTurn))
      return { reason: "done" };
    malformedStreak = parts.every((part) => part.malformed !== undefined) ? malformedStreak + 1 : 0;
    if (malformedStreak > MALFORMED_RETRIES)
      return { reason: "failed", error: `the model's tool calls could not be read, ${malformedStreak} times in a row` };
    await deliverQueued(turn);
    step++;
  }
}

/** What a person should know of a reply that is not all they see of it. */
function shortfallOf({ cutShort, message }: Reply & { kind: "finished" }): string | undefined {
  if (cutShort) return "The reply was cut at the model's output limit.";
  const isEmpty = message.parts.every((part) => part.type !== "text" || part.text.trim() === "");
  return isEmpty ? "The model ended its reply without a word." : undefined;
}

/** In auto mode a model that stops with work left is told so, once a step. */
function remindOfWork(turn: Turn): boolean {
  const left = turn.unfinished();
  if (left !== undefined) inject(turn, [{ role: "user", text: left }]);
  return left !== undefined;
}

const LAST_STEP =
  "The step limit is reached. Tools are off now: answer in words, say what is done and what is left to do.";

async function ask(turn: Turn, usedCallIds: Set<string>, step: number, lastStep: boolean): Promise<Reply | "skipped"> {
  let system = turn.system;
  let mayCall = !lastStep;
  for await (const wish of askHooks(turn, "beforeChat", { step, history: turn.history.forModel() })) {
    inject(turn, wish.inject ?? []);
    if (wish.appendSystem) system += `\n\n${wish.appendSystem}`;
    if (wish.noTools) mayCall = false;
    if (wish.skip) return "skipped";
  }
  await turn.compact("threshold");
  await turn.prepareTools();
  let messages = turn.history.forModel();
  for await (const transformed of askChained(turn, "transformMessages", () => [messages])) messages = transformed;
  const request = { ...turn.request, system, messages, tools: turn.tools.schemas, mayCall, signal: turn.signal };
  return streamReply(turn, request, usedCallIds);
}

async function retryWanted(turn: Turn, failure: ProviderFailure, retries: number): Promise<boolean> {
  if (retries >= 3) return false;
  for await (const wish of askHooks(turn, "onError", { kind: failure.kind, message: failure.message }))
    if (wish === "retry") return true;
  return false;
}

/** A reply that will be asked for again is void; one that will not is kept as far as it came. */
function withdrawOrKeep(turn: Turn, reply: Reply & { kind: "failed" }, again: boolean): void {
  if (!reply.message) return;
  if (!again) keep(turn, reply.message);
  else turn.emit({ type: "reply-withdrawn", messageId: reply.message.id, reason: reply.failure.message });
}

function keep(turn: Turn, message: Message | undefined): void {
  if (!message) return;
  turn.history.add(message);
  turn.emit({ type: "reply-finished", message });
}

async function afterResponse(turn: Turn, message: Message): Promise<readonly Injection[]> {
  const injections: Injection[] = [];
  for await (const answer of askHooks(turn, "afterResponse", message)) injections.push(...(answer.inject ?? []));
  return injections;
}

function inject(turn: Turn, injections: readonly Injection[]): void {
  for (const { role, text, eject } of injections)
    turn.history.add(
      announced(turn, {
        id: turn.newId(),
        role,
        kind: eject ? "ephemeral" : "synthetic",
        at: turn.timestamp(),
        parts: [{ type: "text", text }],
      }),
    );
}

async function deliverQueued(turn: Turn): Promise<boolean> {
  const queued = await turn.takeQueued();
  for (const message of queued) turn.history.add(announced(turn, message));
  return queued.length > 0;
}

function addUserText(turn: Turn, text: string, kind: "synthetic"): void {
  turn.history.add(
    announced(turn, { id: turn.newId(), role: "user", kind, at: turn.timestamp(), parts: [{ type: "text", text }] }),
  );
}

/** The model called tools when it was told not to: the calls are settled unrun, so that each has its result. */
function refuseAll(turn: Turn, parts: readonly ToolCallPart[]): void {
  for (const part of parts) {
    const identity = { id: part.callId, tool: part.tool, input: part.input };
    const call = { ...identity, status: "cancelled", by: "limit" } as const;
    turn.emit({ type: "call-changed", call: { ...identity, status: "pending" } });
    turn.emit({ type: "call-changed", call });
    turn.history.add(announced(turn, resultMessage(turn, call, false)));
  }
}

function announced(turn: Turn, message: Message): Message {
  turn.emit({ type: "message-added", message });
  return message;
}

function* callIdsOf(messages: readonly Message[]): Generator<string> {
  for (const message of messages) for (const part of message.parts) if (part.type === "tool-call") yield part.callId;
}
