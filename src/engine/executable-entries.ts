import { createHash } from "node:crypto";
import { looksOutside } from "../config/condition.ts";
import type { Config, Entity } from "../config/config.ts";
import type { ServerDef } from "../config/mcp-server.ts";
import { leadsOut } from "../config/prompt-files.ts";
import type { Traced } from "../config/traced.ts";

/** What of a configuration runs something, or lets something run unasked. */
export type EntryKind =
  | "approvals"
  | "command"
  | "command model"
  | "condition"
  | "hook"
  | "language server"
  | "MCP server"
  | "plugin"
  | "policy"
  | "prompt files"
  | "rewrite"
  | "skill"
  | "status line"
  | "task";

/** One such thing of a project. A person accepts its text, and only that. */
export interface ExecutableEntry {
  readonly kind: EntryKind;
  /** Tells it from others of its kind. */
  readonly name: string;
  /** All of it that has an effect, one fact a line; always the same for the same effect. */
  readonly text: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
}

export const idOf = ({ kind, name }: ExecutableEntry): string => `${kind} ${name}`;

export const hashOf = ({ kind, text }: Pick<ExecutableEntry, "kind" | "text">): string =>
  createHash("sha256").update(`${kind}\0${text}`).digest("hex");

/** The entries of a configuration's files that `isForeign` names; servers and skills are found elsewhere. */
export function configEntries(config: Config, isForeign: (file: string | undefined) => boolean): ExecutableEntry[] {
  const foreign = <Head>(entities: ReadonlyMap<string, Entity<Head>>) =>
    [...entities.values()].filter(({ file }) => isForeign(file));
  const whole = (kind: EntryKind) => (entity: Entity<object>) => ({
    ...placed(kind, entity),
    text: factsOf(entity.value),
  });
  return [
    ...foreign(config.hooks).map(whole("hook")),
    ...foreign(config.lsp).map(whole("language server")),
    ...foreign(config.tasks).map(whole("task")),
    ...foreign(config.plugins).map(whole("plugin")),
    ...foreign(config.commands).flatMap((entity) =>
      hasDirective(entity.body) ? [{ ...placed("command", entity), text: entity.body }] : [],
    ),
    ...[...config.tools.values()].flatMap((entity) => conditionEntry(entity, isForeign)),
    ...foreign(config.mcp).flatMap((entity) => conditionEntry(entity, isForeign)),
    ...approvalEntries(config, isForeign),
    ...featureEntries("features", config.features, isForeign),
    ...foreign(config.agents).flatMap((agent) => {
      const { files = [] } = agent.value;
      return files.some(leadsOut) ? [{ ...placed("prompt files", agent), ...filesEntry(files) }] : [];
    }),
    ...[...config.agents.values()].flatMap((agent) => entityEntries(`agent ${agent.name}`, agent, isForeign)),
    ...[...config.modes.values()].flatMap((mode) => entityEntries(`mode ${mode.name}`, mode, isForeign)),
  ];
}

/** What an agent puts into the prompt, where that may lie anywhere. */
export const filesEntry = (files: readonly string[]) => ({ kind: "prompt files" as const, text: files.join("\n") });

export const serverEntry = (server: ServerDef): ExecutableEntry => {
  const { file, line, name, ...facts } = server;
  return {
    kind: "MCP server",
    name,
    text: `name: ${JSON.stringify(name)}\n${factsOf(facts)}`,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  };
};

