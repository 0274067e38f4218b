import { expect, test } from "vitest";
import { needsTrim, repeatedInjections, TRIM_DEFAULTS } from "../../../src/context/trim.ts";
import { prompt, reply } from "../../helpers/messages.ts";

test("Of injections that say the same the latest stays; what a person said twice stays twice", () => {
  const messages = [
    prompt("s1", "remember", "synthetic"),
    prompt("u1", "go"),
    prompt("s2", "other", "synthetic"),
    reply("a1", "remember", [], { kind: "synthetic" }),
    prompt("u2", "go"),
    prompt("s3", "remember", "synthetic"),
  ];
  expect(repeatedInjections(messages)).toEqual(new Set(["s1"]));
});

test("It is time to trim at half the window, or at the token limit when there is one", () => {
  expect([49, 50].map((percent) => needsTrim({ used: 0, percent }, TRIM_DEFAULTS))).toEqual([false, true]);
  const limited = { ...TRIM_DEFAULTS, trimMaxTokens: 100 };
  expect([99, 100].map((used) => needsTrim({ used, percent: 99 }, limited))).toEqual([false, true]);
  expect(needsTrim({ used: 1e9 }, TRIM_DEFAULTS)).toBe(false);
});
