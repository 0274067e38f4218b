import { expect, test } from "vitest";
import { streamReply } from "../../../src/loop/stream-reply.ts";
import type { StreamPart } from "../../../src/providers/provider.ts";
import { fakeTurn } from "../../helpers/fake-turn.ts";

async function replyTo(parts: readonly StreamPart[], used = new Set<string>()) {
  const fake = fakeTurn();
  const provider = {
    ...fake.turn.provider,
    async *stream() {
      yield* parts;
    },
  };
  const request = { model: "m", system: "", messages: [], tools: [], think: "off", signal: fake.turn.signal } as const;
  const reply = await streamReply({ ...fake.turn, provider }, request, used);
  return { reply, events: fake.events };
}
const FAILED = { type: "failed", failure: { kind: "network", message: "cut", retryable: true } } as const;
const FINISHED = { type: "finished", reason: "stop", usage: { input: 3, output: 2 } } as const;
const text = (words: string) => ({ type: "text", text: words }) as const;

test("a reply without deltas is whole all the same", async () => {
  const { reply, events } = await replyTo([{ type: "part", part: text("hi") }, FINISHED]);
  expect(reply).toEqual({
    kind: "finished",
    cutShort: false,
    message: {
      id: "m2",
      role: "assistant",
      kind: "normal",
      at: "now",
      parts: [text("hi")],
      usage: { input: 3, output: 2 },
    },
  });
  expect(events).toEqual([]);
});

test("parts decide what is kept, with what the provider wants back", async () => {
  const signed = { type: "thinking", text: "Hm", provider: { signature: "abc" } } as const;
  const { reply } = await replyTo([
    { type: "thinking", delta: "H" },
    { type: "thinking", delta: "m" },
    { type: "part", part: signed },
    { type: "text", delta: "" },
    FINISHED,
  ]);
  expect(reply).toMatchObject({ message: { parts: [signed] } });
});

test("a failure keeps finished parts and the words that had begun, but no calls", async () => {
  const { reply } = await replyTo([
    { type: "text", delta: "One." },
    { type: "part", part: text("One.") },
    { type: "part", part: { type: "tool-call", callId: "c", tool: "A", input: {} } },
    { type: "text", delta: "Tw" },
    FAILED,
  ]);
  expect(reply).toMatchObject({
    kind: "failed",
    failure: FAILED.failure,
    message: { interrupted: true, parts: [text("One."), text("Tw")] },
  });
});

test("a failure keeps a finished part that came without deltas", async () => {
  const { reply } = await replyTo([{ type: "part", part: text("One.") }, FAILED]);
  expect(reply).toMatchObject({ kind: "failed", message: { parts: [text("One.")] } });
});

test("a reply that the provider's filter stopped is a failure that keeps its words and its cost", async () => {
  const call = { type: "tool-call", callId: "c", tool: "A", input: {} } as const;
  const stopped = { ...FINISHED, reason: "content_filter" } as const;
  const { reply } = await replyTo([
    { type: "part", part: text("One.") },
    { type: "part", part: call },
    { type: "text", delta: "Tw" },
    stopped,
  ]);
  expect(reply).toMatchObject({
    kind: "failed",
    failure: { kind: "content_filter", retryable: false },
    message: { interrupted: true, usage: FINISHED.usage, parts: [text("One."), text("Tw")] },
  });
  expect((await replyTo([stopped])).reply).not.toHaveProperty("message");
});

test("a failure of a reply that had only calls keeps nothing", async () => {
  const call = { type: "tool-call", callId: "c", tool: "A", input: {} } as const;
  expect((await replyTo([{ type: "part", part: call }, FAILED])).reply).toEqual({
    kind: "failed",
    failure: FAILED.failure,
  });
});

test("an id used earlier in the conversation is changed", async () => {
  const call = { type: "tool-call", callId: "c", tool: "A", input: {} } as const;
  const { reply } = await replyTo([{ type: "part", part: call }, FINISHED], new Set(["c", "c-2"]));
  expect(reply).toMatchObject({ message: { parts: [{ callId: "c-3" }] } });
});

test("a stream that ends without saying how is an error of the provider", async () => {
  await expect(replyTo([{ type: "text", delta: "a" }])).rejects.toThrow("provider fake ended its stream");
});
