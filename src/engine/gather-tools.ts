import type { Config } from "../config/config.ts";
import type { TurnSettings } from "../config/settings.ts";
import type { FilterLayer } from "../toolkit/filter.ts";
import { createToolSet, type ToolOverride, type ToolSet } from "../toolkit/tool-set.ts";
import { builtinTools } from "../tools/index.ts";

/** The tools of one agent, mode and task: all we have, minus what the layers take away (aura 4). */
export function gatherTools(config: Config, settings: TurnSettings): ToolSet {
  return createToolSet({
    known: builtinTools.map((tool) => ({ tool, source: "built-in" })),
    overrides: overridesOf(config),
    layers: settings.tools.layers.map(
      (layer): FilterLayer => ({
        name: LAYER_NAMES[layer.layer](layer.name ?? ""),
        ...(layer.layer === "global" && { list: "global" }),
        enabled: layer.enabled.map(({ value }) => value),
        disabled: layer.disabled.map(({ value }) => value),
      }),
    ),
    optIn: settings.tools.optIn.map(({ value }) => value),
  });
}

const LAYER_NAMES = {
  global: () => "global filter",
  agent: (name: string) => `agent:${name}`,
  mode: (name: string) => `mode:${name}`,
  task: () => "task filter",
};

function overridesOf(config: Config): Record<string, ToolOverride> {
  const overrides: Record<string, ToolOverride> = {};
  for (const [name, { value }] of config.tools) {
    const { disabled, description, usage, examples, parallel } = value;
    overrides[name] = {
      ...(disabled !== undefined && { disabled }),
      ...(description !== undefined && { description }),
      ...(usage !== undefined && { usage }),
      ...(examples !== undefined && { examples: typeof examples === "string" ? examples.split("\n") : examples }),
      ...(parallel !== undefined && { parallel }),
    };
  }
  return overrides;
}
