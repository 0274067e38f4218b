import { expect, test } from "vitest";
import type { Provider } from "../../../src/providers/provider.ts";
import { createTransport } from "../../../src/providers/transport.ts";
import { chooseModel, createProbe, detect, type Probe } from "../../../src/providers/zero-config.ts";
import { startModelServer } from "../../helpers/model-server/model-server.ts";

const never: Probe = (url) => Promise.reject(new Error(`${url} was asked`));

test.each([
  [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "o" }, "anthropic", "claude-sonnet-5-5", "ANTHROPIC_API_KEY"],
  [{ OPENAI_API_KEY: "k" }, "openai", "gpt-6.1-sol", "OPENAI_API_KEY"],
  [{ OPENAI_API_KEY: "k", OPENAI_MODEL: "gpt-5.2" }, "openai", "gpt-5.2", "OPENAI_API_KEY"],
  [{ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://api.openai.com/v1" }, "openai", "gpt-6.1-sol", "OPENAI_API_KEY"],
  [{ GOOGLE_API_KEY: "k" }, "google", "gemini-3.8-flash", "GOOGLE_API_KEY"],
  [{ OPENROUTER_API_KEY: "k" }, "openrouter", "openai/gpt-6.1-sol", "OPENROUTER_API_KEY"],
  [{ GROQ_API_KEY: "k" }, "groq", "openai/gpt-oss-120b", "GROQ_API_KEY"],
])("%j chooses %s without any request", async (env, name, model, variable) => {
  const found = await detect(env, never);
  expect(found).toMatchObject({ config: { name, token: "k" }, model });
  expect(found?.because).toContain(variable);
  expect(found?.because).toContain(model);
});

test("OPENAI_BASE_URL of another host is a compatible server, and no model means the server is to be asked later", async () => {
  const env = { OPENAI_BASE_URL: "http://127.0.0.1:9999/v1", OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "a" };
  expect(await detect(env, never)).toEqual({
    config: { name: "openai-compatible", type: "openai-compatible", url: "http://127.0.0.1:9999/v1", token: "k" },
    because: "Using a model of 127.0.0.1:9999, because OPENAI_BASE_URL is set.",
  });
  expect(await detect({ ...env, OPENAI_MODEL: "m" }, never)).toMatchObject({ model: "m" });
});

test("Without a key the first local server with a usable model is taken, and only this machine is asked", async () => {
  const asked: string[] = [];
  const probe: Probe = async (url) => {
    asked.push(url);
    if (url.includes(":8080")) return { anything: "else" };
    if (url.includes(":11434")) return { models: [{ name: "nomic-embed-text" }] };
    if (url.includes(":8000")) return { data: [{ id: "llama-3.1-8b" }, { id: "qwen3-coder-30b" }] };
    return undefined;
  };
  expect(await detect({}, probe)).toEqual({
    config: { name: "vllm", type: "openai-compatible", url: "http://127.0.0.1:8000/v1" },
    model: "qwen3-coder-30b",
    because: "Using qwen3-coder-30b of the vLLM server on this machine.",
  });
  expect(asked.every((url) => url.startsWith("http://127.0.0.1:"))).toBe(true);
  expect(asked).toHaveLength(4);
});

test("With nothing at all there is nothing", async () => {
  expect(await detect({ ANTHROPIC_API_KEY: "" }, async () => undefined)).toBeUndefined();
});

test("A model that cannot call tools is the last choice", async () => {
  const models = [
    { name: "some-coder", capabilities: [] },
    { name: "plain", capabilities: ["tools"] as const },
  ];
  const provider = { name: "p", models: async () => models } as unknown as Provider;
  expect(await chooseModel(provider, new AbortController().signal)).toEqual(models[1]);
});

test("A probe answers with what it found, and with nothing for anything else", async () => {
  const server = await startModelServer();
  const transport = createTransport();
  const probe = createProbe(transport.fetch);
  expect(await probe(`${server.url}/v1/models`, 5000)).toEqual({ data: [{ id: "served", max_model_len: 4096 }] });
  expect(await probe(`${server.url}/nothing`, 5000)).toBeUndefined();
  expect(await probe("http://127.0.0.1:1/v1/models", 5000)).toBeUndefined();
  transport.close();
  await server.close();
});
