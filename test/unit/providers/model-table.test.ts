import { expect, test } from "vitest";
import { costOf } from "../../../src/providers/cost.ts";
import { lookUp } from "../../../src/providers/model-table.ts";

test("The longest prefix wins, through dates, makers and other spellings", () => {
  expect(lookUp("openai", "gpt-5-mini-2025-08-07")).toMatchObject({ context: 400_000, price: { input: 0.25 } });
  expect(lookUp("anthropic", "claude-sonnet-4-5-20250929")).toMatchObject({ context: 200_000, maxOutput: 64_000 });
  expect(lookUp("openrouter", "anthropic/claude-opus-5.5")).toMatchObject({ context: 1_000_000 });
  expect(lookUp("ollama", "Qwen3-Coder:30b")?.context).toBe(256_000);
  expect(lookUp("ollama", "llama3:8b")?.context).toBe(8192);
  expect(lookUp("ollama", "llama3.1:8b")?.context).toBe(131_072);
});

test("A price is known only where its maker charges it", () => {
  expect(lookUp("anthropic", "claude-haiku-4-5")?.price).toEqual({
    input: 1,
    output: 5,
    cacheRead: 0.1,
    cacheWrite: 1.25,
  });
  expect(lookUp("openrouter", "claude-haiku-4-5")?.price).toBeUndefined();
});

test("Nothing is known of a stranger", () => {
  expect(lookUp("openai", "my-own-model")).toBeUndefined();
});

test("A request costs its fresh, cached and written input and its output", () => {
  const price = { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 };
  expect(costOf({ input: 1_000_000, cached: 500_000, cacheWritten: 100_000, output: 100_000 }, price)).toBeCloseTo(
    1.6 + 0.2 + 0.5 + 2,
  );
  expect(costOf({ input: 1_000_000, cached: 500_000, output: 0 }, { input: 4, output: 20 })).toBeCloseTo(4);
  expect(costOf({ input: 1, output: 1 }, undefined)).toBeUndefined();
});
