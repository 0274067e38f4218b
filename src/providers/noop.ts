// For `--dry=noop`: everything happens but the request.

import type { Provider } from "./provider.ts";

/** Answers `[noop]` to everything and calls no tool. */
export function openNoop(name: string): Provider {
  return {
    name,
    async *stream(request) {
      if (request.signal.aborted) {
        yield { type: "failed", failure: { kind: "cancelled", message: "Cancelled.", retryable: false } };
        return;
      }
      yield { type: "text", delta: "[noop]" };
      yield { type: "part", part: { type: "text", text: "[noop]" } };
      yield { type: "finished", reason: "stop", usage: { input: 0, output: 0 } };
    },
    models: async () => [],
  };
}
