import { expect, test } from "vitest";
import { UsageError } from "../../../src/commands/command.ts";
import { optionalSwitch, parseSwitch } from "../../../src/commands/parse-switch.ts";

test.each(["true", "on", "yes", "enable", "enabled", "1", "ON", "True"])("%s is on", (word) => {
  expect(parseSwitch(word)).toBe(true);
});

test.each(["false", "off", "no", "disable", "disabled", "0", "OFF", "False"])("%s is off", (word) => {
  expect(parseSwitch(word)).toBe(false);
});

test.each(["", "maybe", "2", "onn", "constructor", "toString"])("%j is neither", (word) => {
  expect(() => parseSwitch(word)).toThrow(`invalid boolean value "${word}": use on or off`);
});

test("a command without an argument only asks", () => {
  expect(optionalSwitch([])).toBeUndefined();
  expect(optionalSwitch(["off"])).toBe(false);
});

test("a switch takes one word", () => {
  expect(() => optionalSwitch(["on", "off"])).toThrow(UsageError);
});
