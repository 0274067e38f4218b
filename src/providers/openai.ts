// OpenAI Responses, stateless: nothing is stored, encrypted reasoning travels with the messages.
// https://platform.openai.com/docs/api-reference/responses

import { askJson, bearer, completeUrl, type Endpoint, failureContext } from "./endpoint.ts";
import { describe, entries, readOpenAiEntry } from "./model-list.ts";
import type { Provider } from "./provider.ts";
import { createSdkProvider } from "./sdk-provider.ts";
import type { Dialect } from "./sdk-request.ts";

export function openOpenAi(given: Endpoint): Provider {
  const endpoint = { ...given, url: completeUrl(given.url, "/v1") };
  return createSdkProvider({
    name: endpoint.name,
    dialect,
    failure: failureContext(endpoint),
    load: async () => {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI({ baseURL: endpoint.url, apiKey: endpoint.token, fetch: endpoint.transport.fetch });
      return (id) => openai.responses(id);
    },
    list: async (signal) => {
      const list = await askJson(endpoint, "models", signal, { headers: bearer(endpoint) });
      return entries(list, "data").map((entry) => describe("openai", readOpenAiEntry(entry)));
    },
  });
}

const dialect: Dialect = {
  namespace: "openai",
  echoesReasoning: true,
  imagesInResults: true,
  effort: (think, { model }) => {
    if (!reasons(model)) return undefined;
    if (think === "on") return undefined;
    if (think === "off") return leastEffort(model);
    return think;
  },
  options: ({ model, think, cacheKey, responseFormat }) => ({
    store: false,
    ...(reasons(model)
      ? { reasoningSummary: think === "off" ? null : "auto", include: ["reasoning.encrypted_content"] }
      : {}),
    ...(cacheKey === undefined ? {} : { promptCacheKey: cacheKey.slice(0, 64) }),
    ...(responseFormat?.type === "json_schema" ? { strictJsonSchema: responseFormat.strict ?? false } : {}),
  }),
};

/** Not every model can stop thinking altogether. */
function leastEffort(model: string): "none" | "minimal" | "low" {
  if (/^gpt-5\.[1-6]|^gpt-6-(sol|luna)/.test(model)) return "none";
  return /^gpt-5/.test(model) ? "minimal" : "low";
}

/** The models that think; the others refuse to be asked about it. */
function reasons(model: string): boolean {
  return /^(o\d|gpt-[5-9]|codex)/.test(model) && !/-chat/.test(model);
}
