import { runCalls } from "../loop/run-calls.ts";
import type { CallOutput } from "../protocol/tool-call.ts";
import { resultText } from "../toolkit/result-text.ts";
import type { Engine } from "./engine.ts";
import { createTurn } from "./live-turn.ts";

/**
 * One call that no model of ours made, through the whole pipeline: filters, hooks, policy, approvals and guards.
 * @throws Error whose message says why it was refused or how it failed
 */
export async function callFromOutside(
  engine: Engine,
  call: { readonly tool: string; readonly input: unknown },
  { signal, print }: { readonly signal: AbortSignal; print(line: string): void },
): Promise<CallOutput> {
  const turn = await createTurn(engine, signal, {
    takeQueued: () => [],
    activity: () => ({ busy: true, queued: 0 }),
  });
  const told: typeof turn = {
    ...turn,
    access(asked) {
      const access = turn.access(asked);
      return {
        ...access,
        print(line) {
          access.print(line);
          print(line);
        },
      };
    },
  };
  const { calls } = await runCalls(told, [{ type: "tool-call", callId: engine.newId(), ...call }]);
  const [settled] = calls;
  if (settled?.status === "done") return settled.output;
  throw new Error(settled ? resultText(settled).text.replace(/^Error: /, "") : "the call was not made");
}
