import { findAgent, type Subagent, withNotes } from "../tools/task.ts";
import type { Engine } from "./engine.ts";
import { subagentsOf } from "./meta-tools.ts";
import { runChild } from "./run-child.ts";

export interface SpawnTask {
  /** Any configured agent with `subagent: true`, without regard to case. */
  readonly agentName?: string | undefined;
  /** The same, as other clients spell it. */
  readonly agent_name?: string | undefined;
  readonly prompt: string;
}

export interface SpawnResult {
  /** `task_<place in the list>`. */
  readonly taskId: string;
  /** As configured; as given where there is none of that name. */
  readonly agentName: string;
  readonly status: "success" | "error";
  /** The agent's last words as they were; null when there are none. */
  readonly output: string | null;
  readonly error: string | null;
  /** What the output says when it is JSON, in a fence or not. */
  readonly handoff?: Readonly<Record<string, unknown>>;
}

export interface Spawned {
  readonly results: readonly SpawnResult[];
  readonly successCount: number;
  readonly errorCount: number;
}

/** Thrown as the failure of the whole call: no task could ever succeed. */
export const NO_SUBAGENTS =
  "no agent can be spawned: none has subagent: true. Do not retry until the configuration has changed.";

/**
 * Sets several agents to work at once, one result a task and in the order of the tasks (Aether's `spawn_subagent`).
 * What goes wrong with one is that one's result. Without tasks there is nothing to do, also where there are no agents.
 * @throws when there are tasks and no agent may be spawned.
 */
export async function spawnSubagents(
  engine: Engine,
  tasks: readonly SpawnTask[],
  { callId, signal }: { readonly callId: string; readonly signal: AbortSignal },
): Promise<Spawned> {
  const agents = subagentsOf(engine);
  if (tasks.length > 0 && agents.length === 0) throw new Error(NO_SUBAGENTS);
  const results = await Promise.all(
    tasks.map((task, at) => spawnOne(engine, agents, task, { taskId: `task_${at}`, callId, signal })),
  );
  const successCount = results.filter(({ status }) => status === "success").length;
  return { results, successCount, errorCount: results.length - successCount };
}

/** For the server's instructions: who can be spawned. */
export function spawnInstructions(engine: Engine): string {
  const agents = subagentsOf(engine);
  if (agents.length === 0) return "No sub-agents are configured.";
  const lines = agents.map(({ name, description }) => `- ${name}${description ? `: ${description}` : ""}`);
  return ["Available sub-agents:", ...lines].join("\n");
}

async function spawnOne(
  engine: Engine,
  agents: readonly Subagent[],
  task: SpawnTask,
  { taskId, callId, signal }: { readonly taskId: string; readonly callId: string; readonly signal: AbortSignal },
): Promise<SpawnResult> {
  const wanted = task.agentName ?? task.agent_name ?? "";
  const failed = (agentName: string, error: string, output: string | null = null): SpawnResult => ({
    taskId,
    agentName,
    status: "error",
    output,
    error,
  });
  const agent = findAgent(agents, wanted.trim());
  if (!agent) {
    const names = agents.map(({ name }) => name).join(", ");
    return failed(wanted, `unknown sub-agent "${wanted}", available: ${names}`);
  }
  if (typeof task.prompt !== "string" || task.prompt.trim() === "") return failed(agent.name, "prompt is required");
  const ending = await runChild(engine, {
    agent: agent.name,
    prompt: `${task.prompt}\n\n${HANDOFF}`,
    description: firstLine(task.prompt),
    callId,
    signal,
  });
  const { kind, text, error, maxSteps } = ending;
  if (kind === "cancelled") return failed(ending.name, `Agent cancelled (${error ?? "cancelled"})`, text || null);
  if (kind === "interrupted" && text === "") return failed(ending.name, error ?? "it failed");
  const handoff = readHandoff(text);
  return {
    taskId,
    agentName: ending.name,
    status: "success",
    output: withNotes({
      text,
      ...(kind === "exhausted" && { exhaustedAfter: maxSteps }),
      ...(error !== undefined && { error }),
    }),
    error: null,
    ...(handoff && { handoff }),
  };
}

const HANDOFF = `When you are done, answer with one JSON object and nothing else:
- "summary": what you did, in short
- "artifacts": a list of {"path": absolute path or address, "relation": "read", "modified", "created" or "relevant", "note": why it matters}
- "decisions": a list of what you found, decided or concluded
- "nextSteps": a list of what should be done next
- "details": more, when it is needed`;

/** Lenient: an object alone, in a fence, or in the midst of words. */
function readHandoff(text: string): SpawnResult["handoff"] {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1];
  const inner = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text, fenced, inner]) {
    try {
      const value: unknown = JSON.parse(candidate ?? "");
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value as Readonly<Record<string, unknown>>;
    } catch {
      // Not JSON: the next one may be.
    }
  }
  return undefined;
}

function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
