import type { FeaturesPatch } from "./features.ts";
import type { Homes } from "./homes.ts";
import type { KindName } from "./kinds.ts";
import type { ConfigProblem } from "./problems.ts";
import type { Sourced, Traced } from "./traced.ts";

type Maybe<T> = { readonly [K in keyof T]?: T[K] | undefined };

export type Think = "off" | "on" | "low" | "medium" | "high";

type FilterLists = Maybe<{ enabled: readonly string[]; disabled: readonly string[] }>;
type PolicyLists = Maybe<{ auto: readonly string[]; confirm: readonly string[]; deny: readonly string[] }>;

/** aura 17.4, names as in the files. */
export type GenerationEntry = Maybe<{
  temperature: number;
  top_p: number;
  top_k: number;
  frequency_penalty: number;
  presence_penalty: number;
  max_output_tokens: number;
  stop: readonly string[];
  seed: number;
  think_budget: number;
}>;
export type ModelEntry = Maybe<{
  provider: string;
  name: string;
  think: Think;
  /** Tokens. */
  context: number;
  generation: GenerationEntry;
}>;
type ResponseFormatEntry = Maybe<{
  type: "text" | "json_object" | "json_schema";
  name: string;
  schema: Readonly<Record<string, unknown>>;
  strict: boolean;
}>;

export type ModeHead = Maybe<{
  name: string;
  description: string;
  hide: boolean;
  tools: FilterLists & Maybe<{ policy: PolicyLists }>;
  hooks: FilterLists;
  features: FeaturesPatch;
  inherit: readonly string[];
}>;
export type AgentHead = ModeHead &
  Maybe<{
    model: ModelEntry;
    system: string;
    mode: string;
    default: boolean;
    subagent: boolean;
    agentsmd: "" | "all" | "global" | "local" | "none";
    thinking: "" | "strip" | "rewrite";
    files: readonly string[];
    fallback: readonly string[];
    response_format: ResponseFormatEntry;
    /** Aether-style server files of this agent; relative paths lie below the working directory. Also `mcpServers`. */
    mcps: readonly ServerRef[];
  }>;
/** Where definitions of servers come from (other-systems 1.3). A text is the path of a file. */
export type ServerRef =
  | string
  | { readonly type: "file"; readonly path: string; readonly proxy?: boolean | undefined }
  | { readonly type: "inline"; readonly servers: Readonly<Record<string, unknown>> };
export type PromptHead = Maybe<{ name: string; description: string; inherit: readonly string[] }>;
export type CommandHead = Maybe<{ name: string; description: string; hints: string | readonly string[] }>;
export type SkillHead = Maybe<{ name: string; description: string }>;

export type ProviderType =
  | "anthropic"
  | "codex"
  | "copilot"
  | "google"
  | "llamacpp"
  | "ollama"
  | "openai"
  | "openai-compatible"
  | "openrouter"
  | "scripted";
export type Capability = "chat" | "embed" | "rerank" | "transcribe" | "synthesize";
/** aura 17.7; durations in milliseconds, `$VAR` not yet expanded. */
export type ProviderEntry = Maybe<{
  url: string;
  type: ProviderType;
  token: string;
  models: FilterListsOfModels;
  keep_alive: number;
  timeout: number;
  retry: Maybe<{ max_attempts: number; base_delay: number; max_delay: number }>;
  capabilities: readonly Capability[];
}>;
type FilterListsOfModels = Maybe<{ include: readonly string[]; exclude: readonly string[] }>;

/** aura 17.8. */
export type ToolOverride = Maybe<{
  disabled: boolean;
  override: boolean;
  description: string;
  usage: string;
  examples: string | readonly string[];
  condition: string;
  parallel: boolean;
}>;

