import { expect } from "vitest";
import * as z from "zod";

/** A text to compare with: the whole of it, or facts about it. */
export const textSchema = z.union([
  z.string(),
  z.strictObject({
    has: z.array(z.string()).optional(),
    lacks: z.array(z.string()).optional(),
    /** A regular expression over the whole text; `.` is also a line end. */
    matches: z.string().optional(),
  }),
]);
export type Text = z.infer<typeof textSchema>;

/** Fails with the whole text, so that the reason can be seen. */
export function expectText(actual: string | undefined, wanted: Text, what: string): void {
  if (typeof wanted === "string") {
    expect(actual, what).toBe(wanted);
    return;
  }
  for (const part of wanted.has ?? []) expect(actual, what).toContain(part);
  for (const part of wanted.lacks ?? []) expect(actual, what).not.toContain(part);
  if (wanted.matches !== undefined) expect(actual, what).toMatch(new RegExp(`^(?:${wanted.matches})$`, "s"));
}

/**
 * Whether `value` holds all that `pattern` says: maps may have more keys, lists have as many entries, and where a
 * text stands, `{has: […]}` and its like may be given instead.
 */
export function fits(value: unknown, pattern: unknown): boolean {
  const facts = textSchema.safeParse(pattern);
  if (typeof value === "string" && facts.success && typeof facts.data !== "string" && isFacts(pattern)) {
    const { has = [], lacks = [], matches } = facts.data;
    return (
      has.every((part) => value.includes(part)) &&
      !lacks.some((part) => value.includes(part)) &&
      (matches === undefined || new RegExp(`^(?:${matches})$`, "s").test(value))
    );
  }
  if (Array.isArray(pattern))
    return Array.isArray(value) && value.length === pattern.length && pattern.every((one, at) => fits(value[at], one));
  if (typeof pattern === "object" && pattern !== null) {
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(pattern).every(([key, wanted]) => fits((value as Record<string, unknown>)[key], wanted));
  }
  return value === pattern || (pattern === null && value === undefined);
}

const isFacts = (pattern: unknown) => Object.keys(pattern as object).length > 0;

/** All patterns are met, in this order, with anything in between. */
export function expectInOrder(values: readonly unknown[], patterns: readonly unknown[], what: string): void {
  let at = 0;
  for (const pattern of patterns) {
    const found = values.findIndex((value, index) => index >= at && fits(value, pattern));
    if (found < 0)
      expect.fail(
        `${what}: not found from entry ${at} on: ${JSON.stringify(pattern)}\n${values.map((value) => JSON.stringify(value)).join("\n")}`,
      );
    at = found + 1;
  }
}
