import type { Config, Entities, Entity } from "./config.ts";
import { DEFAULT_FEATURES, FEATURE_RULES } from "./features.ts";
import type { TurnSettings } from "./settings.ts";
import { isTree, overlay, traced } from "./traced.ts";

/** What `aura show` can list. */
export const SHOWN_KINDS = [
  "agents",
  "commands",
  "hooks",
  "lsp",
  "mcp",
  "modes",
  "plugins",
  "prompts",
  "providers",
  "skills",
  "tasks",
  "tools",
] as const;
export type ShownKind = (typeof SHOWN_KINDS)[number] | "features" | "rules";

/** One entity as `aura show` prints it, secrets masked. */
export interface Shown {
  readonly kind: ShownKind;
  readonly name: string;
  readonly description: string;
  /** `built in` for what no file says. */
  readonly from: string;
  readonly line?: number;
  readonly value: Readonly<Record<string, unknown>>;
  readonly body?: string;
}

export interface ShowQuery {
  /** Without regard to case. */
  readonly name?: string;
  /** `key=value` pairs; a dotted key reaches inside. Texts match when they contain the value, lists when an item does. */
  readonly filters?: readonly string[];
}

/** Sorted by name. */
export function showEntities(config: Config, kind: ShownKind, query: ShowQuery = {}): readonly Shown[] {
  const all =
    kind === "features" ? showFeatures(config) : kind === "rules" ? showRules(config) : showKind(config, kind);
  return all
    .filter(({ name }) => query.name === undefined || name.toLowerCase() === query.name.toLowerCase())
    .filter((shown) => (query.filters ?? []).every((filter) => fits(shown, filter)))
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

/** `--show`: the resolved settings as YAML; behind each feature the place that says it. */
export async function showResolved({ featureOrigins, ...settings }: TurnSettings): Promise<string> {
  const { Document, isScalar } = await import("yaml");
  const document = new Document(masked(settings), { aliasDuplicateObjects: false });
  for (const [path, { file, line }] of featureOrigins) {
    const node = document.getIn(["features", ...path.split(".")], true);
    if (isScalar(node)) node.comment = ` ${line === undefined ? file : `${file}:${line}`}`;
  }
  return document.toString({ lineWidth: 0 });
}

/** `--print`: where things come from and what was chosen, as label and value; `sandbox` in words. */
export function summarize(
  config: Config,
  settings: TurnSettings,
  sandbox: string,
): readonly (readonly [label: string, value: string])[] {
  const { agent, mode, model } = settings;
  const named = (name: string, file: string | undefined) => `${name} (${file ?? "built in"})`;
  const counts = SHOWN_KINDS.filter((kind) => config[kind].size > 0).map((kind) => `${config[kind].size} ${kind}`);
  return [
    ["global home", config.homes.global ?? "none"],
    ["project homes", config.homes.projects.join(", ") || "none"],
    ["written to", config.homes.write ?? "nowhere (run `aura init`)"],
    ["agent", named(agent.name, agent.file)],
    ["mode", mode ? named(mode.name, mode.file) : "none"],
    ["provider", model.provider ?? "chosen at start"],
    ["model", model.name ?? "chosen at start"],
    ["think", model.think],
    ["max steps", String(settings.limits.maxSteps)],
    ["token budget", settings.limits.tokenBudget === 0 ? "none" : String(settings.limits.tokenBudget)],
    ["sandbox", sandbox],
    ["policy", describeCounts(settings)],
    ["saved approvals", String(config.approvals.length)],
    ["defined", counts.join(", ")],
  ];
}

function showKind(config: Config, kind: (typeof SHOWN_KINDS)[number]): Shown[] {
  const entities: Entities<object> = config[kind];
  return [...entities.values()].map((entity) => ({
    kind,
    name: entity.name,
    description: descriptionOf(entity),
    from: entity.file ?? "built in",
    ...(entity.line !== undefined && { line: entity.line }),
    value: masked(entity.value) as Record<string, unknown>,
    ...(entity.body !== "" && { body: entity.body }),
  }));
}

/** Each section with its defaults filled in. */
function showFeatures(config: Config): Shown[] {
  const all = overlay(traced(DEFAULT_FEATURES), config.features, FEATURE_RULES).value;
  return Object.entries(all).map(([name, value]) => {
    const places = [...config.features.origins].filter(([path]) => path.startsWith(`${name}.`));
    const files = [...new Set(places.map(([, origin]) => origin.file))];
    return {
      kind: "features",
      name,
      description: "",
      from: files.join(", ") || "built in",
      value: masked(value) as never,
    };
  });
}

function showRules(config: Config): Shown[] {
  return config.approvals.map(({ value, scope, file, line }) => ({
    kind: "rules",
    name: value,
    description: `runs without asking (${scope})`,
    from: file,
    ...(line !== undefined && { line }),
    value: { pattern: value, scope },
  }));
}

function descriptionOf(entity: Entity<object>): string {
  const { description } = entity.value as { description?: string };
  return (description ?? "").trim();
}

function fits(shown: Shown, filter: string): boolean {
  const cut = filter.indexOf("=");
  if (cut < 0) return false;
  const wanted = filter.slice(cut + 1).toLowerCase();
  let value: unknown = { ...shown.value, name: shown.name, from: shown.from, description: shown.description };
  for (const key of filter.slice(0, cut).split(".")) value = isTree(value) ? value[key] : undefined;
  if (Array.isArray(value)) return value.some((item) => String(item).toLowerCase() === wanted);
  if (typeof value === "string") return value.toLowerCase().includes(wanted);
  return String(value ?? "").toLowerCase() === wanted;
}

const SECRET = /(?:^|_|-)(?:token|key|secret|password|authorization)$/i;

/** A copy without secrets. A value that is only a `$VAR` names one and stays. */
function masked(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item));
  if (isTree(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item, name)]));
  if (typeof value !== "string" || !SECRET.test(key) || value === "") return value;
  return /^(?:Bearer )?\$(?:\{\w+\}|\w+)$/.test(value) ? value : "********";
}

function describeCounts({ policy }: TurnSettings): string {
  const { auto, confirm, deny } = policy;
  return `${auto.length} auto, ${confirm.length} confirm, ${deny.length} deny`;
}
