import { expect, test } from "vitest";
import { type ConditionFacts, checkCondition, holds, looksOutside } from "../../../src/config/condition.ts";

const FACTS: ConditionFacts = {
  todo: { total: 2, open: 0 },
  auto: true,
  context: 50,
  counts: { history: 1, tool_errors: 3, tool_calls: 4, turns: 5, compactions: 0, iteration: 2, tokens_total: 100 },
  model: { name: "gpt-oss:20b", context: 0, params: 7.5, capabilities: ["vision"] },
  exists: async (path) => path === "go.mod",
  succeeds: async (command) => command === "true and false",
};

test.each([
  ["auto", true],
  ["not auto", false],
  ["auto:anything", true],
  ["todo_done and not todo_pending and not todo_empty", true],
  ["context_above:50", true],
  ["context_below:50", false],
  ["tool_errors_gt:3", false],
  ["tool_errors_gt:2", true],
  ["compactions_lt:1", true],
  ["model_context_gt:1", false],
  ["model_context_lt:999999", false],
  ["model_params_gt:7", true],
  ["model_params_lt:7.5", false],
  ["model_has:vision", true],
  ["model_has:thinking", false],
  ["model_is:GPT-OSS:20B", true],
  ["exists:go.mod and turns_gt:4", true],
  ["exists:none", false],
  ["bash:'true and false'", true],
  ["bash:true and false", false],
  ["nonsense", false],
  ["not nonsense", true],
  ["not not auto", true],
  ["turns_gt:many", false],
  ["model_params_lt:", false],
  ["", false],
])("%j is %s", async (condition, expected) => {
  expect(await holds(condition, FACTS)).toBe(expected);
});

test.each([
  ["todo_empty and not exists:go.mod", undefined],
  ["model_params_gt:7.5", undefined],
  ["tool_error_gt:3", 'unknown condition "tool_error_gt" (did you mean "tool_errors_gt"?)'],
  ["exists:", 'condition "exists" requires a value'],
  ["turns_gt:1.5", 'condition "turns_gt": "1.5" is not an integer'],
  ["model_params_gt:big", 'condition "model_params_gt": "big" is not a number'],
])("%j checks as %j", (condition, expected) => {
  expect(checkCondition(condition)).toBe(expected);
});

test.each([
  ["auto and not exists:go.mod", true],
  ["bash:make test", true],
  ["todo_empty and model_is:exists", false],
  ["model_is:'bash:x and exists:y'", false],
])("%j looks outside the conversation: %j", (condition, expected) => {
  expect(looksOutside(condition)).toBe(expected);
});
