// OpenRouter: chat completions with its own way of returning reasoning. https://openrouter.ai/docs

import { askJson, bearer, completeUrl, type Endpoint, failureContext } from "./endpoint.ts";
import { entries, readOpenRouterEntry } from "./model-list.ts";
import type { Provider } from "./provider.ts";
import { createSdkProvider } from "./sdk-provider.ts";
import type { Dialect } from "./sdk-request.ts";

export function openOpenRouter(given: Endpoint): Provider {
  const endpoint = { ...given, url: completeUrl(given.url, "/api/v1") };
  return createSdkProvider({
    name: endpoint.name,
    dialect,
    failure: failureContext(endpoint),
    load: async () => {
      const { createOpenRouter } = await import("@openrouter/ai-sdk-provider");
      // The SDKs' own switch: their warnings would be written into the middle of a screen.
      Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
      const openrouter = createOpenRouter({
        baseURL: endpoint.url,
        apiKey: endpoint.token,
        fetch: endpoint.transport.fetch,
        compatibility: "strict",
      });
      return (id) => openrouter.chat(id);
    },
    list: async (signal) => {
      const list = await askJson(endpoint, "models", signal, { headers: bearer(endpoint) });
      return entries(list, "data").map(readOpenRouterEntry);
    },
  });
}

const dialect: Dialect = {
  namespace: "openrouter",
  echoesReasoning: true,
  imagesInResults: false,
  effort: () => undefined,
  options: ({ model, think, generation }) => ({
    usage: { include: true },
    ...(think === "on" && generation?.thinkBudget === undefined ? { reasoning: { enabled: true } } : {}),
    ...(think === "off" ? { reasoning: { enabled: false } } : {}),
    ...(think !== "on" && think !== "off" ? { reasoning: { effort: think } } : {}),
    ...(think !== "off" && generation?.thinkBudget !== undefined
      ? { reasoning: { max_tokens: generation.thinkBudget } }
      : {}),
    // Anthropic's models cache only on request; OpenRouter places the markers itself.
    ...(model.startsWith("anthropic/") ? { cache_control: { type: "ephemeral" } } : {}),
  }),
};
