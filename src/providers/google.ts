// Gemini generateContent: https://ai.google.dev/api/generate-content

import { askJson, completeUrl, type Endpoint, failureContext } from "./endpoint.ts";
import { describe, entries, readGoogleEntry } from "./model-list.ts";
import type { Provider } from "./provider.ts";
import { createSdkProvider } from "./sdk-provider.ts";
import type { Dialect } from "./sdk-request.ts";

export function openGoogle(given: Endpoint): Provider {
  const endpoint = { ...given, url: completeUrl(given.url, "/v1beta") };
  return createSdkProvider({
    name: endpoint.name,
    dialect,
    failure: failureContext(endpoint),
    load: async () => {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ baseURL: endpoint.url, apiKey: endpoint.token, fetch: endpoint.transport.fetch });
    },
    list: async (signal) => {
      const list = await askJson(endpoint, "models?pageSize=1000", signal, {
        headers: { "x-goog-api-key": endpoint.token },
      });
      return entries(list, "models").flatMap((entry) => {
        const info = readGoogleEntry(entry);
        return info === undefined ? [] : [describe("google", info)];
      });
    },
  });
}

const dialect: Dialect = {
  namespace: "google",
  echoesReasoning: true,
  imagesInResults: true,
  effort: (think, { model, generation }) => {
    if (!/^gemini-(2\.5|[3-9])/.test(model) || generation?.thinkBudget !== undefined) return undefined;
    if (think === "off") return /2\.5-flash/.test(model) ? "none" : undefined;
    return think === "on" ? undefined : think;
  },
  options: ({ model, think, generation }) => {
    if (think === "off" || !/^gemini-(2\.5|[3-9])/.test(model)) return undefined;
    const budget = generation?.thinkBudget;
    return { thinkingConfig: { includeThoughts: true, ...(budget === undefined ? {} : { thinkingBudget: budget }) } };
  },
};
