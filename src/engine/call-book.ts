import { SETTLED, type ToolCall } from "../protocol/tool-call.ts";

/** The newest state of every call of this process, for a screen that comes later and for settling what is left open. */
export interface CallBook {
  take(call: ToolCall): void;
  all(): readonly ToolCall[];
  open(): readonly ToolCall[];
  isSettled(id: string): boolean;
  replace(calls: readonly ToolCall[]): void;
}

export function createCallBook(): CallBook {
  const byId = new Map<string, ToolCall>();
  return {
    take: (call) => void byId.set(call.id, call),
    all: () => [...byId.values()],
    open: () => [...byId.values()].filter((call) => !SETTLED.has(call.status)),
    isSettled: (id) => SETTLED.has(byId.get(id)?.status ?? "pending"),
    replace(calls) {
      byId.clear();
      for (const call of calls) byId.set(call.id, call);
    },
  };
}
