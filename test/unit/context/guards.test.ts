import { expect, test } from "vitest";
import { inputObjection } from "../../../src/context/input-guard.ts";
import { REJECTION_MESSAGE, type ResultLimits, resultObjection } from "../../../src/context/result-guard.ts";
import { firstLineTitle, makeTitle } from "../../../src/context/title.ts";

const limits: ResultLimits = { mode: "percentage", maxPercentage: 95, maxTokens: 20_000, rejectionMessage: "" };

test("A result that would fill the context is refused with the numbers", () => {
  const context = { used: 80_000, window: 100_000 };
  expect(resultObjection(15_000, context, limits)).toBeUndefined();
  expect(resultObjection(20_600, context, limits)).toBe(
    "Error: Tool result too large (20600 tokens). Adding it would push context to 101% (limit 95%). Remaining budget: 15000 tokens (15%). Current context: 80%.",
  );
  expect(resultObjection(1, { used: 99_000, window: 100_000 }, limits)).toMatch("Remaining budget: 0 tokens (0%)");
  expect(resultObjection(1e9, { used: 0 }, limits)).toBeUndefined();
  expect(resultObjection(1e9, context, { ...limits, maxPercentage: 0 })).toBeUndefined();
});

test("In token mode only the result's own size counts, in the configured words", () => {
  const tokens = { ...limits, mode: "tokens" } as const;
  expect(resultObjection(20_000, { used: 1e9, window: 1 }, tokens)).toBeUndefined();
  expect(resultObjection(20_001, { used: 0 }, tokens)).toBe(
    REJECTION_MESSAGE.replace("%d", "20001").replace("%d", "20000"),
  );
  expect(resultObjection(30_000, { used: 0 }, { ...tokens, rejectionMessage: "%d of %d is 100%% %d" })).toBe(
    "30000 of 20000 is 100% %d",
  );
});

test("A prompt that does not fit is refused; 0 and an unknown window let it through", () => {
  const context = { used: 700, window: 1000 };
  expect(inputObjection(100, context, 80)).toBeUndefined();
  expect(inputObjection(101, context, 80)).toBe(
    "Message too large (101 estimated tokens, budget 100). Try a shorter message.",
  );
  expect(inputObjection(1, { used: 853, window: 1000 }, 80)).toBe(
    "Context is 85% full (limit: 80%). Run /compact to free space.",
  );
  expect(inputObjection(1e9, context, 0)).toBeUndefined();
  expect(inputObjection(1e9, { used: 0 }, 80)).toBeUndefined();
});

test("A title is the first line with words, cut by whole characters, unless a model has a better one", async () => {
  expect(firstLineTitle("\n  \n  Fix the login \nplease")).toBe("Fix the login");
  expect(firstLineTitle("😀".repeat(60))).toBe(`${"😀".repeat(49)}…`);
  expect(firstLineTitle("a\tb\u001b[31m")).toBe("a b [31m");
  expect(firstLineTitle("")).toBe("");
  expect(await makeTitle("Fix it", 50)).toBe("Fix it");
  expect(await makeTitle("Fix it", 50, async () => 'Title: "Login repair."\nBecause…')).toBe("Login repair");
  expect(await makeTitle("Fix it", 50, async () => undefined)).toBe("Fix it");
  expect(await makeTitle("Fix it", 8, async () => "Something long")).toBe("Somethi…");
});
