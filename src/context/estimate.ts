export type EstimateMethod = "rough" | "tiktoken" | "rough+tiktoken" | "native";

export interface EstimateSettings {
  readonly method: EstimateMethod;
  /** UTF-8 bytes per token for `rough`. */
  readonly divisor: number;
  /** A tiktoken encoding name, such as `cl100k_base`. */
  readonly encoding: string;
}

/** Counts the tokens of a text exactly. */
export type Tokenizer = (text: string) => number;

/** What `createEstimate` may ask for. Both are optional: tokenizers are large and models differ. */
export interface Tokenizers {
  /** A tokenizer for a tiktoken encoding; undefined when that encoding is unknown. */
  tiktoken?(encoding: string): Promise<Tokenizer | undefined>;
  /** The model's own. */
  native?(): Promise<Tokenizer | undefined>;
}

/**
 * Estimated tokens by bytes: at least 1 for any text, 0 for none. Whole tokens, rounded up.
 * @param divisor UTF-8 bytes per token, above 0
 */
export function estimateRoughly(text: string, divisor: number): number {
  return text === "" ? 0 : Math.max(Math.ceil(Buffer.byteLength(text) / divisor), 1);
}

/**
 * The estimate a session uses. Loading a tokenizer costs hundreds of milliseconds, so it happens once, here, and only
 * when the method asks for one. Where that tokenizer is missing or fails to load, the rough estimate stands in for it:
 * an estimate decides when to warn and to compact, and must never stop a turn. `rough+tiktoken` is the larger of both.
 */
export async function createEstimate(settings: EstimateSettings, tokenizers: Tokenizers): Promise<Tokenizer> {
  const rough: Tokenizer = (text) => estimateRoughly(text, settings.divisor);
  const exact = await loadTokenizer(settings, tokenizers).catch(() => undefined);
  if (!exact) return rough;
  return settings.method === "rough+tiktoken" ? (text) => Math.max(rough(text), exact(text)) : exact;
}

async function loadTokenizer(settings: EstimateSettings, tokenizers: Tokenizers): Promise<Tokenizer | undefined> {
  switch (settings.method) {
    case "rough":
      return undefined;
    case "native":
      return tokenizers.native?.();
    case "tiktoken":
    case "rough+tiktoken":
      return tokenizers.tiktoken?.(settings.encoding);
  }
}
