import { debugTools, noSuchTool, toolsNamed, whyTools } from "../commands/tool-words.ts";
import { type Shown, type ShownKind, showEntities, showResolved, summarize } from "../config/show.ts";
import { type Explanation, explain } from "../policy/explain.ts";
import type { PickItem } from "../protocol/request.ts";
import { checkInput } from "../toolkit/check-input.ts";
import { describeTool } from "../toolkit/describe.ts";
import type { ToolStatus } from "../toolkit/tool-set.ts";
import { builtinTools } from "../tools/index.ts";
import { createReadTracker } from "../workspace/hash-read-tracker.ts";
import type { Engine } from "./engine.ts";
import { judgedCall, policyInForce } from "./judge-call.ts";
import { listModels } from "./list-models.ts";
import { sessionItem } from "./live-controls.ts";
import { openEngine } from "./open-conversation.ts";
import type { OpenOptions } from "./open-options.ts";
import { systemPrompt } from "./system-prompt.ts";
import { toolAccess } from "./tool-access.ts";

/** Looks at what a conversation would run with, and runs single tools, without talking to a model. */
export interface Inspection {
  readonly summary: readonly (readonly [label: string, value: string])[];
  readonly tools: readonly ToolStatus[];
  /** Why each tool is in or out, or those that `wanted` names. */
  explainTools(
    wanted: string | undefined,
  ): { readonly text: string; readonly tools: readonly ToolStatus[] } | { readonly problem: string };
  /** Starts the servers and waits until each has answered or failed. */
  settled(): Promise<void>;
  describeTool(name: string): { readonly text: string; readonly schema: unknown } | undefined;
  /** Only the tool's own work: no hooks, policy or guards (aura 5). */
  runTool(name: string, input: unknown, run: ToolRun): Promise<ToolOutcome>;
  systemPrompt(): Promise<string>;
  resolved(): Promise<string>;
  show(kind: ShownKind, query: { readonly name?: string; readonly filters?: readonly string[] }): readonly Shown[];
  explain(tool: string, input: unknown): Promise<Explanation>;
  models(): Promise<readonly PickItem[]>;
  sessions(all: boolean): { readonly items: readonly SessionItem[]; readonly warnings: readonly string[] };
  estimate(text: string): number;
  close(): Promise<void>;
}

export interface SessionItem extends PickItem {
  readonly name?: string;
  readonly title?: string;
  readonly cwd: string;
  /** ISO 8601, as `updated`. */
  readonly created: string;
  readonly updated: string;
}

export interface ToolRun {
  readonly signal: AbortSignal;
  print(line: string): void;
}
export interface ToolOutcome {
  readonly ok: boolean;
  readonly text: string;
}

export async function inspect(
  options: OpenOptions,
): Promise<
  | { readonly kind: "ready"; readonly inspection: Inspection; readonly notes: readonly string[] }
  | { readonly kind: "refused"; readonly problem: string }
> {
  const opened = await openEngine(options);
  if (opened.kind === "refused") return opened;
  await opened.engine.sandbox.settle();
  return { kind: "ready", inspection: createInspection(opened.engine), notes: opened.notes };
}

function createInspection(engine: Engine): Inspection {
  const { config, settings, sessions } = engine;
  const known = (name: string) => engine.tools.reach(name) ?? builtinTools.find((tool) => tool.name === name);
  return {
    summary: summarize(config, settings, engine.sandbox.brief),
    get tools() {
      return engine.tools.statuses;
    },
    explainTools(wanted) {
      const { statuses } = engine.tools;
      if (wanted === undefined) return { text: debugTools(statuses), tools: statuses };
      const text = whyTools(wanted, statuses);
      if (text === undefined) return { problem: noSuchTool(wanted, statuses) };
      return { text, tools: toolsNamed(wanted, statuses) };
    },
    settled: () => engine.settleSources(),
    describeTool(name) {
      const tool = known(name);
      return tool && { text: describeTool(tool), schema: tool.input };
    },
    runTool: (name, input, run) => runTool(engine, name, input, run),
    systemPrompt: () => systemPrompt(engine),
    resolved: () => showResolved(settings),
    show: (kind, query) => showEntities(config, kind, query),
    explain: async (tool, input) =>
      explain(await judgedCall(engine, known(tool), tool, input), policyInForce(engine), engine.services.approvals),
    models: () => listModels(engine),
    sessions(all) {
      const { sessions: saved, warnings } = sessions.store.list();
      const here = all ? saved : saved.filter(({ cwd }) => cwd === engine.cwd);
      const items = here.map(({ name, title, cwd, created, updated, ...rest }) => ({
        ...sessionItem({ ...rest, updated, ...(name && { name }), ...(title && { title }), cwd }, engine.timestamp()),
        ...(name && { name }),
        ...(title && { title }),
        cwd,
        created,
        updated: new Date(updated).toISOString(),
      }));
      return { items, warnings };
    },
    estimate: engine.estimate,
    close: () => engine.close(),
  };
}

async function runTool(engine: Engine, name: string, input: unknown, { signal, print }: ToolRun): Promise<ToolOutcome> {
  const tool = engine.tools.reach(name);
  if (!tool) return { ok: false, text: engine.tools.explainMissing(name) };
  const checked = checkInput(tool.input, input);
  if (!checked.ok) return { ok: false, text: checked.problems.join("\n") };
  const access = {
    ...toolAccess(engine, "direct", signal, print),
    reads: createReadTracker({ write: false, delete: false }),
    ask: () => Promise.reject(new Error("nobody is here to ask")),
    callTools: () => Promise.reject(new Error(`${name} runs other tools, which needs a conversation`)),
  };
  try {
    const result = await tool.run(checked.input, access);
    const { text } = typeof result === "string" ? { text: result } : result;
    return { ok: true, text: tool.cutsMiddle ? (await engine.shorten(text)).text : text };
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}
