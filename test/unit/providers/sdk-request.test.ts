import { expect, test } from "vitest";
import type { Message, Part } from "../../../src/protocol/message.ts";
import { markForAnthropic } from "../../../src/providers/cache-markers.ts";
import type { ModelRequest } from "../../../src/providers/provider.ts";
import { type Dialect, toCall } from "../../../src/providers/sdk-request.ts";

const DIALECT: Dialect = {
  namespace: "mine",
  echoesReasoning: true,
  imagesInResults: false,
  effort: (think) => (think === "high" ? "high" : undefined),
};
const signal = new AbortController().signal;

function request(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: "m", system: "sys", messages, tools: [], think: "off", signal, ...more };
}
const message = (role: Message["role"], ...parts: Part[]): Message => ({
  id: "i",
  role,
  kind: "normal",
  parts,
  at: "",
});
const promptOf = (messages: readonly Message[], dialect = DIALECT) =>
  toCall(request(messages), dialect).prompt.slice(1);
const image = { type: "image", mediaType: "image/png", data: "AAAA", name: "a.png" } as const;
const file = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" }, filename: "a.png" };

test("Images of results follow all results of a reply where the format has no place for them", () => {
  const results = [
    message("tool", { type: "tool-result", callId: "1", tool: "Read", text: "one", failed: false, images: [image] }),
    message("tool", { type: "tool-result", callId: "2", tool: "Ls", text: "two", failed: true }),
  ];
  expect(promptOf([...results, message("user", { type: "text", text: "next" })])).toEqual([
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "1", toolName: "Read", output: { type: "text", value: "one" } }],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "2", toolName: "Ls", output: { type: "error-text", value: "two" } }],
    },
    { role: "user", content: [{ type: "text", text: "Image from Read: a.png" }, file] },
    { role: "user", content: [{ type: "text", text: "next" }] },
  ]);
  expect(promptOf(results.slice(0, 1), { ...DIALECT, imagesInResults: true })).toEqual([
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "1",
          toolName: "Read",
          output: { type: "content", value: [{ type: "text", text: "one" }, file] },
        },
      ],
    },
  ]);
});

test("What has nothing to say is left out", () => {
  const empty = { type: "text", text: "" } as const;
  expect(
    promptOf([message("user", empty), message("assistant", empty), message("tool"), message("assistant")]),
  ).toEqual([]);
});

test("A message of an earlier request is the same object in the next one, and another for another format", () => {
  const said = message("user", { type: "text", text: "hello" });
  const more = message("assistant", { type: "text", text: "yes" });
  const [first] = promptOf([said]);
  const [again, next] = promptOf([said, more]);
  const [other] = promptOf([said], { ...DIALECT, namespace: "theirs" });
  expect(again).toBe(first);
  expect(next).toEqual({ role: "assistant", content: [{ type: "text", text: "yes" }] });
  expect(other).toEqual(first);
  expect(other).not.toBe(first);
});

test("Provider data goes back only to its own provider", () => {
  const parts: Part[] = [
    { type: "thinking", text: "a", provider: { mine: { signature: "s" }, other: { id: 1 } } },
    { type: "thinking", text: "b", provider: { other: { signature: "t" } } },
    { type: "text", text: "c", provider: { other: { id: 2 } } },
    { type: "tool-call", callId: "1", tool: "Ls", input: {}, provider: { mine: { item: 3 } } },
  ];
  expect(promptOf([message("assistant", ...parts)])).toEqual([
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "a", providerOptions: { mine: { signature: "s" } } },
        { type: "text", text: "c" },
        { type: "tool-call", toolCallId: "1", toolName: "Ls", input: {}, providerOptions: { mine: { item: 3 } } },
      ],
    },
  ]);
  const silent = promptOf([message("assistant", parts[0]!)], { ...DIALECT, echoesReasoning: false });
  expect(silent).toEqual([]);
});

test("Settings of the request reach the call, and only those that are set", () => {
  const generation = {
    temperature: 0.5,
    topP: 0.9,
    topK: 3,
    frequencyPenalty: 0.1,
    presencePenalty: 0.2,
    maxOutputTokens: 99,
    stop: ["END"],
    seed: 7,
  };
  const {
    prompt: _,
    abortSignal: __,
    ...call
  } = toCall(
    request([], {
      generation,
      think: "high",
      responseFormat: { type: "json_schema", name: "n", schema: { type: "object" } },
    }),
    DIALECT,
  );
  expect(call).toEqual({
    reasoning: "high",
    temperature: 0.5,
    topP: 0.9,
    topK: 3,
    frequencyPenalty: 0.1,
    presencePenalty: 0.2,
    maxOutputTokens: 99,
    stopSequences: ["END"],
    seed: 7,
    responseFormat: { type: "json", name: "n", schema: { type: "object" } },
  });
  expect(toCall(request([]), DIALECT)).toEqual({
    prompt: [{ role: "system", content: "sys" }],
    reasoning: "provider-default",
    abortSignal: signal,
  });
});

test("Cache markers stand at the last tool, the system prompt and the ends of this and the previous request", () => {
  const tools = ["A", "B"].map((name) => ({ name, description: "", parameters: {} }));
  const said = (role: Message["role"], text: string) => message(role, { type: "text", text });
  const result = message("tool", { type: "tool-result", callId: "1", tool: "A", text: "r", failed: false });
  const messages = [
    said("user", "1"),
    said("assistant", "2"),
    said("user", "3"),
    said("assistant", "4"),
    result,
    said("user", "5"),
  ];
  const call = markForAnthropic(toCall(request(messages, { tools }), DIALECT));
  const isMarked = (item: object) =>
    "providerOptions" in item &&
    JSON.stringify(item.providerOptions) === '{"anthropic":{"cacheControl":{"type":"ephemeral"}}}';
  expect(call.prompt.map(isMarked)).toEqual([true, false, false, true, false, false, true]);
  expect(call.tools?.map(isMarked)).toEqual([false, true]);
});
