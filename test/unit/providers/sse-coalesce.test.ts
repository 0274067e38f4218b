import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSseCoalescer } from "../../../src/providers/sse-coalesce.ts";
import { readDelta } from "../../../src/providers/sse-deltas.ts";

/** Feeds `reads` one by one; what came out, as one string. */
function coalesce(reads: readonly Uint8Array[]): string {
  const coalescer = createSseCoalescer();
  return reads.map((read) => coalescer.push(read)).join("") + coalescer.end();
}

const bytes = (text: string) => Buffer.from(text, "utf8");
const frames = (stream: string) => stream.split(/(?<=\r?\n\r?\n)/);

/** Texts of one place joined as far as they are neighbours; everything else as it stands. */
function meaning(stream: string): string[] {
  const out: { key: string | undefined; text: string }[] = [];
  for (const frame of frames(stream)) {
    const payload = /^(?:event:[^\r\n]*\r?\n)?data: ?(\{[^\r\n]*\})\r?\n\r?\n$/.exec(frame)?.[1];
    const delta = payload === undefined ? undefined : readDelta(payload);
    const last = out.at(-1);
    if (delta === undefined) out.push({ key: undefined, text: frame });
    else if (last?.key === delta.key) last.text += delta.text;
    else out.push({ key: delta.key, text: delta.text });
  }
  return out.map((item) => `${item.key}: ${item.text}`);
}

const chat = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
const named = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const gemini = (part: object, more: object = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts: [part], role: "model" }, index: 0, ...more }], usageMetadata: { promptTokenCount: 3 } })}\r\n\r\n`;

let sequence = 0;
const WRITERS: Record<string, (text: string) => string> = {
  "chat content": (text) => chat({ content: text }),
  "chat content with a role and usage so far": (text) =>
    chat({ role: "assistant", content: text }, { usage: { completion_tokens: sequence++ } }),
  "chat content, Python spacing": (text) =>
    `data: {"id": "c1", "choices": [{"index": 0, "delta": {"content": ${JSON.stringify(text)}}}]}\n\n`,
  "chat reasoning": (text) => chat({ content: null, reasoning_content: text }),
  "chat call arguments": (text) => chat({ tool_calls: [{ index: 1, function: { arguments: text } }] }),
  "Anthropic text": (text) =>
    named({ type: "content_block_delta", index: 1, delta: { type: "text_delta", text } } as { type: string }),
  "Anthropic thinking": (text) =>
    named({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: text } } as {
      type: string;
    }),
  "Anthropic input": (text) =>
    named({ type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: text } } as {
      type: string;
    }),
  "Responses text": (text) =>
    named({
      type: "response.output_text.delta",
      item_id: "m",
      output_index: 0,
      content_index: 0,
      delta: text,
      sequence_number: sequence++,
    } as { type: string }),
  "Gemini text": (text) => gemini({ text }),
  "Gemini thought": (text) => gemini({ text, thought: true }),
};
const OTHERS = [
  ": OPENROUTER PROCESSING\n\n",
  "data: [DONE]\n\n",
  'event: ping\ndata: {"type": "ping"}\n\n',
  "data: not json\n\n",
  'data: {"two":\ndata: 1}\n\n',
  chat({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "Read", arguments: "" } }] }),
  `data: ${JSON.stringify({ id: "c1", choices: [{ index: 0, delta: { content: "end" }, finish_reason: "stop" }] })}\n\n`,
  named({ type: "content_block_stop", index: 1 } as { type: string }),
  gemini({ text: "signed", thoughtSignature: "abc" }),
  gemini({ text: "end" }, { finishReason: "STOP" }),
];

const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const anyEvent = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.values(WRITERS)), fc.array(anyText, { minLength: 1, maxLength: 6 }))
      .map(([write, texts]) => texts.map(write).join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
);

test("Texts, other events and their order survive any stream, cut into reads anywhere", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (events, cuts) => {
      const stream = events.join("");
      const whole = bytes(stream);
      const at = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
      const reads = [...at, whole.length].map((end, i) => whole.subarray(i === 0 ? 0 : at[i - 1]!, end));
      expect(meaning(coalesce(reads))).toEqual(meaning(stream));
    }),
    { numRuns: 400 },
  );
});

describe("Neighbours of one read become one event", () => {
  for (const [what, write] of Object.entries(WRITERS)) {
    test(what, () => {
      const joined = coalesce([bytes(["Hel", 'lo "', "wörld\n", "Hel", 'lo "', "wörld\n"].map(write).join(""))]);
      // The first events of a new shape may stay alone while the shape is being learned.
      expect(frames(joined).length).toBeLessThanOrEqual(what.startsWith("Responses") || what.includes("usage") ? 4 : 1);
      expect(meaning(joined).join("")).toContain('Hello "wörld\nHello "wörld\n');
    });
  }
});

test("A single event leaves exactly as it came, whatever its spelling", () => {
  const event = 'data: {"id":"c1","choices":[{"index":0,"delta":{"content":"\\u0041 \\/"}}],"future":1e2}\n\n';
  expect(coalesce([bytes(event)])).toBe(event);
});

test("Texts of two reads stay two events, so that what has arrived is shown at once", () => {
  const coalescer = createSseCoalescer();
  const write = WRITERS["chat content"]!;
  expect(coalescer.push(bytes(write("a")))).toBe(write("a"));
  expect(coalescer.push(bytes(write("b")))).toBe(write("b"));
});

test("An escaped surrogate pair that two events share is whole again", () => {
  const half = (text: string) => `data: {"id":"c1","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;
  const joined = coalesce([bytes(half("x") + half("\\ud83d") + half("\\ude00"))]);
  expect(meaning(joined)).toEqual(["chat c1 0 content: x😀"]);
});

test("An unfinished last event is handed on at the end of the body", () => {
  expect(coalesce([bytes('data: {"cut":')])).toBe('data: {"cut":');
});
