import type { Config, Entities } from "../config/config.ts";
import { DEFAULT_FEATURES } from "../config/features.ts";
import type { TurnSettings } from "../config/settings.ts";
import { SHIPPED_TIER } from "../policy/rules.ts";
import type { EntryTrust } from "./entry-trust.ts";
import { configEntries, type ExecutableEntry } from "./executable-entries.ts";
import type { Trust } from "./trust.ts";

/** What a project's files must not do, whoever trusts them, and what of them nobody has accepted as it is now. */
export interface Guarded {
  /** Not run, each by itself. */
  readonly held: readonly ExecutableEntry[];
  /** One line each for a person. */
  readonly notices: readonly string[];
  /** There is something to take out, for which a person's own configuration is needed. */
  readonly needsOwn: boolean;
}

export async function lookForGuarded(config: Config, entries: EntryTrust, trust: Trust): Promise<Guarded> {
  const held: ExecutableEntry[] = [];
  for (const entry of configEntries(config, entries.isForeign)) {
    const isOurs = entry.kind === "approvals" && (await trust.trustsFile(entry.file!));
    if (!isOurs && !entries.runs(entry)) held.push(entry);
  }
  const providers = [...config.providers.values()].filter(({ file }) => entries.isForeign(file));
  const notices =
    providers.length === 0
      ? []
      : [
          `${[...new Set(providers.map(({ file }) => file))].join(", ")}: left out: a project cannot say where requests go or with which key. Put providers into your own home, or name the folder with --config.`,
        ];
  return { held, notices, needsOwn: held.length > 0 || providers.length > 0 || setsSandbox(config, entries) };
}

/** The configuration without those; where a person's own of the same name was hidden, it is back. */
export async function withoutHeld(config: Config, own: Config, entries: EntryTrust, trust: Trust): Promise<Config> {
  const { held } = await lookForGuarded(config, entries, trust);
  const isHeld = (kind: ExecutableEntry["kind"], name: string) =>
    held.some((entry) => entry.kind === kind && entry.name.toLowerCase() === name);
  const rest = <Head>(all: Entities<Head>, mine: Entities<Head>, kind: ExecutableEntry["kind"]): Entities<Head> =>
    new Map(
      [...all].flatMap(([name, entity]) => {
        if (!isHeld(kind, name)) return [[name, entity] as const];
        const other = mine.get(name);
        return other ? [[name, other] as const] : [];
      }),
    );
  const approvals = config.approvals.filter(
    ({ file }) => !held.some((entry) => entry.kind === "approvals" && entry.file === file),
  );
  const isForeignProvider = [...config.providers.values()].some(({ file }) => entries.isForeign(file));
  return {
    ...config,
    ...(isForeignProvider && { providers: own.providers }),
    hooks: rest(config.hooks, own.hooks, "hook"),
    lsp: rest(config.lsp, own.lsp, "language server"),
    tasks: rest(config.tasks, own.tasks, "task"),
    plugins: rest(config.plugins, own.plugins, "plugin"),
    approvals,
  };
}

/**
 * Settings without what was not accepted: a person's own hold instead. The sandbox is never the project's to set. A
 * policy that nobody accepted can add questions and refusals, and take none away.
 */
export function guardedSettings(
  settings: TurnSettings,
  own: TurnSettings | undefined,
  entries: EntryTrust,
  held: readonly ExecutableEntry[],
): TurnSettings {
  const { features, featureOrigins, toolSettings } = settings;
  const fileOf = (path: string) => featureOrigins.get(path)?.file;
  const placed = (file: string | undefined) => (file === undefined ? {} : { file });
  const { rewrite } = toolSettings.bash;
  const { statusline } = features.ui;
  const mayRewrite = entries.runs({ kind: "rewrite", text: rewrite, ...placed(fileOf("tools.bash.rewrite")) });
  const mayShow = entries.runs({ kind: "status line", text: statusline, ...placed(fileOf("ui.statusline")) });
  const sandbox = own?.features.sandbox ?? DEFAULT_FEATURES.sandbox;
  const asking = ["features", `agent ${settings.agent.name}`, `mode ${settings.mode?.name}`];
  const isPolicyHeld = held.some(
    ({ kind, name }) => kind === "policy" && asking.includes(name.replace(/ \(its own\)$/, "")),
  );
  return {
    ...settings,
    ...(isPolicyHeld && { policy: cautious(settings.policy, own?.policy, entries) }),
    features: {
      ...features,
      sandbox,
      ui: { ...features.ui, statusline: mayShow ? statusline : (own?.features.ui.statusline ?? "") },
    },
    toolSettings: {
      ...toolSettings,
      bash: { ...toolSettings.bash, rewrite: mayRewrite ? rewrite : (own?.toolSettings.bash.rewrite ?? "") },
    },
  };
}

type Rules = TurnSettings["policy"];

function cautious(policy: Rules, own: Rules | undefined, entries: EntryTrust): Rules {
  const shipped = (SHIPPED_TIER.confirm ?? []).map(({ value }) => ({ pattern: value, from: "built-in" as const }));
  return {
    auto: policy.auto.filter(({ file }) => !entries.isForeign(file)),
    confirm: joined(policy.confirm, [...(own?.confirm ?? []), ...shipped]),
    deny: joined(policy.deny, own?.deny ?? []),
  };
}

function joined(rules: Rules["deny"], more: Rules["deny"]): Rules["deny"] {
  const known = new Set(rules.map(({ pattern }) => pattern));
  const added = more.filter(({ pattern }) => !known.has(pattern) && known.add(pattern));
  return [...rules, ...added].sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
}

function setsSandbox(config: Config, entries: EntryTrust): boolean {
  const sets = (features: unknown) => (features as { readonly sandbox?: unknown } | undefined)?.sandbox !== undefined;
  return (
    [...config.features.origins].some(([path, { file }]) => path.startsWith("sandbox.") && entries.isForeign(file)) ||
    [...config.agents.values(), ...config.modes.values(), ...config.tasks.values()].some(
      ({ file, value }) => entries.isForeign(file) && sets(value.features),
    )
  );
}
