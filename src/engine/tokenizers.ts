import type { Tokenizers } from "../context/estimate.ts";

/** Tokenizers on demand, by the name of their encoding. Each is megabytes of tables. */
export const tokenizers: Tokenizers = {
  async tiktoken(encoding) {
    switch (encoding) {
      case "cl100k_base":
        return (await import("gpt-tokenizer/encoding/cl100k_base")).countTokens;
      case "o200k_base":
        return (await import("gpt-tokenizer/encoding/o200k_base")).countTokens;
      default:
        return undefined;
    }
  },
};
