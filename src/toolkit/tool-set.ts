import type { ToolSchema } from "../providers/provider.ts";
import { describeTool } from "./describe.ts";
import { explainMissing } from "./explain-missing.ts";
import { createFilter, type Decision, type FilterInput, placeOf } from "./filter.ts";
import type { AbsentServer, KnownTool, Written } from "./known-tool.ts";
import { type PatternList, patternList } from "./pattern-list.ts";
import type { Tool } from "./tool.ts";

/** Overrides of a tool's wording and behaviour from `config/tools` (aura 17.8). */
export interface ToolOverride {
  readonly disabled?: Written<boolean>;
  /** A tool of this name from another source takes the place of the one known first. */
  readonly override?: boolean;
  readonly description?: string;
  readonly usage?: string;
  readonly examples?: readonly string[];
  readonly parallel?: boolean;
  readonly condition?: Written<string>;
}

export type Inclusion = { readonly included: true } | { readonly included: false; readonly reason: string };

/**
 * How the model gets at a tool. `eager`: its schema is in every request. `deferred`: its name is in the prompt, and
 * LoadTools makes it `loaded`: in every request from then on. `proxied`: its schema is on disk. `excluded`: not at all.
 */
export type ToolState = "eager" | "deferred" | "proxied" | "loaded" | "excluded";

/** What `/tools debug` knows of one tool; plain data. The same decisions that filter explain. */
export interface ToolStatus {
  readonly name: string;
  readonly source: string;
  readonly server?: string;
  /** Other names it answers to, beside the one without `mcp__`: what a name too long for models was. */
  readonly aliases?: readonly string[];
  readonly inclusion: Inclusion;
  readonly visibility: ToolState;
  /** Every stage that had a say, in the order of the pipeline. The first that excludes is the reason. */
  readonly decisions: readonly Decision[];
}

/** A tool that passed every stage and is not simply there. */
export interface HeldTool {
  readonly tool: Tool;
  readonly server?: string;
}

/** The tools of one agent, mode and task, and why each known tool is in or out. */
export interface ToolSet {
  /** A tool whose schema the model has. */
  find(name: string): Tool | undefined;
  /** Any tool that passed the filters, however the model gets at it: for calls that a tool makes, not the model. */
  reach(name: string): Tool | undefined;
  readonly active: readonly Tool[];
  /** In a fixed order, so that the prompt prefix stays the same. */
  readonly schemas: readonly ToolSchema[];
  /** Deferred and not loaded: what LoadTools may load. */
  readonly deferred: readonly HeldTool[];
  /**
   * What the prompt lists as deferred: loaded ones too, because taking a line out would change bytes the provider has
   * cached. Empty when LoadTools itself is kept out.
   */
  readonly index: readonly HeldTool[];
  /** Called through the proxy. */
  readonly proxied: readonly HeldTool[];
  readonly statuses: readonly ToolStatus[];
  /** Conditions that tools hang on here; what is not among them need not be asked. */
  readonly conditions: readonly Written<string>[];
  /** Worded for the model: why a name it called cannot be called. */
  explainMissing(name: string): string;
}

export interface ToolSetInput extends FilterInput {
  readonly known: readonly KnownTool[];
  /** By lower-cased tool name. */
  readonly overrides: Readonly<Record<string, ToolOverride>>;
  /** Patterns of tools to defer. */
  readonly deferred?: readonly Written<string>[];
  /** Names of deferred tools that were loaded, in that order. */
  readonly loaded?: readonly string[];
  /** Servers of which no tool is known; told, so that nobody wonders. */
  readonly absent?: readonly AbsentServer[];
  /** Names of tools in the order of the last request: those keep their places, and new ones come behind them. */
  readonly order?: readonly string[];
}

