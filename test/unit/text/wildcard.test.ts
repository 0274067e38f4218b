import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matches, wildcard } from "../../../src/text/wildcard.ts";

describe("matches", () => {
  test.each([
    ["Read", "Read", true],
    ["Read", "read", false],
    ["Read", "MemoryRead", false],
    ["Todo*", "TodoCreate", true],
    ["*", "", true],
    ["", "", true],
    ["", "a", false],
    ["*a*b", "xaxb", true],
    ["*a*b", "xaxbx", false],
    ["git commit*", "git commit -m 'x'\nmore", true],
    ["/tmp/*", "/tmp/a/b/c", true],
    ["a.c", "abc", false],
    ["[ab]?", "[ab]?", true],
    ["**", "anything", true],
  ])("%j fits %j: %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
    expect(wildcard(pattern)(text)).toBe(expected);
  });

  test("agrees with the same pattern as a regular expression", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "\n"), maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const regex = new RegExp(`^${pattern.split("*").join("[^]*")}$`);
        expect(matches(pattern, text)).toBe(regex.test(text));
        expect(wildcard(pattern)(text)).toBe(regex.test(text));
      }),
    );
  });

  test("a pattern made to backtrack stays quick", () => {
    const steps = matches(`${"a*".repeat(50)}b`, "a".repeat(20_000));
    expect(steps).toBe(false);
  }, 5_000);
});
