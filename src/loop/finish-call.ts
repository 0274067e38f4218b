import type { CallOutput, ToolCall } from "../protocol/tool-call.ts";
import type { Injection } from "../toolkit/hooks.ts";
import { askHooks } from "./ask-hooks.ts";
import { asCancelled, type Executed } from "./execute-call.ts";
import type { Turn } from "./turn.ts";

export interface FinishOptions {
  /** Sub-calls of Batch skip diagnostics, result guard and after-tool hooks: those run once, for the Batch call. */
  readonly asSubCall: boolean;
  /** Tokens of the results of this reply that are settled before this one, and not in the history yet. */
  readonly besides: number;
  inject(injections: readonly Injection[]): void;
}

/** Phase C for one call: record, add hook text, shorten, guard, let plugins replace the output. */
export async function finishCall(turn: Turn, executed: Executed, options: FinishOptions): Promise<ToolCall> {
  const { ready, ms, result } = executed;
  if (result === "cancelled" || result === "not-run") return asCancelled(ready, result);
  if ("error" in result)
    return { ...ready.identity, status: "failed", ms, failure: { kind: "error", message: result.error } };

  const posted = await recordPost(ready);
  if (posted) turn.emit({ type: "notice", level: "warn", text: posted });
  const shortened = ready.tool.cutsMiddle ? await turn.shorten(result.output.text) : { text: result.output.text };
  let output: CallOutput = {
    ...result.output,
    ...shortened,
    text: await withHookText(turn, executed, shortened.text, options.asSubCall),
  };
  if (!options.asSubCall) {
    const objection = turn.resultObjection(output.text, options.besides);
    if (objection !== undefined) output = { text: objection };
    const call: ToolCall = { ...ready.identity, status: "done", ms, output };
    for await (const answer of askHooks(turn, "afterTool", call, output)) {
      if (answer.output !== undefined) output = { ...output, text: answer.output };
      if (answer.inject) options.inject(answer.inject);
    }
  }
  return { ...ready.identity, status: "done", ms, output: { ...output, tokens: turn.estimate(output.text) } };
}

async function recordPost(ready: Executed["ready"]): Promise<string | undefined> {
  try {
    await ready.tool.post?.(ready.input, ready.access);
    return undefined;
  } catch (error) {
    return `${ready.tool.name}: what it did could not be recorded: ${String(error)}`;
  }
}

async function withHookText(turn: Turn, executed: Executed, text: string, asSubCall: boolean): Promise<string> {
  const { ready } = executed;
  const paths = [...ready.paths.reads, ...ready.paths.writes];
  const blocks = [...ready.preText, text];
  const call = { id: ready.identity.id, tool: ready.tool.name, input: ready.input, output: text, paths };
  for await (const answer of askHooks(turn, "postHook", call)) if (answer.text) blocks.push(answer.text);
  if (!asSubCall && ready.paths.writes.length > 0)
    for await (const found of askHooks(turn, "diagnose", ready.paths.writes))
      blocks.push(`[LSP diagnostics]:\n${found}`);
  return blocks.length === 1 ? text : blocks.join("\n\n");
}
