import type { Config } from "../config/config.ts";
import type { TurnSettings } from "../config/settings.ts";
import type { ConditionState, FilterLayer } from "../toolkit/filter.ts";
import type { AbsentServer, KnownTool, ToolSource, Written } from "../toolkit/known-tool.ts";
import { createToolSet, type ToolOverride, type ToolSet } from "../toolkit/tool-set.ts";
import { builtinTools } from "../tools/index.ts";

/** What availability hangs on besides configuration and sources; a conversation has it, an inspection has not. */
export interface ToolsOfSession {
  /** Names of deferred tools that were loaded, in that order. */
  readonly loaded: readonly string[];
  /** Names in the order of the last request. */
  readonly order: readonly string[];
  /** Built-in tools that lack what they stand on, and what that is. */
  readonly missing: ReadonlyMap<string, string>;
  /** Servers without a known tool. */
  absent(): readonly AbsentServer[];
  conditionState(condition: Written<string>): ConditionState;
}

/** The tools of one agent, mode and task: all that the sources know, minus what the layers take away (aura 4). */
export function gatherTools(
  config: Config,
  settings: TurnSettings,
  sources: readonly ToolSource[],
  session?: ToolsOfSession,
): ToolSet {
  const known = [...builtIn(session?.missing), ...sources.flatMap((source) => source.known())];
  const { layers, optIn, deferred } = settings.tools;
  return createToolSet({
    known,
    overrides: overridesOf(config),
    layers: layers.map(filterLayer),
    optIn,
    deferred,
    servers: serversOf(config, known),
    ...(session && {
      loaded: session.loaded,
      order: session.order,
      absent: session.absent(),
      conditionState: (condition) => session.conditionState(condition),
    }),
  });
}

function builtIn(missing?: ReadonlyMap<string, string>): readonly KnownTool[] {
  return builtinTools.map((tool) => {
    const lack = missing?.get(tool.name);
    return { tool, source: "built-in", ...(lack !== undefined && { unavailable: { value: lack } }) };
  });
}

const LAYER_NAMES = {
  global: () => "global filter",
  agent: (name: string) => `agent:${name}`,
  mode: (name: string) => `mode:${name}`,
  task: () => "task filter",
};

function filterLayer({ layer, name = "", enabled, disabled }: TurnSettings["tools"]["layers"][number]): FilterLayer {
  const words = LAYER_NAMES[layer](name);
  const lists = { stage: layer, enabled, disabled };
  if (layer !== "global") return { ...lists, name: words };
  // Each flag replaces the configured list of its kind, and is written in no file.
  const byFlag = (list: readonly Written<string>[]) => list.length > 0 && list[0]!.file === undefined;
  return {
    ...lists,
    name: byFlag(disabled) ? `${words} (a flag)` : words,
    list: byFlag(enabled) ? "global (a flag)" : "global",
  };
}

function serversOf(config: Config, known: readonly KnownTool[]): ReadonlySet<string> {
  const configured = [...config.mcp].flatMap(([name, { value }]) => (value.disabled ? [] : [name]));
  return new Set([...configured, ...known.flatMap(({ server }) => server ?? [])]);
}

function overridesOf(config: Config): Record<string, ToolOverride> {
  const overrides: Record<string, ToolOverride> = {};
  for (const [name, { value, origins }] of config.tools) {
    const { disabled, override, description, usage, examples, parallel, condition } = value;
    overrides[name] = {
      ...(disabled !== undefined && { disabled: { value: disabled, ...origins.get("disabled") } }),
      ...(override !== undefined && { override }),
      ...(description !== undefined && { description }),
      ...(usage !== undefined && { usage }),
      ...(examples !== undefined && { examples: typeof examples === "string" ? examples.split("\n") : examples }),
      ...(parallel !== undefined && { parallel }),
      ...(condition && { condition: { value: condition, ...origins.get("condition") } }),
    };
  }
  return overrides;
}
