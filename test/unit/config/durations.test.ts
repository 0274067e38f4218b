import { expect, test } from "vitest";
import { parseDuration } from "../../../src/config/durations.ts";

test.each([
  ["10s", 10_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["300ms", 300],
  ["0", 0],
  ["2m", 120_000],
  [" 5m ", 300_000],
  ["5", undefined],
  ["-5s", undefined],
  ["5 m", undefined],
  ["5d", undefined],
  ["", undefined],
])("%j is %s ms", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});
