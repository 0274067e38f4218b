// The differences between servers that speak OpenAI's chat completions.

import type { ThinkLevel } from "../protocol/status.ts";

export interface Server {
  /** The levels that may be sent as `reasoning_effort`; a server that does not know one refuses the request. */
  readonly efforts: Partial<Record<ThinkLevel, string>>;
  /** Whether thinking goes back as `reasoning_content`; some refuse the field. */
  readonly echoesReasoning: boolean;
  /** Whether usage has to be asked for with `stream_options`. */
  readonly asksUsage: boolean;
  /** JSON Schema in `response_format`. */
  readonly structured: boolean;
  /** The name of the field that routes to a warm prompt cache. */
  readonly cacheKey?: string;
  /** The newer name of `max_tokens`. */
  readonly maxTokens?: string;
}

const LEVELS = { low: "low", medium: "medium", high: "high" } as const;
const PLAIN: Server = { efforts: LEVELS, echoesReasoning: true, asksUsage: true, structured: true };

/** First match wins: the provider's type where it says enough, else the host of its url. */
const SERVERS: readonly { readonly type?: string; readonly host?: RegExp; readonly server: Server }[] = [
  { type: "ollama", server: { ...PLAIN, efforts: { ...LEVELS, off: "none" } } },
  { type: "llamacpp", server: { ...PLAIN, efforts: {} } },
  {
    host: /(^|\.)openai\.com$/,
    server: { ...PLAIN, echoesReasoning: false, cacheKey: "prompt_cache_key", maxTokens: "max_completion_tokens" },
  },
  { host: /(^|\.)groq\.com$/, server: { ...PLAIN, echoesReasoning: false, maxTokens: "max_completion_tokens" } },
  // Mistral refuses fields it does not know, and sends usage unasked.
  { host: /(^|\.)mistral\.ai$/, server: { ...PLAIN, efforts: {}, echoesReasoning: false, asksUsage: false } },
  { host: /(^|\.)deepseek\.com$/, server: { ...PLAIN, efforts: {}, structured: false } },
  { host: /(^|\.)x\.ai$/, server: { ...PLAIN, efforts: { low: "low", high: "high" }, echoesReasoning: false } },
  { host: /(^|\.)cerebras\.ai$/, server: { ...PLAIN, echoesReasoning: false } },
];

/** `PLAIN` for all that is not in the table: vLLM, LM Studio, Together, Fireworks and their like. */
export function serverOf(type: string, url: string): Server {
  const { hostname } = new URL(url);
  return SERVERS.find((row) => row.type === type || row.host?.test(hostname))?.server ?? PLAIN;
}
