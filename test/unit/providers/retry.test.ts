import { expect, test } from "vitest";
import type { ModelRequest, Provider, ProviderFailure, StreamPart } from "../../../src/providers/provider.ts";
import { createRetry, type RetryOptions, sleep } from "../../../src/providers/retry.ts";

const failure = (more: Partial<ProviderFailure> = {}): StreamPart => ({
  type: "failed",
  failure: { kind: "server", message: "broken", retryable: true, ...more },
});
const text: StreamPart = { type: "text", delta: "hi" };
const finished: StreamPart = { type: "finished", reason: "stop", usage: { input: 1, output: 1 } };

/** Plays a stream per request; the last repeats. */
function provider(...streams: StreamPart[][]): Provider & { asked: number } {
  const out = {
    name: "p",
    asked: 0,
    async *stream() {
      yield* streams[Math.min(out.asked++, streams.length - 1)]!;
    },
    models: async () => [],
  };
  return out;
}

const request = (signal = new AbortController().signal) => ({ signal }) as ModelRequest;

async function run(inner: Provider, more: Partial<RetryOptions> = {}, signal?: AbortSignal) {
  const waits: number[] = [];
  const retry = createRetry(inner, {
    attempts: 5,
    baseDelayMs: 1000,
    maxDelayMs: 5000,
    random: () => 1,
    sleep: async (ms) => void waits.push(ms),
    ...more,
  });
  const parts: StreamPart[] = [];
  for await (const part of retry.stream(request(signal))) parts.push(part);
  return { parts, waits };
}

test("A failure before any output is repeated, with waits that double up to the limit", async () => {
  const inner = provider([failure()], [failure()], [failure()], [failure()], [text, finished]);
  expect(await run(inner)).toEqual({ parts: [text, finished], waits: [1000, 2000, 4000, 5000] });
});

test("Half of each wait is random", async () => {
  const inner = provider([failure()], [failure()], [finished]);
  expect((await run(inner, { random: () => 0 })).waits).toEqual([500, 1000]);
});

test("The last failure is handed on when the tries are used up", async () => {
  const inner = provider([failure()]);
  expect((await run(inner, { attempts: 3 })).parts).toEqual([failure()]);
  expect(inner.asked).toBe(3);
});

test("Nothing is repeated after output began", async () => {
  const inner = provider([text, failure()]);
  expect((await run(inner)).parts).toEqual([text, failure()]);
  expect(inner.asked).toBe(1);
});

test("What cannot succeed is not repeated", async () => {
  const inner = provider([failure({ kind: "auth", retryable: false })]);
  await run(inner);
  expect(inner.asked).toBe(1);
});

test("The server's own wait replaces ours, unless it asks for more than two minutes", async () => {
  expect((await run(provider([failure({ retryAfterMs: 7 })], [finished]))).waits).toEqual([7]);
  const far = provider([failure({ retryAfterMs: 3_600_000 })]);
  expect((await run(far)).waits).toEqual([]);
  expect(far.asked).toBe(1);
});

test("Each repetition is told before its wait", async () => {
  const told: unknown[] = [];
  await run(provider([failure()], [finished]), {
    onRetry: ({ failure, attempt, waitMs }) => told.push([failure.message, attempt, waitMs]),
  });
  expect(told).toEqual([["broken", 1, 1000]]);
});

test("An abort ends the wait and the request", async () => {
  const controller = new AbortController();
  const inner = provider([failure()]);
  const { parts } = await run(
    inner,
    {
      sleep: (_, signal) => {
        const over = sleep(3_600_000, signal);
        controller.abort();
        return over;
      },
    },
    controller.signal,
  );
  expect(parts).toMatchObject([{ type: "failed", failure: { kind: "cancelled" } }]);
  expect(inner.asked).toBe(1);
});
