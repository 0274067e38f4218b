import type { Command } from "../commands/command.ts";
import type { CommandRegistry } from "../commands/registry.ts";
import { settingNames } from "../commands/setting-commands.ts";
import { visible } from "../config/resolve.ts";
import type { Suggestion } from "../protocol/conversation.ts";
import type { PickItem } from "../protocol/request.ts";
import type { Engine } from "./engine.ts";
import { listModels } from "./list-models.ts";

interface ArgumentValues {
  readonly words: readonly Omit<Suggestion, "from">[];
  /** A path may stand here too. */
  readonly paths?: boolean;
}

/** Models are asked for again after this long. */
const MODELS_MS = 60_000;
const THINK = ["off", "on", "low", "medium", "high"];
const SWITCH = ["on", "off"];

/** What may stand at an argument's place (the first is 0); `typed` is how far it got. */
export function createArgumentValues(engine: Engine, registry: Pick<CommandRegistry, "commands">) {
  let models: { readonly at: number; readonly items: Promise<readonly PickItem[]> } | undefined;

  const knownModels = () => {
    const now = performance.now();
    // A provider that cannot be asked has nothing to offer; why, the picker says.
    if (models === undefined || now - models.at > MODELS_MS) models = { at: now, items: listModels(engine, () => {}) };
    return models.items;
  };
  const named = (entries: readonly { name: string; value: { description?: string | undefined } }[]) =>
    entries.map(({ name, value }) => ({ text: name, ...(value.description && { about: value.description }) }));
  const agents = () => named(visible(engine.config.agents));
  const modes = () => [{ text: "none", about: "leave the mode" }, ...named(visible(engine.config.modes))];

  const settings = (typed: string) => {
    const [key = ""] = typed.split("=");
    if (!typed.includes("=")) return plain(settingNames().map((name) => `${name}=`));
    const values: Readonly<Record<string, () => readonly Omit<Suggestion, "from">[]>> = {
      think: () => plain(THINK),
      agent: agents,
      mode: modes,
      window: () => [],
    };
    const known = settingNames().includes(key) ? (values[key] ?? (() => plain(SWITCH))) : () => [];
    return known().map((value) => ({ ...value, text: `${key}=${value.text}` }));
  };

  return async (name: string, position: number, typed: string): Promise<ArgumentValues> => {
    const { commands } = registry;
    const command = commands.find((one) => one.name === name || one.aliases?.includes(name));
    if (command?.name === "set") return { words: settings(typed) };
    if (command?.name === "export" && position === 1) return { words: [], paths: true };
    if (position === 0) {
      switch (command?.name) {
        case "agent":
          return { words: agents() };
        case "mode":
          return { words: modes() };
        case "model":
          return { words: (await knownModels()).map(modelWord) };
        case "resume":
          return { words: sessionWords(engine) };
        case "help":
          return { words: [{ text: "keys", about: "What the keys do" }, ...commands.map(commandWord)] };
        case "export":
          return { words: alternatives(command, 0), paths: typed !== "" };
        case "tools":
          return { words: plain(["debug"]) };
        case "task":
          return { words: engine.children.all.map(({ name, description }, at) => taskWord(at, name, description)) };
        case "todo":
          return { words: plain(["edit"]) };
      }
    }
    return { words: command === undefined ? [] : alternatives(command, position) };
  };
}

const taskWord = (at: number, name: string, description: string) => ({
  text: String(at + 1),
  about: description ? `${name}: ${description}` : name,
});
const plain = (words: readonly string[]) => words.map((text) => ({ text }));
const commandWord = ({ name, about }: Command) => ({ text: name, about });
const modelWord = ({ id, description }: PickItem) => ({ text: id, ...(description && { about: description }) });

function sessionWords(engine: Engine): ArgumentValues["words"] {
  return engine.sessions.store
    .list()
    .sessions.filter(({ id }) => id !== engine.session.log.id)
    .map(({ id, name, title, firstPrompt }) => ({ text: name ?? id, about: title ?? firstPrompt ?? "" }));
}

/** Words that stand for something else in a command's hints. */
const PLACEHOLDERS = new Set(["n", "name", "text", "path", "title", "tokens", "command", "model", "provider/model"]);

/** The literal words of a hint such as `[write|delete|all] [on|off]` at a position. */
function alternatives({ hints = "" }: Command, position: number): ArgumentValues["words"] {
  const words = (hints.split(/\s+/)[position] ?? "").replace(/[[\]<>]/g, "").split("|");
  return words.length < 2 ? [] : plain(words.filter((word) => !PLACEHOLDERS.has(word)));
}
