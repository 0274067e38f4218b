import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../../src/text/duration.ts";

// What Go's time.Duration.String prints for these.
const FORMS: readonly (readonly [number, string])[] = [
  [0, "0s"],
  [0.0005, "500ns"],
  [0.25, "250µs"],
  [100, "100ms"],
  [999.5, "999.5ms"],
  [1000, "1s"],
  [1500, "1.5s"],
  [15_000, "15s"],
  [60_000, "1m0s"],
  [90_000, "1m30s"],
  [3_600_000, "1h0m0s"],
  [5_430_250, "1h30m30.25s"],
  [-90_000, "-1m30s"],
];

test.each(FORMS)("%d ms is written %s and read back", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  ["1h", 3_600_000],
  [" 2m ", 120_000],
  ["1.5h", 5_400_000],
  [".5s", 500],
  ["+3s", 3000],
  ["0", 0],
  ["1s1s", 2000],
] as const)("%j is read as %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "15", "s", "1 s", "1x", "1s2", ".s", "-", "1m 30s", "--1s"])("%j is no duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test("every whole number of milliseconds survives being written and read", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e10, max: 1e10 }), (ms) => {
      expect(parseDuration(formatDuration(ms))! - ms).toBeCloseTo(0, 3);
    }),
  );
});
