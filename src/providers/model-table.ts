// What is known of models without asking anyone: context window, longest output, price. As published by the makers in
// November 2026, standard tier and the shorter of two context bands; a server's own answer always wins over this.

import type { ModelInfo } from "./provider.ts";

type Price = NonNullable<ModelInfo["price"]>;

/**
 * The longest prefix of `model` wins, without regard to case, dates or the maker's name before a slash. Prices only for
 * the provider types that charge them: the same open model costs nothing at home and something else elsewhere.
 */
export function lookUp(type: string, model: string): ModelInfo | undefined {
  const bare = model
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/^(claude-[a-z]+-\d+)\.(\d)/, "$1-$2");
  let found: Row | undefined;
  for (const row of ROWS) if (bare.startsWith(row[0]) && row[0].length > (found?.[0].length ?? 0)) found = row;
  if (found === undefined) return undefined;
  const [, makers, context, maxOutput, capabilities, price] = found;
  return {
    name: model,
    context: context * 1000,
    ...(maxOutput === undefined ? {} : { maxOutput: maxOutput * 1000 }),
    capabilities: CAPABILITIES[capabilities],
    ...(price !== undefined && makers.includes(type) ? { price } : {}),
  };
}

const CAPABILITIES = {
  plain: ["tools"],
  sees: ["tools", "vision"],
  thinks: ["tools", "thinking"],
  all: ["tools", "vision", "thinking", "thinking_levels"],
} as const;

const CLAUDE = ["anthropic"];
const GPT = ["openai", "openai-compatible", "codex"];
const GEMINI = ["google"];
const OPEN: readonly string[] = [];

function per(input: number, output: number, cacheRead: number, cacheWrite?: number): Price {
  return { input, output, cacheRead, ...(cacheWrite === undefined ? {} : { cacheWrite }) };
}

/** Prefix, provider types that charge the price, context and output in thousands of tokens, dollars per million. */
type Row = readonly [string, readonly string[], number, number | undefined, keyof typeof CAPABILITIES, Price?];

