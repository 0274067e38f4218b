import { parseLevel } from "./agent-commands.ts";
import { type Command, UsageError } from "./command.ts";
import { parseTokens } from "./context-commands.ts";
import type { Controls } from "./controls.ts";
import { optionalSwitch, parseSwitch } from "./parse-switch.ts";

export const settingCommands: readonly Command[] = [
  {
    name: "verbose",
    aliases: ["v"],
    group: "settings",
    about: "Show or set whether thinking is shown",
    hints: "[on|off]",
    run(args, { settings }) {
      const on = optionalSwitch(args);
      if (on !== undefined) settings.setVerbose(on);
      return { text: `Verbose: ${settings.verbose ? "enabled" : "disabled"}` };
    },
  },
  {
    name: "auto",
    group: "settings",
    about: "Show or set whether calls that ask run without asking; denied stays denied",
    hints: "[on|off]",
    run(args, { settings }) {
      const on = optionalSwitch(args);
      if (on !== undefined) settings.setAuto(on);
      return { text: `Auto: ${settings.auto ? "enabled" : "disabled"}` };
    },
  },
  {
    name: "set",
    group: "settings",
    about: "Set several things at once",
    hints: "key=value …",
    async run(args, controls) {
      if (args.length === 0) throw new UsageError();
      const pairs = args.map(splitPair).map(([key, value]) => [OTHER_NAMES.get(key) ?? key, value] as const);
      for (const [key] of pairs)
        if (!SETTERS.has(key)) throw new Error(`unknown setting "${key}": use ${[...SETTERS.keys()].join(", ")}`);
      for (const [key, value] of pairs) await SETTERS.get(key)?.(value, controls);
      return { text: pairs.map(([key, value]) => `${key}=${value}`).join("\n") };
    },
  },
  {
    name: "trust",
    group: "settings",
    about: "Let this project's own configuration have its full effect",
    run: async (_args, { settings }) => ({ text: await settings.trust() }),
  },
  {
    name: "reload",
    group: "settings",
    about: "Read the configuration again",
    async run(_args, { settings }) {
      await settings.reload();
      return { text: "Config reloaded." };
    },
  },
];

/** What `/set` knows. */
export const settingNames = (): readonly string[] => [...SETTERS.keys()];

type Setter = (value: string, controls: Controls) => void | Promise<void>;

const SETTERS = new Map<string, Setter>([
  ["think", (value, { agent }) => agent.setThink(parseLevel(value))],
  ["mode", (value, { agent }) => agent.useMode(value === "none" || value === "" ? undefined : value)],
  ["agent", (value, { agent }) => agent.use(value)],
  ["auto", (value, { settings }) => settings.setAuto(parseSwitch(value))],
  ["done", (value, { delegation }) => delegation.setDone(parseSwitch(value))],
  ["verbose", (value, { settings }) => settings.setVerbose(parseSwitch(value))],
  ["window", (value, { context }) => context.setWindow(parseTokens(value))],
  ["sandbox", (value, { policy }) => policy.sandbox.set(parseSwitch(value))],
  ["readbefore.write", (value, { policy }) => policy.setReadBefore("write", parseSwitch(value))],
  ["readbefore.delete", (value, { policy }) => policy.setReadBefore("delete", parseSwitch(value))],
]);

const OTHER_NAMES = new Map([
  ["thinking", "think"],
  ["context", "window"],
  ["rb.write", "readbefore.write"],
  ["rb.delete", "readbefore.delete"],
]);

function splitPair(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`"${text}" is not key=value`);
  return [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
}