/** The commands in a skill's text; undefined when it has none. */
export function skillEntry(name: string, file: string, text: string): ExecutableEntry | undefined {
  const commands = [...text.matchAll(/!`([^`\n]+)`/g)].map((match) => match[1]!);
  return commands.length === 0 ? undefined : { kind: "skill", name, file, text: commands.join("\n") };
}

/** Whether a text would run or read something when it becomes a prompt. */
const hasDirective = (text: string): boolean => /@(Bash|File|Image|Path)\[/.test(text);

const placed = (kind: EntryKind, { name, file, line }: Pick<Entity<object>, "name" | "file" | "line">) => ({
  kind,
  name,
  ...(file !== undefined && { file }),
  ...(line !== undefined && { line }),
});

function conditionEntry(
  { kind, name, value, origins, file }: Entity<{ readonly condition?: string | undefined }>,
  isForeign: (file: string | undefined) => boolean,
): ExecutableEntry[] {
  const { condition } = value;
  const place = origins.get("condition") ?? (file === undefined ? undefined : { file });
  if (!condition || !isForeign(place?.file) || !looksOutside(condition)) return [];
  return [{ kind: "condition", name: `${kind} ${name}`, text: condition, ...place }];
}

function approvalEntries(config: Config, isForeign: (file: string | undefined) => boolean): ExecutableEntry[] {
  const files = new Map<string, string[]>();
  for (const { file, value } of config.approvals)
    if (isForeign(file)) files.set(file, [...(files.get(file) ?? []), value]);
  return [...files].map(([file, patterns]) => ({
    kind: "approvals" as const,
    name: file,
    file,
    text: patterns.sort().join("\n"),
  }));
}

function entityEntries(
  name: string,
  entity: Entity<{ readonly tools?: unknown; readonly features?: unknown }>,
  isForeign: (file: string | undefined) => boolean,
): ExecutableEntry[] {
  if (!isForeign(entity.file)) return [];
  const place = { ...(entity.file !== undefined && { file: entity.file }) };
  const policy = policyText((entity.value.tools as PolicyHolder)?.policy);
  return [
    ...(policy === "" ? [] : [{ kind: "policy" as const, name: `${name} (its own)`, text: policy, ...place }]),
    ...featureEntries(name, { value: entity.value.features, origins: new Map() }, () => true, place),
  ];
}

type PolicyHolder =
  | { readonly policy?: Readonly<Record<string, readonly string[] | undefined>> | undefined }
  | null
  | undefined;

interface FeatureValues {
  readonly tools?: { readonly bash?: { readonly rewrite?: string } } & Exclude<PolicyHolder, null | undefined>;
  readonly ui?: { readonly statusline?: string };
}

/** Of one place that sets features. A file is only known for what is in a features file. */
function featureEntries(
  name: string,
  features: Traced<unknown>,
  isForeign: (file: string | undefined) => boolean,
  fixed?: { readonly file?: string },
): ExecutableEntry[] {
  const { tools, ui } = (features.value ?? {}) as FeatureValues;
  const at = (path: string) => fixed ?? features.origins.get(path);
  const one = (kind: EntryKind, path: string, text: string | undefined): ExecutableEntry[] =>
    text && isForeign(at(path)?.file) ? [{ kind, name, text, ...at(path) }] : [];
  const policyPlace = fixed ?? [...features.origins].find(([path]) => path.startsWith("tools.policy."))?.[1];
  const isPolicyForeign =
    fixed !== undefined ||
    [...features.origins].some(([path, { file }]) => path.startsWith("tools.policy.") && isForeign(file));
  const policy = isPolicyForeign ? policyText(tools?.policy) : "";
  return [
    ...one("rewrite", "tools.bash.rewrite", tools?.bash?.rewrite),
    ...one("status line", "ui.statusline", ui?.statusline),
    ...(policy === "" ? [] : [{ kind: "policy" as const, name, text: policy, ...policyPlace }]),
  ];
}

function policyText(policy: Readonly<Record<string, readonly string[] | undefined>> | undefined): string {
  const lines = ["auto", "confirm", "deny"].flatMap((list) =>
    (policy?.[list] ?? []).map((pattern) => `${list}: ${pattern}`),
  );
  // A list that is there and empty says something too: it takes the place of one that asks.
  const empty = ["auto", "confirm", "deny"]
    .filter((list) => policy?.[list]?.length === 0)
    .map((list) => `${list}: none`);
  return [...lines, ...empty].sort().join("\n");
}

/** `key: value` lines, keys sorted, nothing that is not set. */
function factsOf(value: object): string {
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${key}: ${JSON.stringify(sorted(part))}`)
    .join("\n");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}
