// OpenAI's chat completions as many servers speak them; what differs is in `servers.ts`.
// https://platform.openai.com/docs/api-reference/chat

import { askJson, bearer, completeUrl, type Endpoint, failureContext } from "./endpoint.ts";
import { describe, entries, readOpenAiEntry } from "./model-list.ts";
import type { ModelInfo, Provider } from "./provider.ts";
import { createSdkProvider } from "./sdk-provider.ts";
import type { Dialect } from "./sdk-request.ts";
import { type Server, serverOf } from "./servers.ts";

/** `list` replaces the question for `/models`. */
export function openOpenAiCompatible(
  given: Endpoint,
  list?: (signal: AbortSignal) => Promise<readonly ModelInfo[]>,
): Provider {
  const endpoint = { ...given, url: completeUrl(given.url, "/v1") };
  const server = serverOf(endpoint.type, endpoint.url);
  return createSdkProvider({
    name: endpoint.name,
    dialect: dialectOf(server, endpoint),
    failure: failureContext(endpoint),
    load: async () => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        name: NAMESPACE,
        baseURL: endpoint.url,
        ...(endpoint.token === "" ? {} : { apiKey: endpoint.token }),
        fetch: endpoint.transport.fetch,
        includeUsage: server.asksUsage,
        supportsStructuredOutputs: server.structured,
        transformRequestBody: (body) => arrange(body, server),
      });
    },
    list:
      list ??
      (async (signal) => {
        const answer = await askJson(endpoint, "models", signal, { headers: bearer(endpoint) });
        return entries(answer, "data").map((entry) => describe(endpoint.type, readOpenAiEntry(entry)));
      }),
  });
}

const NAMESPACE = "chat";

function dialectOf(server: Server, endpoint: Endpoint): Dialect {
  return {
    namespace: NAMESPACE,
    echoesReasoning: server.echoesReasoning,
    imagesInResults: false,
    effort: () => undefined,
    // What the SDK has no name for goes into the body as it is.
    options: ({ think, cacheKey, generation, responseFormat }) => {
      const effort = server.efforts[think];
      return {
        ...(effort === undefined ? {} : { reasoning_effort: effort }),
        ...(generation?.topK === undefined ? {} : { top_k: generation.topK }),
        ...(server.cacheKey !== undefined && cacheKey !== undefined
          ? { [server.cacheKey]: cacheKey.slice(0, 64) }
          : {}),
        ...(endpoint.type === "ollama" && endpoint.keepAlive !== undefined ? { keep_alive: endpoint.keepAlive } : {}),
        ...(responseFormat?.type === "json_schema" ? { strictJsonSchema: responseFormat.strict ?? false } : {}),
      };
    },
  };
}

/** Messages last: then a body continues the one before to the byte, as prompt caches like it. */
function arrange(body: Record<string, unknown>, server: Server): Record<string, unknown> {
  const { messages, max_tokens, ...rest } = body;
  const limit = max_tokens === undefined ? {} : { [server.maxTokens ?? "max_tokens"]: max_tokens };
  return { ...rest, ...limit, messages };
}
