// What each format's requests say besides the conversation.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ModelRequest } from "../../../src/providers/provider.ts";
import { openProvider, type ProviderConfig } from "../../../src/providers/registry.ts";
import { serverOf } from "../../../src/providers/servers.ts";
import { type ModelServer, startModelServer } from "../../helpers/model-server/model-server.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  server.play({ text: ["ok"] });
});

const TOOL = { name: "Ls", description: "Lists.", parameters: { type: "object", properties: {} } };

/** The body and headers of one request. */
async function sent(config: Omit<ProviderConfig, "name" | "url"> & { path: string }, more: Partial<ModelRequest>) {
  const { path, ...rest } = config;
  const provider = openProvider({ name: "p", url: server.url + path, token: "key-1", ...rest }, { env: {} });
  const messages = [{ id: "1", role: "user", kind: "normal", at: "", parts: [{ type: "text", text: "hi" }] }] as const;
  const signal = new AbortController().signal;
  const request = {
    model: "m",
    system: "sys",
    messages,
    tools: [TOOL],
    think: "off",
    cacheKey: "session-1",
    signal,
    ...more,
  } as const;
  for await (const part of provider.stream(request)) if (part.type === "failed") throw new Error(part.failure.message);
  return server.requests.at(-1)!;
}

describe("OpenAI Responses", () => {
  const config = { type: "openai", path: "/v1" } as const;

  test("nothing is stored; encrypted reasoning and a cache key travel along", async () => {
    const { body, headers } = await sent(config, { model: "gpt-5.2", think: "low" });
    expect(body).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "session-1",
      reasoning: { effort: "low", summary: "auto" },
    });
    expect(headers.authorization).toBe("Bearer key-1");
  });

  test("thinking is turned off as far as each model allows", async () => {
    for (const [model, reasoning] of [
      ["gpt-5.2", { effort: "none" }],
      ["gpt-5-mini", { effort: "minimal" }],
      ["o3", { effort: "low" }],
      ["gpt-4.1", undefined],
    ] as const) {
      expect((await sent(config, { model })).body.reasoning).toEqual(reasoning);
    }
  });
});

describe("Anthropic", () => {
  const config = { type: "anthropic", path: "/v1" } as const;

  test("cache markers, the key, and the longest output the model can write", async () => {
    const { body, headers } = await sent(config, { model: "claude-opus-4-5" });
    const mark = { cache_control: { type: "ephemeral" } };
    expect(body.system).toEqual([{ type: "text", text: "sys", ...mark }]);
    expect(body.tools.at(-1)).toMatchObject(mark);
    expect(body.messages).toEqual([{ role: "user", content: [{ type: "text", text: "hi", ...mark }] }]);
    expect(body.max_tokens).toBe(64_000);
    expect(headers["x-api-key"]).toBe("key-1");
  });

  test("a thinking budget is kept", async () => {
    const { body } = await sent(config, { model: "claude-sonnet-4-5", think: "on", generation: { thinkBudget: 2048 } });
    expect(body.thinking).toEqual({ type: "enabled", budget_tokens: 2048 });
  });
});

describe("chat completions", () => {
  test("messages come last, so that one body continues the one before; usage is asked for", async () => {
    const { body } = await sent(
      { type: "openai-compatible", path: "/v1" },
      { generation: { maxOutputTokens: 9, topK: 4 } },
    );
    expect(Object.keys(body).at(-1)).toBe("messages");
    expect(body).toMatchObject({
      stream_options: { include_usage: true },
      max_tokens: 9,
      top_k: 4,
      tools: [{ type: "function" }],
    });
    expect(body.reasoning_effort).toBeUndefined();
  });

  test("Ollama is told how long a model stays loaded, and when not to think", async () => {
    const { body, path } = await sent({ type: "ollama", path: "", keepAlive: "10m" }, {});
    expect(path).toBe("/v1/chat/completions");
    expect(body).toMatchObject({ keep_alive: "10m", reasoning_effort: "none" });
  });

  test("the table knows what some hosts refuse", () => {
    expect(serverOf("openai-compatible", "https://api.groq.com/openai/v1").echoesReasoning).toBe(false);
    expect(serverOf("openai-compatible", "https://api.mistral.ai/v1").asksUsage).toBe(false);
    expect(serverOf("openai-compatible", "https://api.openai.com/v1").maxTokens).toBe("max_completion_tokens");
    expect(serverOf("openai-compatible", "https://example.com/v1")).toEqual(
      serverOf("openai-compatible", "http://127.0.0.1:8000"),
    );
  });
});

test("Gemini is asked for its thoughts", async () => {
  const { body, headers } = await sent({ type: "google", path: "/v1beta" }, { model: "gemini-2.5-pro", think: "on" });
  expect(body.generationConfig.thinkingConfig).toEqual({ includeThoughts: true });
  expect(headers["x-goog-api-key"]).toBe("key-1");
});

test("OpenRouter places cache markers for Anthropic's models, and reports usage", async () => {
  const { body } = await sent(
    { type: "openrouter", path: "/openrouter/v1" },
    { model: "anthropic/claude-sonnet-5.5", think: "high" },
  );
  expect(body).toMatchObject({
    cache_control: { type: "ephemeral" },
    usage: { include: true },
    reasoning: { effort: "high" },
  });
  expect((await sent({ type: "openrouter", path: "/openrouter/v1" }, {})).body.cache_control).toBeUndefined();
});
