import type { GateCall } from "../loop/turn.ts";
import type { Verdict } from "../protocol/verdict.ts";
import type { Engine } from "./engine.ts";
import { judgeCall } from "./judge-call.ts";

/**
 * The verdict on a call under an agent's own policy and under that of everyone it works for: the strictest counts, so
 * that nothing which is refused or asked about here becomes free by delegating it. What a person allows a child is
 * allowed once: approvals belong to the conversation they were given in.
 */
export async function judgeWithAbove(engine: Engine, call: GateCall): Promise<Verdict> {
  const own = await judgeCall(engine, call);
  if (!engine.above) return own;
  const above = await judgeWithAbove(engine.above.engine, { ...call, callId: engine.above.idOf(call.callId) });
  const verdict = STRICTNESS[above.kind] > STRICTNESS[own.kind] ? above : own;
  if (verdict.kind !== "confirm") return verdict;
  const { because, explained } = verdict;
  return {
    kind: "confirm",
    because,
    noPattern: "a subagent's call is allowed once only",
    ...(explained && { explained }),
  };
}

const STRICTNESS = { auto: 0, confirm: 1, deny: 2 } as const;
