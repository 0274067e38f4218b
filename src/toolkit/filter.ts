import type { KnownTool, Written } from "./known-tool.ts";
import { type PatternList, patternList } from "./pattern-list.ts";
import { namesOf } from "./tool-names.ts";

/** One layer's lists (aura 4.1). An empty `enabled` restricts nothing; `disabled` beats `enabled`. */
export interface FilterLayer {
  readonly stage: "global" | "agent" | "mode" | "task";
  /** Words for a person: `global filter`, `agent:coder`, `mode:plan`, `task filter`. */
  readonly name: string;
  /** Where its `enabled` list is said to be, when not in `name`. */
  readonly list?: string;
  readonly enabled: readonly Written<string>[];
  readonly disabled: readonly Written<string>[];
}

/**
 * What one stage of the pipeline said of a tool. The stages stand in their order; the first that excludes decides, and
 * those after it are told too, so that a person can lift everything that is in the way at once.
 */
export interface Decision {
  readonly stage: "source" | "definition" | "available" | FilterLayer["stage"] | "condition" | "opt-in" | "visibility";
  readonly outcome: "passed" | "excluded" | "undecided";
  /** For a person and for the model. */
  readonly words: string;
  /** The pattern that decided. */
  readonly entry?: string;
  /** Where what decided is written. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
}

/** `undecided` where there is no conversation; `untrusted` when it would run what nobody vouched for. */
export type ConditionState = "holds" | "fails" | "undecided" | "untrusted";

export interface FilterInput {
  readonly layers: readonly FilterLayer[];
  /** Exact names. */
  readonly optIn: readonly Written<string>[];
  /** The MCP servers there are, by name. */
  readonly servers?: ReadonlySet<string>;
  /** Absent: nobody can tell. */
  conditionState?(condition: Written<string>): ConditionState;
}

/** The stages global, agent, mode, task, condition and opt-in, in this order. Pure but for `conditionState`. */
export type Filter = (known: KnownTool, condition: Written<string> | undefined) => readonly Decision[];

/** Makes the lists ready once, for many tools. */
export function createFilter({ layers, optIn, servers = new Set(), conditionState }: FilterInput): Filter {
  const ready = layers.map((layer) => ({
    ...layer,
    enabled: patternList(layer.enabled),
    disabled: patternList(layer.disabled),
  }));
  // The union over all layers; a bare * names nobody (aura 4.1).
  const naming = patternList(layers.flatMap(({ enabled }) => enabled.filter(({ value }) => value !== "*")));
  const optInNames = new Map(optIn.map((entry) => [entry.value, entry] as const));

  return (known, condition) => {
    const { allow, deny } = namesOf(known, servers);
    const isImplied = known.reaches !== undefined;
    const decisions: Decision[] = ready.map((layer) => layerDecision(layer, allow, deny, isImplied));
    const listed = allow.map((name) => optInNames.get(name)).find((entry) => entry !== undefined);
    const isOptIn = listed !== undefined || known.optIn === true;
    if (condition === undefined && !isOptIn) return decisions;
    const named = naming.find(allow);
    if (condition !== undefined)
      decisions.push(named ? passedBy("condition", named) : conditionDecision(condition, conditionState));
    if (isOptIn)
      decisions.push(
        named
          ? passedBy("opt-in", named)
          : { stage: "opt-in", outcome: "excluded", words: "opt-in (not explicitly enabled)", ...placeOf(listed) },
      );
    return decisions;
  };
}

interface ReadyLayer extends Omit<FilterLayer, "enabled" | "disabled"> {
  readonly enabled: PatternList;
  readonly disabled: PatternList;
}

function layerDecision(
  { stage, name, list = name, enabled, disabled }: ReadyLayer,
  allow: readonly string[],
  deny: readonly string[],
  isImplied: boolean,
): Decision {
  const off = disabled.find(deny);
  if (off) return { stage, outcome: "excluded", words: `disabled by ${name}`, ...entryOf(off) };
  if (!enabled.first) return { stage, outcome: "passed", words: `${name} restricts nothing here` };
  const on = enabled.find(allow);
  if (on) return { stage, outcome: "passed", words: `enabled by ${name}`, ...entryOf(on) };
  if (isImplied) return { stage, outcome: "passed", words: `implied by the tools that ${name} enables` };
  return { stage, outcome: "excluded", words: `not in ${list} enabled list`, ...placeOf(enabled.first) };
}

function conditionDecision(condition: Written<string>, stateOf: FilterInput["conditionState"]): Decision {
  const state = stateOf?.(condition) ?? "undecided";
  const stage = "condition";
  const place = placeOf(condition);
  switch (state) {
    case "holds":
      return { stage, outcome: "passed", words: `condition holds: ${condition.value}`, ...place };
    case "fails":
      return { stage, outcome: "excluded", words: `condition failed: ${condition.value}`, ...place };
    case "untrusted":
      return {
        stage,
        outcome: "excluded",
        words: `condition of a project that is not trusted: ${condition.value}`,
        ...place,
      };
    case "undecided":
      return {
        stage,
        outcome: "undecided",
        words: `condition, decided in a conversation: ${condition.value}`,
        ...place,
      };
  }
}

function passedBy(stage: "condition" | "opt-in", named: Written<string>): Decision {
  return { stage, outcome: "passed", words: "explicitly enabled", ...entryOf(named) };
}

const entryOf = (written: Written<string>) => ({ entry: written.value, ...placeOf(written) });

/** The file and line of an entry, as far as it has them. */
export function placeOf(written: Written<unknown> | undefined): { readonly file?: string; readonly line?: number } {
  if (written?.file === undefined) return {};
  return written.line === undefined ? { file: written.file } : { file: written.file, line: written.line };
}
