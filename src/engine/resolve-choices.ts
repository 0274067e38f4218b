import { readOverrides } from "../config/override.ts";
import { describeProblem } from "../config/problems.ts";
import type { Choices } from "../config/resolve.ts";
import type { OpenOptions } from "./open-options.ts";

/** The flags that choose settings. Throws with every flaw of `--override`. */
export async function choicesOf(options: OpenOptions): Promise<Choices> {
  const { overrides, problems } = await readOverrides(options.overrides ?? []);
  if (problems.length > 0) throw new Error(problems.map(describeProblem).join("\n"));
  return {
    agent: options.agent,
    mode: options.mode,
    task: options.task,
    provider: options.provider,
    model: options.model,
    think: options.think,
    system: options.system,
    includeTools: options.includeTools,
    excludeTools: options.excludeTools,
    maxSteps: options.maxSteps,
    tokenBudget: options.tokenBudget,
    overrides,
  };
}
