import { expect, test } from "vitest";
import { nearest } from "../../../src/text/nearest.ts";

const KEYS = ["max_steps", "token_budget", "read_before", "enabled", "disabled", "mode"];

test.each([
  ["max_step", "max_steps"],
  ["maxsteps", "max_steps"],
  ["Enabled", "enabled"],
  ["diasbled", "disabled"],
  ["mdoe", "mode"],
  ["moed", "mode"],
  ["x", undefined],
  ["completely_else", undefined],
])("the nearest known name to %j is %j", (typed, expected) => {
  expect(nearest(typed, KEYS)).toBe(expected);
});

test("the first of equally near names wins", () => {
  expect(nearest("aab", ["aaa", "aac"])).toBe("aaa");
});
