import type { Choices } from "../config/resolve.ts";
import type { TurnSettings } from "../config/settings.ts";
import { matches } from "../text/wildcard.ts";
import type { Engine } from "./engine.ts";
import { choicesOf } from "./resolve-choices.ts";

/** What the flags choose, without what they choose for the agent a person talks to. */
export async function childChoices({ options }: Engine, agent: string): Promise<Choices> {
  const { includeTools, excludeTools, overrides } = await choicesOf(options);
  return { agent, includeTools, excludeTools, overrides };
}

/**
 * An agent's own settings (global, agent, its mode; aura 22.1) as they hold while it works for another one: its steps
 * are those of `subagent`, results are held to a number of tokens, and neither the session's token budget nor what the
 * other one's mode forbids is got around by delegating.
 */
export function childSettings(above: TurnSettings, own: TurnSettings): TurnSettings {
  const { features } = own;
  const budgets = [above.limits.tokenBudget, own.limits.tokenBudget].filter((budget) => budget > 0);
  const forbidden = above.tools.layers
    .filter(({ layer, disabled }) => layer === "mode" && disabled.length > 0)
    .map((layer) => ({ ...layer, enabled: [] }));
  return {
    ...own,
    limits: {
      maxSteps: features.subagent.max_steps,
      tokenBudget: budgets.length > 0 ? Math.min(...budgets) : 0,
    },
    features: { ...features, tools: { ...features.tools, mode: "tokens" } },
    tools: { ...own.tools, layers: [...own.tools.layers, ...forbidden] },
  };
}

/** Agents below agents, where their filters allow any: the one a person talks to is at depth 0. */
const DEEPEST = 3;
/** Why a child has neither Task nor Ask. */
export const NOT_DELEGATED = "a subagent has it only where its own filter names it";

export function depthOf({ above }: Engine): number {
  return above ? depthOf(above.engine) + 1 : 0;
}

/** Whether a child may set agents to work itself, with a tool of one of these names. */
export function mayDelegate(engine: Engine, names: readonly string[]): boolean {
  return depthOf(engine) < DEEPEST && namesTool(engine.settings, names);
}

/** Whether an agent's own filter, or its mode's, names a tool. */
export function namesTool({ tools }: TurnSettings, names: readonly string[]): boolean {
  const isName = (pattern: string) => !NAMES_NOBODY.has(pattern) && names.some((name) => matches(pattern, name));
  return tools.layers
    .filter(({ layer }) => layer === "agent" || layer === "mode")
    .some(({ enabled }) => enabled.some(({ value }) => isName(value)));
}

/** The second is what an agent of Aether's has that lists nothing: all that servers bring. */
const NAMES_NOBODY: ReadonlySet<string> = new Set(["*", "mcp__*"]);
