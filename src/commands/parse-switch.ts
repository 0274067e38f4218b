import { UsageError } from "./command.ts";

const ON = ["true", "on", "yes", "enable", "enabled", "1"];
const OFF = ["false", "off", "no", "disable", "disabled", "0"];
const WORDS = new Map([...ON.map((word) => [word, true] as const), ...OFF.map((word) => [word, false] as const)]);

/** on/off in any of the usual words (aura 7). */
export function parseSwitch(text: string): boolean {
  const value = WORDS.get(text.toLowerCase());
  if (value === undefined) throw new Error(`invalid boolean value "${text}": use on or off`);
  return value;
}

/** The switch a one-word command was given, or undefined when it only asks. */
export function optionalSwitch(args: readonly string[]): boolean | undefined {
  if (args.length > 1) throw new UsageError();
  return args[0] === undefined ? undefined : parseSwitch(args[0]);
}
