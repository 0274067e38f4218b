import { afterAll, beforeAll, expect, test } from "vitest";
import { openNoop } from "../../../src/providers/noop.ts";
import type { ModelRequest, Provider, StreamPart } from "../../../src/providers/provider.ts";
import { openProvider, type ProviderConfig } from "../../../src/providers/registry.ts";
import { type ModelServer, startModelServer } from "../../helpers/model-server/model-server.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const signal = new AbortController().signal;
const request = { model: "m", system: "", messages: [], tools: [], think: "off", signal } as unknown as ModelRequest;

async function last(provider: Provider): Promise<StreamPart | undefined> {
  let end: StreamPart | undefined;
  for await (const part of provider.stream(request)) end = part;
  return end;
}

test.each([
  [{ name: "c", type: "copilot" }, "copilot are not supported yet"],
  [{ name: "c", type: "codex" }, "codex are not supported yet"],
  [{ name: "c", type: "openai-compatible" }, "c needs a url"],
  [{ name: "c", type: "ollama", url: "nowhere" }, "is not an address: nowhere"],
  [{ name: "c", type: "anthropic" }, "Set ANTHROPIC_API_KEY"],
] as const)("%j fails with what to do", async (config, words) => {
  const provider = openProvider(config as ProviderConfig, { env: {} });
  expect(await last(provider)).toMatchObject({
    type: "failed",
    failure: { kind: "bad_request", message: expect.stringContaining(words) },
  });
  await expect(provider.models(signal)).rejects.toMatchObject({
    name: "ProviderError",
    message: expect.stringContaining(words),
  });
});

test("A key of the environment is never sent to another host than its own", async () => {
  server.play({ text: ["ok"] });
  server.requests.length = 0;
  await last(
    openProvider({ name: "o", type: "openai", url: `${server.url}/v1` }, { env: { OPENAI_API_KEY: "sk-mine" } }),
  );
  expect(JSON.stringify(server.requests[0]?.headers)).not.toContain("sk-mine");
});

test("Only the models that the configuration lets through are listed", async () => {
  const open = (models: ProviderConfig["models"]) =>
    openProvider(
      { name: "o", type: "openai-compatible", url: `${server.url}/v1`, ...(models && { models }) },
      { env: {} },
    ).models(signal);
  expect(await open({ include: ["SERV*"] })).toEqual([{ name: "served", context: 4096 }]);
  expect(await open({ include: ["other"] })).toEqual([]);
  expect(await open({ exclude: ["s?rved"] })).toEqual([]);
});

test("Ollama's own lists say context, capabilities and size", async () => {
  const provider = openProvider({ name: "o", type: "ollama", url: server.url }, { env: {} });
  expect(await provider.models(signal)).toEqual([
    { name: "coder:7b", context: 8192, capabilities: ["tools", "vision"], parameters: 7.6 },
  ]);
});

test("OpenRouter's list says prices for a million tokens", async () => {
  const provider = openProvider(
    { name: "o", type: "openrouter", url: `${server.url}/openrouter/v1`, token: "k" },
    { env: {} },
  );
  expect(await provider.models(signal)).toEqual([
    {
      name: "maker/model",
      context: 5000,
      maxOutput: 500,
      price: { input: 2, output: 10, cacheRead: 0.2 },
      capabilities: ["tools", "vision", "thinking", "thinking_levels"],
    },
  ]);
});

test("A list that is refused throws what is wrong", async () => {
  const provider = openProvider({ name: "o", type: "openai-compatible", url: `${server.url}/missing/v2` }, { env: {} });
  await expect(provider.models(signal).then((list) => list.length)).resolves.toBe(1);
  await expect(
    openProvider({ name: "g", type: "ollama", url: "http://127.0.0.1:1" }, { env: {} }).models(signal),
  ).rejects.toMatchObject({ failure: { kind: "network", message: expect.stringContaining("127.0.0.1:1") } });
});

test("The provider of a dry run answers [noop]", async () => {
  const parts: StreamPart[] = [];
  for await (const part of openNoop("noop").stream(request)) parts.push(part);
  expect(parts).toEqual([
    { type: "text", delta: "[noop]" },
    { type: "part", part: { type: "text", text: "[noop]" } },
    { type: "finished", reason: "stop", usage: { input: 0, output: 0 } },
  ]);
});
