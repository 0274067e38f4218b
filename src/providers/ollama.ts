// Ollama: chat through its OpenAI-compatible face, models through its own (https://docs.ollama.com/api).

import { askJson, bearer, completeUrl, type Endpoint } from "./endpoint.ts";
import { describe, entries, readOllamaModel } from "./model-list.ts";
import { openOpenAiCompatible } from "./openai-compatible.ts";
import type { ModelInfo, Provider } from "./provider.ts";

export function openOllama(endpoint: Endpoint): Provider {
  const own = { ...endpoint, url: completeUrl(endpoint.url, "").replace(/\/v1$/, "") };
  return openOpenAiCompatible({ ...endpoint, url: `${own.url}/v1` }, (signal) => listModels(own, signal));
}

async function listModels(endpoint: Endpoint, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const headers = bearer(endpoint);
  const list = await askJson(endpoint, "api/tags", signal, { headers });
  const names = entries(list, "models").map((entry) => String(entry["name"] ?? entry["model"]));
  return Promise.all(
    names.map(async (name) => {
      const shown = await askJson(endpoint, "api/show", signal, { headers, body: { model: name } }).catch(
        () => undefined,
      );
      return describe("ollama", readOllamaModel(name, shown));
    }),
  );
}
