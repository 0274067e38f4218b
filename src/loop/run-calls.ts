import type { Message, ToolCallPart } from "../protocol/message.ts";
import { type CallIdentity, SETTLED, type ToolCall } from "../protocol/tool-call.ts";
import type { Injection } from "../toolkit/hooks.ts";
import { resultText } from "../toolkit/result-text.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import { executeCalls } from "./execute-call.ts";
import { finishCall } from "./finish-call.ts";
import { nestedTurn } from "./nested-turn.ts";
import { prepareCall, type ReadyCall } from "./prepare-call.ts";
import type { Turn } from "./turn.ts";

export interface CallsOutcome {
  readonly calls: readonly ToolCall[];
  readonly injections: readonly Injection[];
}

/**
 * Runs the calls of one reply in three phases (aura 5): all registered as pending, then prepared in order, executed,
 * and finished in order. Whatever happens, every call is settled when this returns.
 */
export async function runCalls(turn: Turn, parts: readonly ToolCallPart[]): Promise<CallsOutcome> {
  const injections: Injection[] = [];
  const wanted = parts.map((part) => ({
    identity: { id: part.callId, tool: part.tool, input: part.input },
    malformed: part.malformed,
  }));
  const calls = await threePhases(turn, wanted, { mayAsk: true, inject: (added) => injections.push(...added) });
  return { calls, injections };
}

/** One tool-role message a settled call; refusals of phase A are sent to the model only once (aura 8.6). */
export function resultMessage(turn: Turn, call: ToolCall, ephemeral: boolean): Message {
  const images = call.status === "done" ? call.output.images : undefined;
  return {
    id: turn.newId(),
    role: "tool",
    kind: ephemeral ? "ephemeral" : "normal",
    at: turn.timestamp(),
    parts: [{ type: "tool-result", callId: call.id, tool: call.tool, ...resultText(call), ...(images && { images }) }],
  };
}

/** Refused before it ran: the pair fades after the model has seen it once. */
export function fades(call: ToolCall): boolean {
  return call.status === "denied" || (call.status === "failed" && call.failure.kind !== "error");
}

interface Wanted {
  readonly identity: CallIdentity;
  readonly malformed?: string | undefined;
}
interface PhaseOptions {
  readonly mayAsk: boolean;
  inject(injections: readonly Injection[]): void;
}

async function threePhases(turn: Turn, wanted: readonly Wanted[], options: PhaseOptions): Promise<ToolCall[]> {
  const settled = new Map<string, ToolCall>();
  let besides = 0;
  const settle = (call: ToolCall) => {
    if (!SETTLED.has(call.status)) throw new Error(`call ${call.id} was finished while ${call.status}`);
    settled.set(call.id, call);
    besides += tokensOf(turn, call);
    turn.emit({ type: "call-changed", call });
  };
  for (const { identity } of wanted) turn.emit({ type: "call-changed", call: { ...identity, status: "pending" } });

  const ready: ReadyCall[] = [];
  const nested: Promise<unknown>[] = [];
  for (const { identity, malformed } of wanted) {
    if (turn.signal.aborted) {
      settle({ ...identity, status: "cancelled", by: "user", ran: false });
      continue;
    }
    const access = (tool: Tool) => accessFor(turn, identity, tool, { ...options, nested });
    const prepared = await orFailed(identity, prepareCall(turn, identity, { ...options, malformed, access }));
    if ("settled" in prepared) settle(prepared.settled);
    else ready.push(prepared.ready);
  }

  const executed = await executeCalls(turn, ready);
  await Promise.allSettled(nested); // a call left behind may have left its own behind: those are settled first
  for (const { identity } of wanted) {
    const done = executed.get(identity.id);
    if (!done) continue;
    const asSubCall = identity.parentId !== undefined;
    const finishing = finishCall(turn, done, { asSubCall, besides, inject: options.inject });
    const finished = await orFailed(
      identity,
      finishing.then((call) => ({ settled: call })),
    );
    settle(finished.settled);
  }
  return wanted.map(({ identity }) => settled.get(identity.id)!); // every wanted call was settled above
}

/** What the result of a settled call takes of the context. */
function tokensOf(turn: Turn, call: ToolCall): number {
  const counted = call.status === "done" ? call.output.tokens : undefined;
  return counted ?? turn.estimate(resultText(call).text);
}

/** What breaks around one call, a rule or a full disk, is that call's failure: its siblings still get their results. */
async function orFailed<T>(identity: CallIdentity, work: Promise<T>): Promise<T | { readonly settled: ToolCall }> {
  try {
    return await work;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { settled: { ...identity, status: "failed", ms: 0, failure: { kind: "error", message } } };
  }
}

interface AccessOptions extends PhaseOptions {
  /** Receives the work of calls that are made under this one. */
  readonly nested: Promise<unknown>[];
}

function accessFor(turn: Turn, identity: CallIdentity, tool: Tool, options: AccessOptions): ToolAccess {
  let children = 0;
  return {
    ...turn.access({ id: identity.id, tool }),
    // What runs in a Batch is not shown line by line (aura 2.15).
    ...(identity.parentId !== undefined && { print: () => undefined }),
    async ask(kind, ask) {
      const result = await turn.requests.open(kind, ask, turn.signal).answered;
      if (result === "withdrawn") throw new Error("cancelled before it was answered");
      return result.answer;
    },
    callTools(calls, { mayAsk = false, ...nested } = {}) {
      const wanted = calls.map(({ tool, input }) => ({
        identity: { id: `${identity.id}/${++children}`, tool, input, parentId: identity.id },
      }));
      const work = threePhases(nestedTurn(turn, nested), wanted, {
        mayAsk: mayAsk && options.mayAsk,
        inject: options.inject,
      });
      options.nested.push(work);
      return work;
    },
  };
}
