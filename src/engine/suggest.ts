import { basename, dirname } from "node:path";
import type { CommandRegistry } from "../commands/registry.ts";
import { visible } from "../config/resolve.ts";
import type { Suggestion } from "../protocol/conversation.ts";
import type { Engine } from "./engine.ts";

const DIRECTIVES = ["@File[", "@Path[", "@Image[", "@Bash["];
const MOST = 50;

/** Completions for the text before the cursor: commands and their arguments, directives and the paths in them. */
export async function suggest(
  line: string,
  cursor: number,
  engine: Engine,
  commands: CommandRegistry,
): Promise<readonly Suggestion[]> {
  const before = line.slice(0, cursor);
  if (/^\/\S*$/.test(before)) return commandNames(before, commands);
  if (before.startsWith("/")) return argumentsOf(before, engine);
  const at = /@(?:(File|Path|Image)\[([^\]]*)|(\w*))$/.exec(before);
  if (!at) return [];
  if (at[1] !== undefined) return paths(at[2] ?? "", before.length - (at[2]?.length ?? 0), engine);
  return DIRECTIVES.filter((name) => name.toLowerCase().startsWith(at[0].toLowerCase())).map((text) => ({
    text,
    from: at.index,
  }));
}

function commandNames(before: string, { commands }: CommandRegistry): readonly Suggestion[] {
  const typed = before.slice(1).toLowerCase();
  return commands
    .flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })))
    .filter(({ name }) => name.startsWith(typed))
    .map(({ name, command }) => ({
      text: `/${name}`,
      from: 0,
      ...(command.hints !== undefined && { hint: command.hints }),
    }));
}

function argumentsOf(before: string, engine: Engine): readonly Suggestion[] {
  const [, command = "", typed = ""] = /^\/(\S+)\s+(\S*)$/.exec(before) ?? [];
  const from = before.length - typed.length;
  return argumentValues(command.toLowerCase(), engine)
    .filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()))
    .map((text) => ({ text, from }));
}

function argumentValues(command: string, engine: Engine): readonly string[] {
  switch (command) {
    case "agent":
      return visible(engine.config.agents).map(({ name }) => name);
    case "mode":
      return ["none", ...visible(engine.config.modes).map(({ name }) => name)];
    case "think":
    case "effort":
      return ["off", "on", "low", "medium", "high"];
    case "tools":
      return ["debug"];
    case "resume":
    case "load":
      return engine.sessions.store.list().sessions.map(({ id, name }) => name ?? id);
    default:
      return [];
  }
}

/** Entries of the folder typed so far; hidden ones only after a dot; folders end in `/`, files in `]`. */
async function paths(typed: string, from: number, engine: Engine): Promise<readonly Suggestion[]> {
  const folder = typed.endsWith("/") ? typed : typed.includes("/") ? `${dirname(typed)}/` : "";
  const start = typed.endsWith("/") || typed === "" ? "" : basename(typed);
  const { files } = engine.services;
  try {
    const entries = await files.list(await files.resolve(folder || ".", engine.cwd));
    return entries
      .filter(({ name }) => name.startsWith(start) && (start.startsWith(".") || !name.startsWith(".")))
      .slice(0, MOST)
      .map(({ name, kind }) => ({ text: `${folder}${name}${kind === "directory" ? "/" : "]"}`, from }));
  } catch {
    return []; // a folder that is not there has no entries to offer
  }
}
