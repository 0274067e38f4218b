import type { Think } from "./config.ts";
import type { Features } from "./features.ts";
import type { Origin, Sourced } from "./traced.ts";

/** One stage of the tool filter (aura 4.1): an empty `enabled` means no restriction. */
export interface FilterLayer {
  readonly layer: "global" | "agent" | "mode" | "task";
  /** The agent, mode or task. */
  readonly name?: string;
  readonly enabled: readonly Sourced<string>[];
  readonly disabled: readonly Sourced<string>[];
}

/** A pattern of aura 6.2 and where it comes from. */
export interface PolicyRule {
  readonly pattern: string;
  readonly from: "built-in" | "features" | "agent" | "mode";
  readonly file?: string;
  readonly line?: number;
}

/** Sorted and without doubles; saved approvals are not among them. */
export interface PolicyRules {
  readonly auto: readonly PolicyRule[];
  readonly confirm: readonly PolicyRule[];
  readonly deny: readonly PolicyRule[];
}

export interface PromptPart {
  readonly name: string;
  readonly body: string;
  readonly file?: string;
}

/** Everything one turn goes by; frozen. The loop and the services see this and never the files. */
export interface TurnSettings {
  readonly agent: {
    readonly name: string;
    readonly description: string;
    readonly subagent: boolean;
    /** What happens to reasoning of earlier turns: "" keeps it. */
    readonly thinking: "" | "strip" | "rewrite";
    readonly agentsmd: "all" | "global" | "local" | "none";
    /** Files for the system prompt; templates, relative to `home`. */
    readonly files: readonly string[];
    /** What is in `files` is plain text, no template: it was written for another system. */
    readonly plainFiles?: true;
    readonly file?: string;
    readonly home?: string;
  };
  readonly mode?: { readonly name: string; readonly description: string; readonly file?: string };
  readonly model: {
    /** Undefined: nobody chose one; the environment decides. */
    readonly provider?: string;
    readonly name?: string;
    readonly think: Think;
    /** Tokens, when the configuration overrides the model's own. */
    readonly context?: number;
    readonly generation: {
      readonly temperature?: number;
      readonly topP?: number;
      readonly topK?: number;
      readonly frequencyPenalty?: number;
      readonly presencePenalty?: number;
      readonly maxOutputTokens?: number;
      readonly stop?: readonly string[];
      readonly seed?: number;
      readonly thinkBudget?: number;
    };
    readonly responseFormat?:
      | { readonly type: "text" | "json_object" }
      | { readonly type: "json_schema"; readonly name?: string; readonly schema: unknown; readonly strict?: boolean };
  };
  /** Agents to switch to when the provider fails for good, in order. */
  readonly fallback: readonly string[];
  readonly features: Features;
  /** Where a feature is written, by its dotted path; absent for defaults and flags. */
  readonly featureOrigins: ReadonlyMap<string, Origin>;
  readonly tools: {
    readonly layers: readonly FilterLayer[];
    /** Exact names. */
    readonly optIn: readonly Sourced<string>[];
    readonly deferred: readonly Sourced<string>[];
  };
  readonly hooks: readonly FilterLayer[];
  readonly policy: PolicyRules;
  readonly readBefore: { readonly write: boolean; readonly delete: boolean };
  readonly limits: { readonly maxSteps: number /** Tokens; 0 = none. */; readonly tokenBudget: number };
  readonly toolSettings: {
    readonly readSmallFileTokens: number;
    readonly bash: { readonly timeoutMs: number; readonly maxOutputBytes: number; readonly rewrite: string };
  };
  readonly prompt: {
    readonly agent: PromptPart;
    readonly mode?: PromptPart;
    /** The compositor template; undefined: the default order of parts. */
    readonly system?: PromptPart;
  };
}
