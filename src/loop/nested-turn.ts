import type { NestedCalls } from "../toolkit/tool-access.ts";
import type { Turn } from "./turn.ts";

/** The turn as calls under another call see it: ended earlier by their own signal, and asking in the name of `who`. */
export function nestedTurn(turn: Turn, { who, signal: own, asked }: Omit<NestedCalls, "mayAsk">): Turn {
  if (who === undefined && own === undefined && asked === undefined) return turn;
  const signal = own ? AbortSignal.any([turn.signal, own]) : turn.signal;
  const requests: Turn["requests"] = {
    get pending() {
      return turn.requests.pending;
    },
    answer: (id, answer) => turn.requests.answer(id, answer),
    open(kind, ask, until) {
      const opened = turn.requests.open(kind, who !== undefined && kind === "approval" ? { who, ...ask } : ask, until);
      asked?.(opened.answered);
      return opened;
    },
  };
  // Made from the turn and not a copy of it: what it computes when asked, such as the tools in force, stays alive.
  return Object.create(turn, {
    signal: { value: signal },
    requests: { value: requests },
    access: { value: (call: Parameters<Turn["access"]>[0]) => ({ ...turn.access(call), signal }) },
  }) as Turn;
}
