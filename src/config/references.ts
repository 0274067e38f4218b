import { nearest } from "../text/nearest.ts";
import type { Config, Entity } from "./config.ts";
import { type ConfigProblem, problem } from "./problems.ts";
import { isTree, type Traced } from "./traced.ts";

/** Providers that need no file: a key in the environment or a local server is enough. */
const WELL_KNOWN_PROVIDERS: readonly string[] = [
  "anthropic",
  "google",
  "llamacpp",
  "lmstudio",
  "ollama",
  "openai",
  "openrouter",
  "scripted",
];

/** Names in one file that must exist in another (aura 17.1). */
export function checkReferences(config: Config): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const known = {
    agent: namesOf(config.agents),
    mode: namesOf(config.modes),
    prompt: namesOf(config.prompts),
    provider: [...namesOf(config.providers), ...WELL_KNOWN_PROVIDERS],
  };
  const check = (
    what: keyof typeof known,
    name: string | undefined,
    from: Traced<unknown>,
    path: string,
    by: string,
  ) => {
    if (name === undefined || name === "" || known[what].some((one) => one.toLowerCase() === name.toLowerCase()))
      return;
    const near = nearest(name, known[what]);
    const hint = near === undefined ? "" : ` (did you mean "${near}"?)`;
    const origin = from.origins.get(path);
    const file = origin?.file ?? (from as Partial<Entity<unknown>>).file ?? "built in";
    problems.push(problem(file, origin?.line, `${by}${path}: there is no ${what} "${name}"${hint}`));
  };
  const checkFeatures = (from: Traced<unknown>, below: string, by: string) => {
    for (const [path, what] of FEATURE_REFERENCES)
      check(what, textAt(from, `${below}${path}`), from, `${below}${path}`, by);
  };

  for (const agent of config.agents.values()) {
    const { system, mode, model, fallback } = agent.value;
    const by = `agent ${agent.name}: `;
    check("prompt", system, agent, "system", by);
    check("mode", mode, agent, "mode", by);
    // Another system knows other providers; whoever chooses the agent is told then.
    if (!agent.foreign) check("provider", model?.provider, agent, "model.provider", by);
    (fallback ?? []).forEach((name, index) => {
      check("agent", name, agent, `fallback.${index}`, by);
    });
    checkFeatures(agent, "features.", by);
  }
  for (const mode of config.modes.values()) checkFeatures(mode, "features.", `mode ${mode.name}: `);
  for (const task of config.tasks.values()) {
    check("agent", task.value.agent, task, "agent", `task ${task.name}: `);
    check("mode", task.value.mode, task, "mode", `task ${task.name}: `);
    checkFeatures(task, "features.", `task ${task.name}: `);
  }
  checkFeatures(config.features, "", "");
  return problems;
}

/** More than one agent that calls itself the default. */
export function checkDefaults(config: Config): readonly ConfigProblem[] {
  const marked = [...config.agents.values()].filter((agent) => agent.value.default);
  return marked.slice(1).map((agent) => {
    const message = `agent ${agent.name}: "${marked[0]!.name}" is already the default agent`;
    return problem(agent.file ?? "built in", agent.origins.get("default")?.line, message);
  });
}

const FEATURE_REFERENCES: readonly (readonly [path: string, what: "agent" | "prompt"])[] = [
  ["compaction.agent", "agent"],
  ["compaction.prompt", "prompt"],
  ["title.agent", "agent"],
  ["title.prompt", "prompt"],
  ["thinking.agent", "agent"],
  ["thinking.prompt", "prompt"],
  ["vision.agent", "agent"],
  ["embeddings.agent", "agent"],
  ["embeddings.reranking.agent", "agent"],
  ["stt.agent", "agent"],
  ["tts.agent", "agent"],
  ["subagent.default_agent", "agent"],
  ["guardrail.scope.tool_calls.agent", "agent"],
  ["guardrail.scope.tool_calls.prompt", "prompt"],
  ["guardrail.scope.user_messages.agent", "agent"],
  ["guardrail.scope.user_messages.prompt", "prompt"],
];

function namesOf(entities: ReadonlyMap<string, { readonly name: string }>): string[] {
  return [...entities.values()].map(({ name }) => name);
}

function textAt(from: Traced<unknown>, path: string): string | undefined {
  let value: unknown = from.value;
  for (const key of path.split(".")) value = isTree(value) ? value[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
