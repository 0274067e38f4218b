// What servers say about their models, as ModelInfo. Outside data: every field may be missing or of another type.

import { lookUp } from "./model-table.ts";
import type { ModelInfo } from "./provider.ts";

type Json = Record<string, unknown>;
type Capability = NonNullable<ModelInfo["capabilities"]>[number];

/** What a server said, completed from our table. */
export function describe(type: string, said: ModelInfo): ModelInfo {
  return { ...lookUp(type, said.name), ...said };
}

export function entries(list: unknown, field: string): Json[] {
  const items = isJson(list) ? list[field] : list;
  return Array.isArray(items) ? items.filter(isJson) : [];
}

/** One entry of an OpenAI-style `/models`, with the fields that vLLM, llama.cpp, Groq, LM Studio and others add. */
export function readOpenAiEntry(entry: Json): ModelInfo {
  const meta = isJson(entry["meta"]) ? entry["meta"] : {};
  const context = firstNumber(
    entry["loaded_context_length"],
    entry["max_model_len"],
    meta["n_ctx"],
    entry["context_length"],
    entry["context_window"],
    entry["max_context_length"],
    meta["n_ctx_train"],
  );
  const maxOutput = firstNumber(entry["max_completion_tokens"], entry["max_output_tokens"]);
  const size = firstNumber(meta["n_params"]);
  return {
    name: String(entry["id"] ?? ""),
    ...(context === undefined ? {} : { context }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(size === undefined ? {} : { parameters: Math.round(size / 1e8) / 10 }),
  };
}

export function readAnthropicEntry(entry: Json): ModelInfo {
  const context = firstNumber(entry["max_input_tokens"], entry["context_window"]);
  const maxOutput = firstNumber(entry["max_tokens"]);
  return {
    name: String(entry["id"] ?? ""),
    ...(context === undefined ? {} : { context }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
  };
}

export function readGoogleEntry(entry: Json): ModelInfo | undefined {
  const methods = entry["supportedGenerationMethods"];
  if (Array.isArray(methods) && !methods.includes("generateContent")) return undefined;
  const context = firstNumber(entry["inputTokenLimit"]);
  const maxOutput = firstNumber(entry["outputTokenLimit"]);
  return {
    name: String(entry["name"] ?? "").replace(/^models\//, ""),
    ...(context === undefined ? {} : { context }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(entry["thinking"] === true ? { capabilities: ["tools", "thinking"] as const } : {}),
  };
}

/** OpenRouter prices are dollars per token, as text. */
export function readOpenRouterEntry(entry: Json): ModelInfo {
  const prices = isJson(entry["pricing"]) ? entry["pricing"] : {};
  const perMillion = (value: unknown) => {
    const price = Number.parseFloat(String(value));
    return Number.isFinite(price) && price >= 0 ? Math.round(price * 1e12) / 1e6 : undefined;
  };
  const input = perMillion(prices["prompt"]);
  const output = perMillion(prices["completion"]);
  const cacheRead = perMillion(prices["input_cache_read"]);
  const cacheWrite = perMillion(prices["input_cache_write"]);
  const top = isJson(entry["top_provider"]) ? entry["top_provider"] : {};
  const maxOutput = firstNumber(top["max_completion_tokens"]);
  const supported = Array.isArray(entry["supported_parameters"]) ? entry["supported_parameters"] : [];
  const modalities = isJson(entry["architecture"]) ? entry["architecture"]["input_modalities"] : undefined;
  const capabilities: Capability[] = [
    ...(supported.includes("tools") ? ["tools" as const] : []),
    ...(Array.isArray(modalities) && modalities.includes("image") ? ["vision" as const] : []),
    ...(supported.includes("reasoning") ? ["thinking" as const, "thinking_levels" as const] : []),
  ];
  return {
    ...readOpenAiEntry(entry),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(input === undefined || output === undefined
      ? {}
      : {
          price: {
            input,
            output,
            ...(cacheRead === undefined ? {} : { cacheRead }),
            ...(cacheWrite === undefined ? {} : { cacheWrite }),
          },
        }),
    ...(supported.length > 0 ? { capabilities } : {}),
  };
}

/** The answer of Ollama's `/api/show`. */
export function readOllamaModel(name: string, shown: unknown): ModelInfo {
  if (!isJson(shown)) return { name };
  const info = isJson(shown["model_info"]) ? shown["model_info"] : {};
  const trained = firstNumber(
    ...Object.keys(info)
      .filter((key) => key.endsWith(".context_length"))
      .map((key) => info[key]),
  );
  // `num_ctx` of the Modelfile is what the server really loads.
  const loaded = /^num_ctx\s+(\d+)/m.exec(String(shown["parameters"] ?? ""))?.[1];
  const context = loaded === undefined ? trained : Number(loaded);
  const details = isJson(shown["details"]) ? shown["details"] : {};
  const size = /^([\d.]+)\s*([BM])$/i.exec(String(details["parameter_size"] ?? ""));
  const said = Array.isArray(shown["capabilities"]) ? shown["capabilities"] : undefined;
  const known: readonly Capability[] = ["tools", "vision", "thinking", "embedding"];
  return {
    name,
    ...(context === undefined ? {} : { context }),
    ...(said === undefined ? {} : { capabilities: known.filter((capability) => said.includes(capability)) }),
    ...(size === null ? {} : { parameters: Number(size[1]) / (size[2]?.toUpperCase() === "M" ? 1000 : 1) }),
  };
}

function firstNumber(...values: unknown[]): number | undefined {
  for (const value of values) if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  return undefined;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
