import type { CallOutput, ToolCall } from "../protocol/tool-call.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { Turn } from "./turn.ts";

export interface Executed {
  readonly ready: ReadyCall;
  readonly ms: number;
  readonly result: { readonly output: CallOutput } | { readonly error: string } | "cancelled" | "not-run";
}

/** How long a cancelled tool may take to clean up before it is left behind. */
const CLEAN_UP_MS = 3_000;

/** Phase B for one call. A throw becomes an error result; a crash of one tool never reaches another. */
async function executeCall(turn: Turn, ready: ReadyCall): Promise<Executed> {
  if (turn.signal.aborted) return { ready, ms: 0, result: "not-run" };
  const startedAt = turn.now();
  turn.emit({ type: "call-changed", call: { ...ready.identity, status: "running", startedAt } });
  const result = await settle(turn, ready);
  turn.printed(ready.identity.id);
  return { ready, ms: Math.round(turn.now() - startedAt), result };
}

/** All ready calls of one reply: those that are safe together at once, then the others in order. */
export async function executeCalls(turn: Turn, ready: readonly ReadyCall[]): Promise<Map<string, Executed>> {
  if (ready.length > 0) await turn.beforeCalls?.(ready);
  const together = turn.limits.parallel ? ready.filter((call) => call.tool.parallel !== false) : [];
  const executed = await Promise.all(together.map((call) => executeCall(turn, call)));
  for (const call of ready) if (!together.includes(call)) executed.push(await executeCall(turn, call));
  return new Map(executed.map((entry) => [entry.ready.identity.id, entry]));
}

async function settle(turn: Turn, ready: ReadyCall): Promise<Executed["result"]> {
  try {
    const result = await withinCleanUp(ready.tool.run(ready.input, ready.access), turn.signal);
    if (turn.signal.aborted) return "cancelled";
    const output = typeof result === "string" ? { text: result } : result;
    return { output: turn.redact ? { ...output, text: turn.redact(output.text) } : output };
  } catch (error) {
    if (turn.signal.aborted) return "cancelled";
    const message = error instanceof Error ? error.message : `tool panicked: ${String(error)}`;
    return { error: turn.redact?.(message) ?? message };
  }
}

/** Waits for the work; after an abort only as long as cleaning up should take. */
function withinCleanUp<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      timer = setTimeout(() => reject(new Error("cancelled")), CLEAN_UP_MS);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  });
}

export function asCancelled(ready: ReadyCall, result: "cancelled" | "not-run"): ToolCall {
  return { ...ready.identity, status: "cancelled", by: "user", ...(result === "not-run" && { ran: false }) };
}
