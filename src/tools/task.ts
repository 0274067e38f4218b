import { defineTool, type Tool } from "../toolkit/tool.ts";

/** An agent that may be set to work. */
export interface Subagent {
  readonly name: string;
  readonly description: string;
}

/** How a subagent ended, as far as its caller is told. */
export interface TaskEnding {
  /** Its last words; empty when it said none. */
  readonly text: string;
  /** How often it called which tool. */
  readonly calls: Readonly<Record<string, number>>;
  /** It was out of steps after this many. */
  readonly exhaustedAfter?: number;
  /** What broke it off. */
  readonly error?: string;
}

export interface TaskOptions {
  /** In a fixed order: the list is part of the prompt prefix. */
  readonly agents: readonly Subagent[];
  /** Runs one; `agent` is a name of `agents`, or undefined for the default. Must not throw. */
  run(
    wish: { readonly agent: string | undefined; readonly description: string; readonly prompt: string },
    call: { readonly callId: string; readonly signal: AbortSignal },
  ): Promise<TaskEnding>;
}

/** Delegates work to another agent with a context of its own (aura 2.16). */
export function createTask({ agents, run }: TaskOptions): Tool {
  const known = agents.map(({ name, description }) => `- ${name}${description ? `: ${description}` : ""}`);
  return defineTool({
    name: "Task",
    description: `Gives a task to a subagent, which works by itself with a context of its own and reports back once. Available agents:\n${known.join("\n")}`,
    usage:
      "It sees nothing of this conversation: say in the prompt all it needs and what to report. Several Task calls in one reply run at once. Its report is for you; tell the user what matters.",
    input: {
      type: "object",
      properties: {
        description: { type: "string", description: "The task in 3-5 words" },
        prompt: { type: "string", minLength: 1, description: "The whole task" },
        agent: { type: "string", description: "One of the agents above" },
      },
      required: ["description", "prompt"],
    },
    sandboxable: false,
    changes: "nothing",

    async run({ description, prompt, agent }, { callId, signal }) {
      if (prompt.trim() === "") throw new Error("prompt is required");
      const wanted = agent?.trim() || undefined;
      if (wanted !== undefined && !findAgent(agents, wanted))
        throw new Error(`unknown agent "${wanted}", available: ${agents.map(({ name }) => name).join(", ")}`);
      const ending = await run({ agent: wanted, description, prompt }, { callId, signal });
      return report(wanted ?? "default", ending);
    },
  });
}

/** By name, without regard to case. */
export function findAgent<A extends Subagent>(agents: readonly A[], name: string): A | undefined {
  return agents.find((agent) => agent.name.toLowerCase() === name.toLowerCase());
}

/** Its last words with what a caller has to know of how they came about. */
export function withNotes({ text, exhaustedAfter, error }: Omit<TaskEnding, "calls">): string {
  const notes = [
    ...(exhaustedAfter === undefined ? [] : [`[budget exhausted after ${exhaustedAfter} steps]`]),
    ...(error === undefined ? [] : [`[interrupted: ${error}]`]),
  ];
  return [...(text === "" ? [] : [text]), ...notes].join("\n\n");
}

function report(label: string, ending: TaskEnding): string {
  if (ending.error !== undefined && ending.text === "") throw new Error(`subagent: ${ending.error}`);
  const counted = Object.entries(ending.calls).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  const list = counted.map(([tool, count]) => `${tool} x${count}`).join(", ");
  const head = `[Subagent "${label}" completed in ${total} tool calls${list ? ` (${list})` : ""}]`;
  return `${head}\n\n${withNotes(ending)}`;
}
