import { nearest } from "../text/nearest.ts";
import type {
  AgentHead,
  Config,
  Entities,
  Entity,
  GenerationEntry,
  ModeHead,
  ModelEntry,
  TaskEntry,
  Think,
} from "./config.ts";
import { DEFAULT_FEATURES, FEATURE_RULES, type Features } from "./features.ts";
import { narrowSandbox } from "./narrow-sandbox.ts";
import type { FilterLayer, PolicyRule, PolicyRules, PromptPart, TurnSettings } from "./settings.ts";
import { overlay, part, type Sourced, sourcedList, type Traced, traced } from "./traced.ts";

/** What flags, commands and a task choose for a turn. Names are found without regard to case. */
export interface Choices {
  readonly agent?: string | undefined;
  /** "" = no mode, though the agent names one. */
  readonly mode?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly think?: Think | undefined;
  /** The compositor prompt. */
  readonly system?: string | undefined;
  /** Each replaces the configured list of its kind, and only that one (aura 4.1). */
  readonly includeTools?: readonly string[] | undefined;
  readonly excludeTools?: readonly string[] | undefined;
  readonly maxSteps?: number | undefined;
  readonly tokenBudget?: number | undefined;
  readonly task?: string | undefined;
  /** From `readOverrides`. */
  readonly overrides?: Traced<{ readonly features?: unknown; readonly model?: unknown }> | undefined;
}

export type Resolved =
  | { readonly ok: true; readonly settings: TurnSettings }
  | { readonly ok: false; readonly message: string };

/** Agent, mode, task and flags as the settings of one turn. Precedence of features: aura 17.6. */
export function resolveSettings(config: Config, choices: Choices): Resolved {
  const task = find(config.tasks, "task", choices.task);
  if (typeof task === "string") return { ok: false, message: task };
  const agent = findAgent(config, choices.agent ?? task?.value.agent);
  if (typeof agent === "string") return { ok: false, message: agent };
  const mode = find(config.modes, "mode", choices.mode ?? task?.value.mode ?? agent.value.mode);
  if (typeof mode === "string") return { ok: false, message: mode };
  const system = find(config.prompts, "prompt", choices.system ?? agent.value.system);
  if (typeof system === "string") return { ok: false, message: system };

  const features = effectiveFeatures(config, choices, agent, mode, task);
  const { tools } = features.value;
  const settings: TurnSettings = {
    agent: {
      name: agent.name,
      description: agent.value.description ?? "",
      subagent: agent.value.subagent ?? false,
      thinking: agent.value.thinking ?? "",
      agentsmd: agent.value.agentsmd || "all",
      files: agent.value.files ?? [],
      ...placeOf(agent),
      ...(agent.home !== undefined && { home: agent.home }),
      ...(agent.foreign && { plainFiles: true }),
    },
    ...(mode && { mode: { name: mode.name, description: mode.value.description ?? "", ...placeOf(mode) } }),
    model: modelOf(agent, choices),
    fallback: agent.value.fallback ?? [],
    features: features.value,
    featureOrigins: features.origins,
    tools: {
      layers: [globalLayer(features, choices), ...layersOf("tools", agent, mode, task)],
      optIn: sourcedList(features, "tools.opt_in"),
      deferred: sourcedList(features, "tools.deferred"),
    },
    hooks: layersOf("hooks", agent, mode),
    policy: policyOf(features, agent, mode),
    readBefore: tools.read_before,
    limits: { maxSteps: tools.max_steps, tokenBudget: tools.token_budget },
    toolSettings: {
      readSmallFileTokens: tools.read_small_file_tokens,
      bash: {
        timeoutMs: tools.bash.timeout,
        maxOutputBytes: tools.bash.truncation.max_output_bytes,
        rewrite: tools.bash.rewrite,
      },
    },
    prompt: {
      agent: promptPart(agent),
      ...(mode && { mode: promptPart(mode) }),
      ...(system && { system: promptPart(system) }),
    },
  };
  return { ok: true, settings: frozen(settings) };
}

