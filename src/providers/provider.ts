import type { Message, Part, Usage } from "../protocol/message.ts";
import type { ThinkLevel } from "../protocol/status.ts";

/** A tool as the model sees it. `parameters` is JSON Schema, passed on untouched. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

/** aura 17.4 `generation`; every field optional. */
export interface Generation {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly maxOutputTokens?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly thinkBudget?: number;
}

export type ResponseFormat =
  | { readonly type: "text" }
  | { readonly type: "json_object" }
  | { readonly type: "json_schema"; readonly name?: string; readonly schema: unknown; readonly strict?: boolean };

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  /** Already filtered for the model; roles user, assistant, tool. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** False: the tools stay listed, so that the prompt prefix is kept, but the model is told to call none. Default true. */
  readonly mayCall?: boolean;
  readonly think: ThinkLevel;
  readonly generation?: Generation;
  readonly responseFormat?: ResponseFormat;
  /** Stable for a session; providers that route caches by a key get it. */
  readonly cacheKey?: string;
  readonly signal: AbortSignal;
}

export type FailureKind =
  | "rate_limit"
  | "auth"
  | "network"
  | "server"
  | "content_filter"
  | "credit_exhausted"
  | "model_unavailable"
  | "context_exhausted"
  | "bad_request"
  | "timeout"
  | "cancelled"
  | "script";

/** Failures are stream endings, never throws. */
export interface ProviderFailure {
  readonly kind: FailureKind;
  /** For people: what happened, at which host, what to try. */
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly retryable: boolean;
}

export type StreamPart =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  /** The model began a call; its input is still arriving. */
  | { readonly type: "call-started"; readonly callId: string; readonly tool: string }
  | { readonly type: "call-grew"; readonly callId: string; readonly delta: string }
  /** A whole part, in the order of the reply; text and thinking repeat what their deltas said. */
  | { readonly type: "part"; readonly part: Part }
  | {
      readonly type: "finished";
      readonly reason: "stop" | "calls" | "length" | "content_filter" | "other";
      readonly usage: Usage;
    }
  | { readonly type: "failed"; readonly failure: ProviderFailure };

export interface ModelInfo {
  readonly name: string;
  /** Tokens. */
  readonly context?: number;
  readonly maxOutput?: number;
  /** US dollars per million tokens. */
  readonly price?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  readonly capabilities?: readonly ("tools" | "vision" | "thinking" | "thinking_levels" | "embedding" | "reranking")[];
  /** Billions of parameters, when the server says. */
  readonly parameters?: number;
}

export interface Provider {
  /** The configured name. */
  readonly name: string;
  /**
   * Streams one reply. Must not throw: ends with exactly one `finished` or `failed`. Aborting `request.signal` closes
   * the socket and ends with `failed` of kind `cancelled`.
   */
  stream(request: ModelRequest): AsyncIterable<StreamPart>;
  /** Loads what a request to `model` needs, without any request; a failure shows with the request itself. */
  warm?(model: string): Promise<void>;
  /** Asks the server which models it has; falls back to nothing when it cannot say. Throws ProviderError. */
  models(signal: AbortSignal): Promise<readonly ModelInfo[]>;
}

export class ProviderError extends Error {
  constructor(readonly failure: ProviderFailure) {
    super(failure.message);
    this.name = "ProviderError";
  }
}
