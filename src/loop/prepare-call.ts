import type { CallFailure, CallIdentity, CallState, Refusal, ToolCall } from "../protocol/tool-call.ts";
import type { Verdict } from "../protocol/verdict.ts";
import { checkInput } from "../toolkit/check-input.ts";
import type { Injection } from "../toolkit/hooks.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import { askChained, askHooks } from "./ask-hooks.ts";
import { confirmCall } from "./confirm-call.ts";
import type { GateCall, Turn } from "./turn.ts";

export interface ReadyCall {
  readonly identity: CallIdentity;
  readonly tool: Tool;
  readonly input: Record<string, unknown>;
  readonly access: ToolAccess;
  /** Absolute paths the call declares, reads and writes. */
  readonly paths: { readonly reads: readonly string[]; readonly writes: readonly string[] };
  /** Text of pre-hooks, to stand before the output. */
  readonly preText: readonly string[];
}
export type Prepared = { readonly ready: ReadyCall } | { readonly settled: ToolCall };

export interface PrepareOptions {
  readonly malformed?: string | undefined;
  /** False inside Batch: what would need a person is refused instead. */
  readonly mayAsk: boolean;
  access(tool: Tool): ToolAccess;
  inject(injections: readonly Injection[]): void;
}

/** Phase A for one call, in the order of aura 5. Any stop is a settled call, a value. */
export async function prepareCall(turn: Turn, identity: CallIdentity, options: PrepareOptions): Promise<Prepared> {
  const started = turn.now();
  const stop = (state: CallState): Prepared => ({ settled: { ...identity, ...state } });
  const fail = (failure: CallFailure) => stop({ status: "failed", ms: Math.round(turn.now() - started), failure });
  const deny = (refusal: Refusal) => stop({ status: "denied", refusal });

  if (options.malformed !== undefined) return fail({ kind: "malformed-call", message: options.malformed });
  const tool = findTool(turn, identity);
  if (!tool) return fail({ kind: "unknown-tool", message: turn.tools.explainMissing(identity.tool) });

  let input = identity.input;
  const plugins = askChained(turn, "beforeTool", () => [{ id: identity.id, tool: tool.name, input }]);
  const injections: Injection[] = [];
  for await (const answer of plugins) {
    if (answer.block !== undefined)
      return fail({
        kind: "blocked",
        by: "Execution blocked by plugin",
        reason: answer.block || "no reason given",
      });
    if ("input" in answer) input = answer.input;
    if (answer.inject) injections.push(...answer.inject);
  }
  const checked = tool.check ? await tool.check(input) : checkInput(tool.input, input);
  if (!checked.ok) return fail({ kind: "bad-input", problems: checked.problems });
  options.inject(injections);

  const access = options.access(tool);
  const refused = await attempt(() => tool.pre?.(checked.input, access), "tool panicked in Pre: ");
  if ("thrown" in refused) return fail({ kind: "blocked", by: "tool", reason: refused.thrown });
  if (refused.value !== undefined) return fail({ kind: "blocked", by: "tool", reason: refused.value });

  const resolved = await attempt(() => resolvePaths(tool, checked.input, access), "");
  if ("thrown" in resolved) return fail({ kind: "blocked", by: "tool", reason: resolved.thrown });
  const gateCall: GateCall = { callId: identity.id, tool: tool.name, input: checked.input, ...resolved.value };
  const verdict = await turn.gate.judge(gateCall);
  if (verdict.kind === "deny") return deny({ by: "rule", because: verdict.because });
  if (verdict.kind === "confirm" && !turn.gate.approvesAll()) {
    const refusal = options.mayAsk
      ? await confirmCall(turn, { identity, tool, input: checked.input, access, verdict })
      : refuseInBatch(verdict);
    if (refusal === "withdrawn") return stop({ status: "cancelled", by: "user", ran: false });
    if (refusal) return deny(refusal);
  }

  for await (const block of askHooks(turn, "guardrail", { tool: tool.name, input: checked.input }))
    return fail({ kind: "blocked", by: `Guardrail blocked "${tool.name}"`, reason: block });
  const outside = turn.gate.outsideSandbox(gateCall);
  if (outside) return fail({ kind: "outside-sandbox", ...outside });

  const paths = resolved.value;
  const preText: string[] = [];
  const hookCall = {
    id: identity.id,
    tool: tool.name,
    input: checked.input,
    paths: [...paths.reads, ...paths.writes],
  };
  if (turn.hooks.some(({ preHook }) => preHook)) await turn.beforeCalls?.([{ tool, input: checked.input }]);
  for await (const answer of askHooks(turn, "preHook", hookCall)) {
    if (answer.block !== undefined) return fail({ kind: "blocked", by: "hook", reason: answer.block });
    if (answer.text) preText.push(answer.text);
  }
  return {
    ready: { identity: { ...identity, input: checked.input }, tool, input: checked.input, access, paths, preText },
  };
}

/** The model calls what it has a schema of. What a tool calls, a script or the proxy, was never offered to the model. */
function findTool({ tools }: Turn, { tool, parentId }: CallIdentity): Tool | undefined {
  return parentId === undefined ? tools.find(tool) : tools.reach(tool);
}

function refuseInBatch(verdict: Verdict & { kind: "confirm" }): Refusal {
  return {
    by: "nobody",
    reason: `it needs a person's approval (rule "${verdict.because.rule}"), which Batch cannot ask for: call the tool directly`,
  };
}

async function resolvePaths(tool: Tool, input: Record<string, unknown>, access: ToolAccess) {
  const { read = [], write = [] } = tool.paths?.(input) ?? {};
  const resolve = async (path: string) => access.files.realPath(await access.files.resolve(path, access.cwd));
  return {
    reads: await Promise.all(read.map(resolve)),
    writes: await Promise.all(write.map(resolve)),
    given: [...read, ...write],
  };
}

async function attempt<T>(
  work: () => Promise<T> | T,
  prefix: string,
): Promise<{ readonly value: T } | { readonly thrown: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { thrown: prefix + (error instanceof Error ? error.message : String(error)) };
  }
}
