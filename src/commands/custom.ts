import type { Command } from "./command.ts";

/** A command somebody wrote: its text goes to the model as a prompt (aura 12). */
export interface CustomText {
  readonly name: string;
  readonly about: string;
  readonly hints?: string;
  /** The text, with `$1`… and `$ARGUMENTS` still in it. */
  text(): Promise<string> | string;
}

export function customCommand({ name, about, hints, text }: CustomText): Command {
  return {
    name: name.toLowerCase(),
    group: "custom",
    about,
    ...(hints && { hints }),
    run: async (args, _controls, rest) => ({ prompt: fillArguments(await text(), args, rest) }),
  };
}

/**
 * Puts arguments into a text: `$ARGUMENTS` is all of them as typed, `$1` the first. A positional one that is missing
 * stays as it is. Arguments a text has no place for follow it. What arguments say is not looked at again.
 */
export function fillArguments(text: string, args: readonly string[], rest: string): string {
  let hasPlace = false;
  const filled = text.replace(/\$(?:ARGUMENTS\b|([1-9]\d*))/g, (whole, position?: string) => {
    hasPlace = true;
    return position === undefined ? rest : (args[Number(position) - 1] ?? whole);
  });
  return hasPlace || rest === "" ? filled : `${filled}\n\n${rest}`;
}
