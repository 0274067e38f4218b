import type { Homes } from "./homes.ts";
import type { PolicyRules, TurnSettings } from "./settings.ts";

/** What a turn knows beside its settings. */
export interface PromptFacts {
  readonly provider: string;
  readonly model: {
    readonly name: string;
    readonly family?: string;
    /** As the server writes it, for example `8B`. */
    readonly parameterSize?: string;
    /** Tokens. */
    readonly contextLength?: number;
    readonly thinking?: boolean;
    readonly vision?: boolean;
    readonly tools?: boolean;
  };
  /** Names of the tools the model may call, and of those it can load. */
  readonly tools: { readonly eager: readonly string[]; readonly deferred: readonly string[] };
  readonly sandbox: {
    readonly enabled: boolean;
    readonly requested: boolean;
    readonly readOnly: readonly string[];
    readonly readWrite: readonly string[];
  };
  readonly readBefore: { readonly write: boolean; readonly delete: boolean };
  readonly hooks: readonly {
    readonly name: string;
    readonly description: string;
    readonly event: string;
    readonly matcher: string;
    readonly files: string;
    readonly command: string;
  }[];
  readonly memories: { readonly local: string; readonly global: string };
  readonly homes: Homes;
  readonly launchDir: string;
  readonly workDir: string;
  /** `--set key=value`. */
  readonly vars: Readonly<Record<string, string>>;
}

/** The data of prompt templates, with the names of aura 17.10. Every name is always there; missing ones are errors. */
export function promptData(settings: TurnSettings, facts: PromptFacts) {
  const { model, sandbox, tools } = facts;
  return {
    Model: {
      Name: model.name,
      Family: model.family ?? "",
      ParameterSize: model.parameterSize ?? "",
      ContextLength: model.contextLength ?? 0,
      Thinking: model.thinking ?? false,
      Vision: model.vision ?? false,
      Tools: model.tools ?? true,
    },
    Provider: facts.provider,
    Agent: settings.agent.name,
    Mode: { Name: settings.mode?.name ?? "" },
    Tools: { Eager: tools.eager, Deferred: describeDeferred(tools.deferred) },
    Sandbox: {
      Enabled: sandbox.enabled,
      Requested: sandbox.requested,
      ReadOnly: sandbox.readOnly,
      ReadWrite: sandbox.readWrite,
      Display: sandbox.requested ? describeSandbox(sandbox.readOnly, sandbox.readWrite) : "",
    },
    ReadBefore: { Write: facts.readBefore.write, Delete: facts.readBefore.delete },
    ToolPolicy: {
      Auto: settings.policy.auto.map(({ pattern }) => pattern),
      Confirm: settings.policy.confirm.map(({ pattern }) => pattern),
      Deny: settings.policy.deny.map(({ pattern }) => pattern),
      Display: describePolicy(settings.policy),
    },
    Hooks: {
      Active: facts.hooks.map((hook) => ({
        Name: hook.name,
        Description: hook.description,
        Event: hook.event,
        Matcher: hook.matcher,
        Files: hook.files,
        Command: hook.command,
      })),
      Display: facts.hooks
        .filter(({ description }) => description !== "")
        .map(({ name, event, description }) => `- ${name} (${event}): ${description}`)
        .join("\n"),
    },
    Memories: { Local: facts.memories.local, Global: facts.memories.global },
    Config: {
      Global: facts.homes.global ?? "",
      Project: facts.homes.projects.at(-1) ?? "",
      Source: settings.agent.home ?? "",
    },
    LaunchDir: facts.launchDir,
    WorkDir: facts.workDir,
    Vars: facts.vars,
  };
}

export type PromptData = ReturnType<typeof promptData>;

/** aura 4.2. Empty when nothing is deferred. */
function describeDeferred(names: readonly string[]): string {
  if (names.length === 0) return "";
  const list = [...names].sort().map((name) => `- ${name}`);
  return [
    "<available-deferred-tools>",
    "These tools exist but are not loaded. Call LoadTools with the names you need before you use them.",
    ...list,
    "</available-deferred-tools>",
  ].join("\n");
}

/** Empty when no tool is restricted. */
function describePolicy({ auto, confirm, deny }: PolicyRules): string {
  if (confirm.length === 0 && deny.length === 0) return "";
  const list = (label: string, rules: PolicyRules["auto"]) =>
    rules.length === 0 ? [] : [`${label}: ${rules.map(({ pattern }) => `\`${pattern}\``).join(", ")}`];
  return [
    ...list("Refused", deny),
    ...list("Needs the user's approval", confirm),
    ...(confirm.length > 0 ? list("Approved in advance", auto) : []),
  ].join("\n");
}

function describeSandbox(readOnly: readonly string[], readWrite: readonly string[]): string {
  const list = (label: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`${label}:`, ...paths.map((path) => `- ${path}`)];
  return [
    ...list("Paths you may read and write", readWrite),
    ...list("Paths you may only read", readOnly),
    "Every other path is out of reach.",
  ].join("\n");
}
