import { matches } from "../text/wildcard.ts";

/** One layer's lists (aura 4.1). An empty `enabled` restricts nothing; `disabled` beats `enabled`. */
export interface FilterLayer {
  /** Words for a person: `global filter`, `agent:coder`, `mode:plan`, `task filter`. */
  readonly name: string;
  /** Where its `enabled` list is said to be, when not in `name`. */
  readonly list?: string;
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

export type Inclusion = { readonly included: true } | { readonly included: false; readonly reason: string };

/**
 * Whether a tool survives the layers, in order, and the opt-in rule. The first layer that excludes it gives the
 * reason. Pure; the same answer decides and explains.
 */
export function filterTool(tool: string, layers: readonly FilterLayer[], optIn: readonly string[]): Inclusion {
  for (const layer of layers) {
    if (layer.disabled.some((pattern) => matches(pattern, tool)))
      return { included: false, reason: `disabled by ${layer.name}` };
    if (layer.enabled.length > 0 && !layer.enabled.some((pattern) => matches(pattern, tool)))
      return { included: false, reason: `not in ${layer.list ?? layer.name} enabled list` };
  }
  if (optIn.includes(tool) && !isExplicitlyEnabled(tool, layers))
    return { included: false, reason: "opt-in (not explicitly enabled)" };
  return { included: true };
}

function isExplicitlyEnabled(tool: string, layers: readonly FilterLayer[]): boolean {
  return layers.some((layer) => layer.enabled.some((pattern) => pattern !== "*" && matches(pattern, tool)));
}
