// Anthropic messages: https://docs.anthropic.com/en/api/messages

import { markForAnthropic } from "./cache-markers.ts";
import { askJson, completeUrl, type Endpoint, failureContext } from "./endpoint.ts";
import { describe, entries, readAnthropicEntry } from "./model-list.ts";
import { lookUp } from "./model-table.ts";
import type { Provider } from "./provider.ts";
import { createSdkProvider } from "./sdk-provider.ts";
import type { Dialect } from "./sdk-request.ts";

export function openAnthropic(given: Endpoint): Provider {
  const endpoint = { ...given, url: completeUrl(given.url, "/v1") };
  return createSdkProvider({
    name: endpoint.name,
    dialect,
    failure: failureContext(endpoint),
    load: async () => {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL: endpoint.url, apiKey: endpoint.token, fetch: endpoint.transport.fetch });
    },
    list: async (signal) => {
      const headers = { "x-api-key": endpoint.token, "anthropic-version": "2023-06-01" };
      const list = await askJson(endpoint, "models?limit=1000", signal, { headers });
      return entries(list, "data").map((entry) => describe("anthropic", readAnthropicEntry(entry)));
    },
  });
}

const dialect: Dialect = {
  namespace: "anthropic",
  echoesReasoning: true,
  imagesInResults: true,
  effort: (think, { generation }) => {
    // Models that cannot stop thinking get their lowest setting; the SDK knows which.
    if (think === "off") return "none";
    if (generation?.thinkBudget !== undefined) return undefined;
    return think === "on" ? "medium" : think;
  },
  options: ({ think, generation }) => {
    if (think === "off" || generation?.thinkBudget === undefined) return undefined;
    return { thinking: { type: "enabled", budgetTokens: generation.thinkBudget } };
  },
  mark: (call, request) => {
    // The protocol demands a limit, and the SDK's own guess for a model it does not know may be refused.
    const maxOutputTokens = call.maxOutputTokens ?? lookUp("anthropic", request.model)?.maxOutput;
    return markForAnthropic({ ...call, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) });
  },
};
