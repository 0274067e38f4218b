import type { ImagePart } from "./message.ts";
import type { Because } from "./verdict.ts";

export interface CallOutput {
  /** What the model reads. */
  readonly text: string;
  readonly images?: readonly ImagePart[];
  /** Estimated tokens of `text`. */
  readonly tokens?: number;
  /** Where the whole text is when `text` was shortened. */
  readonly fullTextFile?: string;
  /** A unified diff of what the call changed, for screens. */
  readonly diff?: string;
}

export type CallFailure =
  | { readonly kind: "unknown-tool"; readonly message: string }
  | { readonly kind: "malformed-call"; readonly message: string }
  | { readonly kind: "bad-input"; readonly problems: readonly string[] }
  | { readonly kind: "blocked"; readonly by: string; readonly reason: string }
  | { readonly kind: "outside-sandbox"; readonly path: string; readonly access: "read" | "write" }
  | { readonly kind: "error"; readonly message: string };

/** A refusal: by a rule, or by a person with or without advice for the model. */
export type Refusal =
  | { readonly by: "rule"; readonly because: Because }
  | { readonly by: "person"; readonly feedback?: string }
  | { readonly by: "nobody"; readonly reason: string };

export type CallState =
  | { readonly status: "pending" }
  | { readonly status: "waiting"; readonly requestId: string }
  | { readonly status: "running"; readonly startedAt: number; readonly lastLine?: string }
  | { readonly status: "done"; readonly ms: number; readonly output: CallOutput }
  | { readonly status: "failed"; readonly ms: number; readonly failure: CallFailure }
  | { readonly status: "denied"; readonly refusal: Refusal }
  | {
      readonly status: "cancelled";
      readonly by: "user" | "limit" | "shutdown";
      /** Said where it is certain that nothing of the call was run. */
      readonly ran?: false;
    };

export interface CallIdentity {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** The Batch or Task call this one runs under. */
  readonly parentId?: string;
}

/** One tool call: an identity that never changes and a state that carries only what is true in it. */
export type ToolCall = CallIdentity & CallState;

export type CallStatus = CallState["status"];
export const SETTLED: ReadonlySet<CallStatus> = new Set<CallStatus>(["done", "failed", "denied", "cancelled"]);