const ROWS: readonly Row[] = [
  ["claude-fable-5", CLAUDE, 1000, 128, "all", per(10, 50, 1, 12.5)],
  ["claude-fable-5-1", CLAUDE, 1000, 128, "all", per(10, 50, 0.25, 12.5)],
  ["claude-opus-5-5", CLAUDE, 1000, 128, "all", per(4, 20, 0.2, 5)],
  ["claude-opus-5", CLAUDE, 1000, 128, "all", per(5, 25, 0.5, 6.25)],
  ["claude-opus-4-8", CLAUDE, 1000, 128, "all", per(5, 25, 0.5, 6.25)],
  ["claude-opus-4-7", CLAUDE, 1000, 128, "all", per(5, 25, 0.5, 6.25)],
  ["claude-opus-4-6", CLAUDE, 200, 128, "all", per(5, 25, 0.5, 6.25)],
  ["claude-opus-4-5", CLAUDE, 200, 64, "all", per(5, 25, 0.5, 6.25)],
  ["claude-opus-4", CLAUDE, 200, 32, "all", per(15, 75, 1.5, 18.75)],
  ["claude-sonnet-5-5", CLAUDE, 1000, 128, "all", per(2, 10, 0.1, 2.5)],
  ["claude-sonnet-5", CLAUDE, 1000, 128, "all", per(2, 10, 0.2, 2.5)],
  ["claude-sonnet-4", CLAUDE, 200, 64, "all", per(3, 15, 0.3, 3.75)],
  ["claude-haiku-5-5", CLAUDE, 1000, 128, "all", per(0.1, 0.5, 0.01, 0.125)],
  ["claude-haiku-4-5", CLAUDE, 200, 64, "all", per(1, 5, 0.1, 1.25)],
  ["claude-3-haiku", CLAUDE, 200, 4.096, "sees", per(0.25, 1.25, 0.03, 0.3)],
  ["claude", CLAUDE, 200, undefined, "all"],

  ["gpt-6.1-sol", GPT, 1050, 128, "all", per(2, 10, 0.1, 2.5)],
  ["gpt-6.1-terra", GPT, 1050, 128, "all", per(1, 5, 0.05, 1.25)],
  ["gpt-6-astra", GPT, 1050, 128, "all", per(10, 50, 1)],
  ["gpt-6-sol", GPT, 1050, 128, "all", per(2, 10, 0.2, 2.5)],
  ["gpt-6-luna", GPT, 1050, 128, "all", per(0.1, 0.5, 0.01, 0.125)],
  ["gpt-6", GPT, 1050, 128, "all"],
  ["gpt-5.6", GPT, 1050, 128, "all", per(4, 20, 0.4)],
  ["gpt-5.6-terra", GPT, 1050, 128, "all", per(2, 12, 0.2)],
  ["gpt-5.6-luna", GPT, 1050, 128, "all", per(0.2, 1.2, 0.02)],
  ["gpt-5.5", GPT, 1050, 128, "all", per(5, 30, 0.5)],
  ["gpt-5.5-pro", GPT, 1050, 128, "all", per(30, 180, 3)],
  ["gpt-5.4", GPT, 1050, 128, "all", per(2.5, 15, 0.25)],
  ["gpt-5.4-pro", GPT, 1050, 128, "all", per(30, 180, 3)],
  ["gpt-5.4-mini", GPT, 400, 128, "all", per(0.75, 4.5, 0.075)],
  ["gpt-5.4-nano", GPT, 400, 128, "all"],
  ["gpt-5.3", GPT, 400, 128, "all", per(1.75, 14, 0.175)],
  ["gpt-5.2", GPT, 400, 128, "all", per(1.75, 14, 0.175)],
  ["gpt-5", GPT, 400, 128, "all", per(1.25, 10, 0.125)],
  ["gpt-5-chat", GPT, 128, 16.384, "sees", per(1.25, 10, 0.125)],
  ["gpt-5-mini", GPT, 400, 128, "all", per(0.25, 2, 0.025)],
  ["gpt-5-nano", GPT, 400, 128, "all", per(0.05, 0.4, 0.005)],
  ["gpt-4.1", GPT, 1047.576, 32.768, "sees", per(2, 8, 0.5)],
  ["gpt-4.1-mini", GPT, 1047.576, 32.768, "sees", per(0.4, 1.6, 0.1)],
  ["gpt-4.1-nano", GPT, 1047.576, 32.768, "sees", per(0.1, 0.4, 0.025)],
  ["gpt-4o", GPT, 128, 16.384, "sees", per(2.5, 10, 1.25)],
  ["gpt-4o-mini", GPT, 128, 16.384, "sees", per(0.15, 0.6, 0.075)],
  ["o3", GPT, 200, 100, "all", per(2, 8, 0.5)],
  ["o4-mini", GPT, 200, 100, "all", per(1.1, 4.4, 0.275)],
  ["gpt-oss", OPEN, 131.072, undefined, "thinks"],

  // The price until the end of November 2026 is half of this.
  ["gemini-4-argon", GEMINI, 1048.576, 65.536, "all", per(4, 20, 0.2)],
  ["gemini-3", GEMINI, 1048.576, 65.536, "all"],
  ["gemini-4", GEMINI, 1048.576, 65.536, "all"],
  ["gemini-2.5-pro", GEMINI, 1048.576, 65.536, "all", per(1.25, 10, 0.125)],
  ["gemini-2.5-flash", GEMINI, 1048.576, 65.536, "all", per(0.3, 2.5, 0.03)],
  ["gemini-2.5-flash-lite", GEMINI, 1048.576, 65.536, "all", per(0.1, 0.4, 0.01)],
  ["gemini-2.0-flash", GEMINI, 1048.576, 8.192, "sees", per(0.1, 0.4, 0.025)],
  ["gemini", GEMINI, 1048.576, undefined, "all"],
  ["gemma-3", OPEN, 131.072, undefined, "sees"],
  ["gemma3", OPEN, 131.072, undefined, "sees"],

  ["deepseek-v4", OPEN, 1000, 384, "thinks"],
  ["deepseek", OPEN, 128, undefined, "thinks"],
  ["grok-4", OPEN, 256, undefined, "all"],
  ["grok-code", OPEN, 256, undefined, "thinks"],
  ["grok", OPEN, 131.072, undefined, "sees"],
  ["codestral", OPEN, 256, undefined, "plain"],
  ["devstral", OPEN, 256, undefined, "plain"],
  ["magistral", OPEN, 128, undefined, "thinks"],
  ["mistral", OPEN, 128, undefined, "plain"],
  ["ministral", OPEN, 128, undefined, "plain"],
  ["glm-5", OPEN, 1000, 128, "thinks"],
  ["glm-4", OPEN, 131.072, undefined, "thinks"],
  ["kimi-k2", OPEN, 256, undefined, "thinks"],
  ["minimax-m", OPEN, 200, undefined, "thinks"],
  ["qwen3", OPEN, 131.072, undefined, "thinks"],
  ["qwen3-coder", OPEN, 256, undefined, "plain"],
  ["qwen2.5", OPEN, 32.768, undefined, "plain"],
  ["llama-4", OPEN, 1000, undefined, "sees"],
  ["llama4", OPEN, 1000, undefined, "sees"],
  ["llama-3", OPEN, 131.072, undefined, "plain"],
  ["llama3", OPEN, 131.072, undefined, "plain"],
  ["llama3:", OPEN, 8.192, undefined, "plain"],
  ["phi-4", OPEN, 16.384, undefined, "plain"],
  ["phi4", OPEN, 16.384, undefined, "plain"],
];
