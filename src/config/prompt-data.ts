import type { Homes } from "./homes.ts";
import type { PolicyRules, TurnSettings } from "./settings.ts";

export interface DeferredName {
  readonly name: string;
  /** The MCP server it comes from. */
  readonly server?: string;
}

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
  /** The tools the model may call, and those it can load. */
  readonly tools: { readonly eager: readonly string[]; readonly deferred: readonly DeferredName[] };
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

/** aura 4.2, those of a server together. Empty when nothing is deferred. */
function describeDeferred(tools: readonly DeferredName[]): string {
  if (tools.length === 0) return "";
  const lines = (of: string | undefined) =>
    tools
      .filter(({ server }) => server === of)
      .map(({ name }) => `- ${name}`)
      .sort();
  const servers = [...new Set(tools.flatMap(({ server }) => server ?? []))].sort();
  return [
    "<available-deferred-tools>",
    "These tools exist but are not loaded. Call LoadTools with the names you need before you use them; what you have",
    "loaded in this conversation stays loaded.",
    ...lines(undefined),
    ...servers.flatMap((server) => [`MCP server ${server}:`, ...lines(server)]),
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