/** The agents or modes a person may pick, by name, without the hidden ones. */
export function visible<Head extends { readonly hide?: boolean | undefined }>(
  entities: Entities<Head>,
): readonly Entity<Head>[] {
  return [...entities.values()].filter(({ value }) => !value.hide).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function findAgent(config: Config, name: string | undefined): Entity<AgentHead> | string {
  const named = find(config.agents, "agent", name);
  if (named !== undefined) return named;
  const marked = [...config.agents.values()].find(({ value }) => value.default);
  const shown = visible(config.agents);
  return (
    marked ??
    shown.find(({ foreign }) => !foreign) ??
    shown[0] ??
    "there is no agent to start with: all are hidden, none is the default"
  );
}

function find<Head>(
  entities: Entities<Head>,
  what: string,
  name: string | undefined,
): Entity<Head> | string | undefined {
  if (name === undefined || name === "") return undefined;
  const found = entities.get(name.toLowerCase());
  if (found) return found;
  const names = [...entities.values()].map((entity) => entity.name);
  const near = nearest(name, names);
  const hint = near === undefined ? `known: ${names.sort().join(", ") || "none"}` : `did you mean "${near}"?`;
  return `there is no ${what} "${name}" (${hint})`;
}

function effectiveFeatures(
  config: Config,
  choices: Choices,
  agent: Entity<AgentHead>,
  mode: Entity<ModeHead> | undefined,
  task: Entity<TaskEntry> | undefined,
): Traced<Features> {
  let features: Traced<Features> = overlay(traced(DEFAULT_FEATURES), config.features, FEATURE_RULES);
  for (const entity of [agent, mode, task]) {
    if (!entity?.value.features) continue;
    const given = part(entity, "features");
    const isOfProject = entity.home !== undefined && config.homes.projects.includes(entity.home);
    const { top } = isOfProject ? narrowSandbox(given, features.value.sandbox) : { top: given };
    features = overlay(features, top, FEATURE_RULES);
  }
  const flags = { tools: { max_steps: choices.maxSteps, token_budget: choices.tokenBudget } };
  features = overlay(features, traced(flags));
  return choices.overrides ? overlay(features, part(choices.overrides, "features")) : features;
}

function modelOf(agent: Entity<AgentHead>, choices: Choices): TurnSettings["model"] {
  const flags = { provider: choices.provider, name: choices.model, think: choices.think };
  const configured = overlay<ModelEntry>(traced(agent.value.model ?? {}), traced(flags));
  const model = choices.overrides ? overlay(configured, part(choices.overrides, "model")).value : configured.value;
  const format = agent.value.response_format;
  const { name, schema, strict } = format ?? {};
  return {
    ...defined({ provider: model.provider, name: model.name, context: model.context || undefined }),
    think: model.think ?? "off",
    generation: generationOf(model.generation ?? {}),
    ...(format?.type === "json_schema" && {
      responseFormat: { type: format.type, schema: schema ?? {}, ...defined({ name, strict }) },
    }),
    ...((format?.type === "text" || format?.type === "json_object") && { responseFormat: { type: format.type } }),
  };
}

function generationOf(entry: GenerationEntry): TurnSettings["model"]["generation"] {
  return defined({
    temperature: entry.temperature,
    topP: entry.top_p,
    topK: entry.top_k,
    frequencyPenalty: entry.frequency_penalty,
    presencePenalty: entry.presence_penalty,
    maxOutputTokens: entry.max_output_tokens,
    stop: entry.stop,
    seed: entry.seed,
    thinkBudget: entry.think_budget,
  });
}

function globalLayer(features: Traced<Features>, { includeTools, excludeTools }: Choices): FilterLayer {
  const flag = (list: readonly string[]): readonly Sourced<string>[] => list.map((value) => ({ value }));
  return {
    layer: "global",
    enabled: includeTools ? flag(includeTools) : sourcedList(features, "tools.enabled"),
    disabled: excludeTools ? flag(excludeTools) : sourcedList(features, "tools.disabled"),
  };
}

function layersOf(
  what: "tools" | "hooks",
  agent: Entity<AgentHead>,
  mode: Entity<ModeHead> | undefined,
  task?: Entity<TaskEntry>,
): readonly FilterLayer[] {
  const layer = (name: FilterLayer["layer"], entity: Entity<unknown> | undefined): readonly FilterLayer[] =>
    entity
      ? [
          {
            layer: name,
            name: entity.name,
            enabled: sourcedList(entity, `${what}.enabled`),
            disabled: sourcedList(entity, `${what}.disabled`),
          },
        ]
      : [];
  return [...layer("agent", agent), ...layer("mode", mode), ...layer("task", task)];
}

function policyOf(
  features: Traced<Features>,
  agent: Entity<AgentHead>,
  mode: Entity<ModeHead> | undefined,
): PolicyRules {
  const tier = (name: keyof PolicyRules): readonly PolicyRule[] => {
    const path = `tools.policy.${name}`;
    const all = [
      ...sourcedList(features, path).map((rule) => ({ rule, from: "features" as const })),
      ...sourcedList(agent, path).map((rule) => ({ rule, from: fromOf(agent, "agent") })),
      ...(mode ? sourcedList(mode, path).map((rule) => ({ rule, from: fromOf(mode, "mode") })) : []),
    ];
    const byPattern = new Map<string, PolicyRule>();
    for (const { rule, from } of all) {
      const { value: pattern, ...place } = rule;
      if (!byPattern.has(pattern)) byPattern.set(pattern, { pattern, from, ...place });
    }
    return [...byPattern.values()].sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
  };
  return { auto: tier("auto"), confirm: tier("confirm"), deny: tier("deny") };
}

function fromOf<From extends "agent" | "mode">(entity: Entity<unknown>, from: From): From | "built-in" {
  return entity.scope === "built-in" ? "built-in" : from;
}

function promptPart(entity: Entity<unknown>): PromptPart {
  return { name: entity.name, body: entity.body, ...placeOf(entity) };
}

function placeOf({ file }: Entity<unknown>): { readonly file?: string } {
  return file === undefined ? {} : { file };
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };
function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}