export function createToolSet(input: ToolSetInput): ToolSet {
  const judged = judgeAll(input);
  const byName = new Map(judged.flatMap((one) => (one.state === "excluded" ? [] : [[one.tool.name, one] as const])));
  const active = new Map<string, Tool>();
  for (const name of inOrder([...byName.values()], input)) active.set(name, byName.get(name)!.tool);
  const held = (...states: readonly ToolState[]): HeldTool[] =>
    [...byName.values()]
      .filter(({ state }) => states.includes(state))
      .map(({ tool, known: { server } }) => ({ tool, ...(server !== undefined && { server }) }));
  const canLoad = judged.some(({ known, state }) => known.reaches === "deferred" && state !== "excluded");
  const statuses = [...judged.map(statusOf), ...(input.absent ?? []).map(absentStatus)];
  const conditions = new Map(judged.flatMap(({ condition }) => (condition ? [[condition.value, condition]] : [])));
  let schemas: readonly ToolSchema[] | undefined;
  return {
    find: (name) => active.get(name),
    reach: (name) => byName.get(name)?.tool,
    active: [...active.values()],
    get schemas() {
      schemas ??= [...active.values()].map(schemaOf);
      return schemas;
    },
    deferred: held("deferred"),
    index: canLoad ? held("deferred", "loaded") : [],
    proxied: held("proxied"),
    statuses,
    conditions: [...conditions.values()],
    explainMissing: (name) => explainMissing(name, statuses),
  };
}

interface Judged {
  readonly known: KnownTool;
  readonly tool: Tool;
  readonly decisions: readonly Decision[];
  readonly state: ToolState;
  /** The condition that decides, when it comes to it. */
  readonly condition?: Written<string>;
}

/** The ways to held tools are judged last: there is one only where something is held. */
function judgeAll(input: ToolSetInput): readonly Judged[] {
  const filter = createFilter(input);
  const deferring = patternList(input.deferred ?? []);
  const loaded = new Set(input.loaded);
  const winners = winnersOf(input);
  const judge = (known: KnownTool, isNeeded: boolean): Judged => {
    const name = known.tool.name;
    const override = overrideOf(input, name);
    const condition = override?.condition ?? known.condition;
    const decisions = [
      ...ownDecisions(known, override, winners.get(name) === known ? undefined : winners.get(name), isNeeded),
      ...filter(known, condition),
    ];
    const out = decisions.findIndex(({ outcome }) => outcome === "excluded");
    const turnsOn = decisions.findIndex(({ stage, entry }) => stage === "condition" && entry === undefined);
    const asks = condition !== undefined && turnsOn >= 0 && (out < 0 || out >= turnsOn);
    const seen = out < 0 ? visibilityOf(known, deferring, loaded) : undefined;
    return {
      known,
      tool: override ? overridden(known.tool, override) : known.tool,
      decisions: seen ? [...decisions, seen.decision] : decisions,
      state: seen?.state ?? "excluded",
      ...(asks && { condition }),
    };
  };
  const judged = input.known.map((known) => (known.reaches === undefined ? judge(known, true) : undefined));
  const has = (...states: readonly ToolState[]) => judged.some((one) => one && states.includes(one.state));
  const needed = { deferred: has("deferred", "loaded"), proxied: has("proxied") };
  return input.known.map((known, at) => judged[at] ?? judge(known, needed[known.reaches!]));
}

/** Which of several tools of one name is meant: the first known, unless a definition lets a later one replace it. */
function winnersOf(input: ToolSetInput): ReadonlyMap<string, KnownTool> {
  const winners = new Map<string, KnownTool>();
  for (const known of input.known) {
    const { name } = known.tool;
    if (!winners.has(name) || overrideOf(input, name)?.override === true) winners.set(name, known);
  }
  return winners;
}

/** Not by plain indexing: a tool may be called `constructor`. */
function overrideOf({ overrides }: ToolSetInput, name: string): ToolOverride | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(overrides, key) ? overrides[key] : undefined;
}

function ownDecisions(
  known: KnownTool,
  override: ToolOverride | undefined,
  winner: KnownTool | undefined,
  isNeeded: boolean,
): readonly Decision[] {
  const decisions: Decision[] = [];
  const out = (stage: "source" | "definition" | "available", words: string, place: Written<unknown> | undefined) =>
    decisions.push({ stage, outcome: "excluded", words, ...placeOf(place) });
  if (winner) out("source", `${winner.source} has a tool of this name, which stands before it`, undefined);
  if (override?.disabled?.value) out("definition", "disabled by tool definition", override.disabled);
  if (known.unavailable) out("available", `unavailable: ${known.unavailable.value}`, known.unavailable);
  if (!isNeeded) out("available", `unavailable: nothing is ${known.reaches}`, undefined);
  return decisions;
}