export type HookEntry = Maybe<{
  description: string;
  event: "pre" | "post";
  matcher: string;
  files: string;
  command: string;
  /** Seconds. */
  timeout: number;
  depends: readonly string[];
  silent: boolean;
  disabled: boolean;
  inherit: readonly string[];
}>;
/** One definition as written (other-systems 5.2); `type` is read as `transport`. */
export type McpServerEntry = Maybe<{
  description: string;
  transport: "stdio" | "http" | "sse" | "in-memory";
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  input: unknown;
  enabledTools: readonly string[];
  disabledTools: readonly string[];
  deferred: boolean;
  proxy: boolean;
  disabled: boolean;
  condition: string;
  /** Milliseconds, both. */
  timeout: number;
  callTimeout: number;
  scope: "project" | "user";
}>;
export type LanguageServerEntry = Maybe<{
  command: string;
  args: readonly string[];
  file_types: readonly string[];
  root_markers: readonly string[];
  settings: Readonly<Record<string, unknown>>;
  init_options: Readonly<Record<string, unknown>>;
  /** Seconds. */
  timeout: number;
  disabled: boolean;
}>;
export type TaskEntry = Maybe<{
  description: string;
  schedule: string;
  timeout: number;
  disabled: boolean;
  agent: string;
  mode: string;
  session: string;
  workdir: string;
  tools: FilterLists;
  features: FeaturesPatch;
  pre: readonly string[];
  commands: readonly string[];
  post: readonly string[];
  foreach: Maybe<{ file: string; shell: string; continue_on_error: boolean; retries: number }>;
  finally: readonly string[];
  on_max_steps: readonly string[];
  vars: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  env_file: readonly string[];
  inherit: readonly string[];
}>;
export type PluginManifest = Maybe<{
  name: string;
  description: string;
  disabled: boolean;
  override: boolean;
  opt_in: boolean;
  condition: string;
  once: boolean;
  env: readonly string[];
  config: Readonly<Record<string, unknown>>;
}>;

/** One thing a file defines, after inheritance. */
export interface Entity<Head> extends Traced<Head> {
  readonly kind: KindName;
  /** As written; looked up without regard to case. */
  readonly name: string;
  /** The text below the head; "" for kinds without one. */
  readonly body: string;
  /** Absolute; undefined for what is built in. */
  readonly file?: string;
  /** Where the entity begins in `file`. */
  readonly line?: number;
  /** The home directory it was found in. */
  readonly home?: string;
  readonly scope: "built-in" | "global" | "project";
  /** Read in place from another system's files: never chosen unless somebody names it. */
  readonly foreign?: true;
}

/** Keys are names in lower case. */
export type Entities<Head> = ReadonlyMap<string, Entity<Head>>;

/** A pattern of a rules file: an approval somebody saved. */
export interface SavedApproval extends Sourced<string> {
  readonly scope: "project" | "global";
  readonly file: string;
}

/** Everything all homes say, checked and with inheritance applied (aura 17). */
export interface Config {
  readonly homes: Homes;
  readonly agents: Entities<AgentHead>;
  readonly modes: Entities<ModeHead>;
  readonly prompts: Entities<PromptHead>;
  readonly providers: Entities<ProviderEntry>;
  /** By tool name in lower case. */
  readonly tools: Entities<ToolOverride>;
  readonly commands: Entities<CommandHead>;
  readonly skills: Entities<SkillHead>;
  readonly hooks: Entities<HookEntry>;
  readonly mcp: Entities<McpServerEntry>;
  readonly lsp: Entities<LanguageServerEntry>;
  readonly tasks: Entities<TaskEntry>;
  readonly plugins: Entities<PluginManifest>;
  /** What the files say, over nothing: the defaults come below, agents and modes above (`resolve.ts`). */
  readonly features: Traced<FeaturesPatch>;
  readonly approvals: readonly SavedApproval[];
  readonly problems: readonly ConfigProblem[];
  /** One line each: what was read but has no effect yet. */
  readonly notices: readonly string[];
  /** Aether's settings of the project, when they were there: whether or not they were read. */
  readonly aether?: string;
  /** Changes whenever a file is added, removed or written. */
  readonly fingerprint: string;
}
