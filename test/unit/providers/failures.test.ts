import { describe, expect, test } from "vitest";
import { toFailure } from "../../../src/providers/failures.ts";
import { SilenceError } from "../../../src/providers/transport.ts";

const CONTEXT = {
  host: "api.example.com",
  type: "openai",
  model: "big",
  secrets: ["topsecret"],
  keyFrom: "EXAMPLE_KEY",
};

/** As the SDKs throw it. */
function refusal(statusCode: number, body: unknown, headers: Record<string, string> = {}): Error {
  const responseBody = typeof body === "string" ? body : JSON.stringify(body);
  return Object.assign(new Error("refused"), { statusCode, responseBody, responseHeaders: headers });
}
const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe("The context is exhausted", () => {
  for (const [who, status, body] of [
    ["OpenAI", 400, said("Your input exceeds the context window of this model.", { code: "context_length_exceeded" })],
    ["Anthropic", 400, said("prompt is too long: 211110 tokens > 200000 maximum", { type: "invalid_request_error" })],
    ["Anthropic, with the output", 400, said("input length and `max_tokens` exceed context limit: 1 + 2 > 2")],
    ["Anthropic, in bytes", 413, said("Request exceeds the maximum size", { type: "request_too_large" })],
    [
      "Gemini",
      400,
      said("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", {
        status: "INVALID_ARGUMENT",
      }),
    ],
    ["llama.cpp", 400, said("the request exceeds the available context size", { type: "exceed_context_size_error" })],
    ["vLLM", 400, { message: "This model's maximum context length is 4096 tokens. However, you requested 5000." }],
    [
      "LM Studio",
      400,
      { error: "The number of tokens to keep from the initial prompt is greater than the context length" },
    ],
    ["Groq", 400, said("Please reduce the length of the messages or completion.")],
    [
      "Mistral",
      400,
      { message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length" },
    ],
    ["xAI", 400, { error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens." }],
  ] as const) {
    test(who, () => {
      expect(toFailure(refusal(status, body), CONTEXT)).toMatchObject({ kind: "context_exhausted", retryable: false });
    });
  }
});

describe("No credit is not a rate limit", () => {
  for (const [who, type, status, body, kind] of [
    [
      "OpenAI without quota",
      "openai",
      429,
      said("You exceeded your current quota", { code: "insufficient_quota" }),
      "credit_exhausted",
    ],
    [
      "OpenAI too fast",
      "openai",
      429,
      said("Rate limit reached for requests", { code: "rate_limit_exceeded" }),
      "rate_limit",
    ],
    [
      "Anthropic without credit",
      "anthropic",
      400,
      said("Your credit balance is too low to access the API."),
      "credit_exhausted",
    ],
    ["OpenRouter without credit", "openrouter", 402, said("This request requires more credits"), "credit_exhausted"],
    ["DeepSeek without balance", "openai-compatible", 402, said("Insufficient Balance"), "credit_exhausted"],
    [
      "Gemini too fast",
      "google",
      429,
      said("You exceeded your current quota, please check your plan", { status: "RESOURCE_EXHAUSTED" }),
      "rate_limit",
    ],
  ] as const) {
    test(who, () => {
      expect(toFailure(refusal(status, body), { ...CONTEXT, type }).kind).toBe(kind);
    });
  }
});

test.each([
  [401, said("bad key", { type: "authentication_error" }), "auth", false],
  [403, said("no access"), "auth", false],
  [400, said("API key not valid. Please pass a valid API key.", { status: "INVALID_ARGUMENT" }), "auth", false],
  [404, said("model: big", { type: "not_found_error" }), "model_unavailable", false],
  [404, { error: 'model "big" not found, try pulling it first' }, "model_unavailable", false],
  [
    400,
    said("The response was filtered due to the prompt triggering content management policy", {
      code: "content_filter",
    }),
    "content_filter",
    false,
  ],
  [422, { detail: "Extra inputs are not permitted" }, "bad_request", false],
  [308, "", "bad_request", false],
  [408, "", "timeout", true],
  [500, said("oops"), "server", true],
  [529, said("Overloaded", { type: "overloaded_error" }), "server", true],
] as const)("%i %j is %s", (status, body, kind, retryable) => {
  expect(toFailure(refusal(status, body), CONTEXT)).toMatchObject({ kind, status, retryable });
});

test("Network errors are found behind any number of wrappers", () => {
  const inner = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const failure = toFailure(new Error("outer", { cause: new Error("middle", { cause: inner }) }), CONTEXT);
  expect(failure).toEqual({
    kind: "network",
    message: "Nothing answers at api.example.com (connection refused). Check the address, or check the provider's url.",
    retryable: true,
  });
});

test("A local server that is not there is not asked again", () => {
  const error = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  expect(toFailure(error, { ...CONTEXT, host: "127.0.0.1:11434" })).toMatchObject({
    kind: "network",
    retryable: false,
  });
});

test("Silence is a timeout", () => {
  expect(toFailure(new SilenceError(300_000), CONTEXT)).toMatchObject({
    kind: "timeout",
    retryable: true,
    message: expect.stringContaining("300 s"),
  });
});

test("A wait is read from milliseconds, seconds or a date", () => {
  const wait = (headers: Record<string, string>) =>
    toFailure(refusal(429, said("slow"), headers), CONTEXT, () => Date.parse("2026-01-01T00:00:00Z")).retryAfterMs;
  expect(wait({ "retry-after-ms": "1500.5", "retry-after": "9" })).toBe(1500.5);
  expect(wait({ "retry-after": "9" })).toBe(9000);
  expect(wait({ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" })).toBe(30_000);
  expect(wait({ "retry-after": "soon" })).toBeUndefined();
});

test("Keys never appear, whatever a server repeats", () => {
  const { message } = toFailure(
    refusal(401, said("Incorrect key topsecret, sk-proj-abc***xyz, AIzaSyA1234567890abc")),
    CONTEXT,
  );
  expect(message).toBe(
    "The key was not accepted. api.example.com answered 401: Incorrect key [key], [key], [key]. Check EXAMPLE_KEY.",
  );
});

test("After an abort everything is a cancellation", () => {
  const failure = toFailure(new Error("socket hang up"), { ...CONTEXT, signal: AbortSignal.abort() });
  expect(failure).toEqual({ kind: "cancelled", message: "Cancelled.", retryable: false });
});

test("A page instead of an API is named as such", () => {
  const error = Object.assign(new Error("Unexpected token '<'"), { name: "AI_JSONParseError" });
  expect(toFailure(error, CONTEXT)).toMatchObject({
    kind: "server",
    message: expect.stringContaining("not of its protocol"),
  });
});