/** aura 4.1 stage 6, other-systems 5.5: proxied wins over deferred. */
function visibilityOf(
  known: KnownTool,
  deferring: PatternList,
  loaded: ReadonlySet<string>,
): { readonly state: ToolState; readonly decision: Decision } {
  const { tool, visibility, aliases = [] } = known;
  const say = (state: ToolState, words: string, from?: Written<unknown>, entry?: string) => ({
    state,
    decision: {
      stage: "visibility",
      outcome: "passed",
      words,
      ...(entry !== undefined && { entry }),
      ...placeOf(from),
    } as const,
  });
  if (visibility?.kind === "proxied")
    return say("proxied", `proxied (${visibility.because.value})`, visibility.because);
  if (known.reaches !== undefined) return say("eager", "eager");
  const own = tool.name.startsWith("mcp__") ? [tool.name.slice(5)] : [];
  const entry = deferring.find([tool.name, ...own, ...aliases]);
  const source = visibility?.kind === "deferred" ? visibility.because : undefined;
  if (!entry && !source) return say("eager", "eager");
  const words = entry ? "deferred by features" : `deferred (${source!.value})`;
  if (loaded.has(tool.name)) return say("loaded", `${words}; loaded in this session`, entry ?? source, entry?.value);
  return say("deferred", words, entry ?? source, entry?.value);
}

/**
 * The tools with a schema in the request. Providers cache the tools together with all that follows them, so what was
 * offered keeps its place and what is new comes last. A tool that is taken away, by a condition or because its server
 * died, still costs the cache from its place on; that is the price of not offering what cannot be called.
 */
function inOrder(judged: readonly Judged[], { loaded = [], order = [] }: ToolSetInput): readonly string[] {
  const offered = judged.filter(({ state }) => state === "eager" || state === "loaded").map(({ tool }) => tool.name);
  if (loaded.length === 0 && order.length === 0) return offered;
  const places = new Map<string, number>();
  for (const name of order) places.set(name, places.size);
  const late = new Map(loaded.map((name, at) => [name, order.length + judged.length + at]));
  const place = new Map(
    offered.map((name, at) => [name, places.get(name) ?? late.get(name) ?? order.length + at] as const),
  );
  return offered.toSorted((a, b) => place.get(a)! - place.get(b)!);
}

function statusOf({ known: { source, server, aliases = [], tool }, decisions, state }: Judged): ToolStatus {
  const reason = decisions.find(({ outcome }) => outcome === "excluded");
  const others = aliases.filter((alias) => tool.name !== `mcp__${alias}`);
  return {
    name: tool.name,
    source,
    ...(server !== undefined && { server }),
    ...(others.length > 0 && { aliases: others }),
    inclusion: reason ? { included: false, reason: reason.words } : { included: true },
    visibility: state,
    decisions,
  };
}

function absentStatus({ server, because }: AbsentServer): ToolStatus {
  const words = `unavailable: server "${server}" ${because.value}`;
  return {
    name: `mcp__${server}__*`,
    source: `mcp:${server}`,
    server,
    inclusion: { included: false, reason: words },
    visibility: "excluded",
    decisions: [{ stage: "available", outcome: "excluded", words, ...placeOf(because) }],
  };
}

const schemaOf = (tool: Tool): ToolSchema => ({
  name: tool.name,
  description: describeTool(tool),
  parameters: tool.input,
});

function overridden(tool: Tool, override: ToolOverride): Tool {
  return {
    ...tool,
    ...(override.description && { description: override.description }),
    ...(override.usage && { usage: override.usage }),
    ...(override.examples?.length && { examples: override.examples }),
    ...(override.parallel !== undefined && { parallel: override.parallel }),
  };
}
