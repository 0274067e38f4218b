// Asks again when a request failed before anything was said.

import type { ModelRequest, Provider, ProviderFailure, StreamPart } from "./provider.ts";

export interface RetryOptions {
  /** Tries altogether, the first included; 1 never repeats. */
  readonly attempts: number;
  /** Milliseconds before the second try; each further wait doubles, up to `maxDelayMs`. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Resolves after `ms` or as soon as `signal` aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told before each wait. */
  readonly onRetry?: (retry: { failure: ProviderFailure; attempt: number; waitMs: number }) => void;
}

/** Longest wait a server may ask for; a longer one ends the request, and the failure says how long. */
const PATIENCE_MS = 120_000;

/**
 * `provider`, repeated with exponential back-off and half of it random (so that many clients do not return at once).
 * A server's own Retry-After replaces the back-off. Never repeats after output began, nor what cannot succeed.
 */
export function createRetry(provider: Provider, options: RetryOptions): Provider {
  return {
    name: provider.name,
    ...(provider.warm && { warm: provider.warm }),
    models: (signal) => provider.models(signal),
    async *stream(request: ModelRequest): AsyncGenerator<StreamPart> {
      for (let attempt = 1; ; attempt++) {
        let failure: ProviderFailure | undefined;
        let hasSpoken = false;
        for await (const part of provider.stream(request)) {
          if (part.type === "failed" && !hasSpoken && attempt < options.attempts && isWorthIt(part.failure)) {
            failure = part.failure;
            break;
          }
          hasSpoken = true;
          yield part;
        }
        if (failure === undefined) return;
        const waitMs = failure.retryAfterMs ?? backOff(attempt, options);
        options.onRetry?.({ failure, attempt, waitMs });
        await options.sleep(waitMs, request.signal);
        if (request.signal.aborted) {
          yield { type: "failed", failure: { kind: "cancelled", message: "Cancelled.", retryable: false } };
          return;
        }
      }
    },
  };
}

function isWorthIt(failure: ProviderFailure): boolean {
  return failure.retryable && (failure.retryAfterMs ?? 0) <= PATIENCE_MS;
}

function backOff(attempt: number, { baseDelayMs, maxDelayMs, random }: RetryOptions): number {
  const full = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return Math.round(full / 2 + (full / 2) * random());
}

/** A sleep for `RetryOptions`. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
