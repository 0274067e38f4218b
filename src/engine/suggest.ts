import type { Command } from "../commands/command.ts";
import type { CommandRegistry } from "../commands/registry.ts";
import type { Suggestion } from "../protocol/conversation.ts";
import { fuzzyScore } from "../text/fuzzy.ts";
import { createFileIndex } from "../workspace/file-index.ts";
import type { Engine } from "./engine.ts";
import { listFiles } from "./list-files.ts";
import { createArgumentValues } from "./suggest-arguments.ts";
import { createPathSuggestions, type Early } from "./suggest-paths.ts";

export interface Suggester {
  /** Completions for the text before the cursor: commands and their arguments, directives and the paths in them. */
  suggest(line: string, cursor: number, early?: Early): Promise<readonly Suggestion[]>;
  close(): void;
}

const DIRECTIVES = [
  { name: "@File[", about: "send a file's text" },
  { name: "@Path[", about: "only its path" },
  { name: "@Image[", about: "attach a picture" },
  { name: "@Bash[", about: "send a command's output" },
];
const MOST = 50;

export function createSuggester(engine: Engine, registry: CommandRegistry): Suggester {
  const index = createFileIndex({
    listFiles: (onFile, signal) => listFiles(engine.cwd, onFile, signal, engine.services.shell.guardGroup),
    now: () => performance.now(),
  });
  const paths = createPathSuggestions(index, engine.services.files, engine.cwd);
  const valuesOf = createArgumentValues(engine, registry);

  return {
    async suggest(line, cursor, early = () => {}) {
      const before = line.slice(0, cursor);
      if (/^\/\S*$/.test(before)) return commandNames(before, registry.commands);
      const argument = /^\/(\S+)\s+(?:.*\s)?(\S*)$/s.exec(before);
      const inside = /@(File|Path|Image)\[([^\]]*)$/.exec(before);
      if (inside) {
        const [, directive = "", typed = ""] = inside;
        return paths.inside(directive, { typed, from: cursor - typed.length, limit: MOST }, early);
      }
      const bare = /(?:^|[\s("'])@([^\s[\]"']*)$/.exec(before);
      if (bare) {
        const [, typed = ""] = bare;
        const from = cursor - typed.length - 1;
        const named = directives(typed, from);
        const place = { typed, from, limit: MOST - named.length };
        return [...named, ...(await paths.bare(place, (found) => early([...named, ...found])))];
      }
      if (!argument) return [];
      const [, name = "", typed = ""] = argument;
      const earlier = before.slice(name.length + 1, cursor - typed.length).trim();
      const position = earlier === "" ? 0 : earlier.split(/\s+/).length;
      const from = cursor - typed.length;
      const values = await valuesOf(name.toLowerCase(), position, typed);
      const files = values.paths ? await paths.plain({ typed, from, limit: MOST }) : [];
      return [...ranked(typed, values.words).map((value) => ({ ...value, from })), ...files];
    },
    close: () => index.close(),
  };
}

function directives(typed: string, from: number): readonly Suggestion[] {
  return DIRECTIVES.filter(({ name }) => name.toLowerCase().startsWith(`@${typed.toLowerCase()}`)).map(
    ({ name, about }) => ({ text: name, from, about }),
  );
}

/** Names that begin with what is typed, then aliases that do, then names that hold its letters; each command once. */
function commandNames(before: string, commands: readonly Command[]): readonly Suggestion[] {
  const typed = before.slice(1).toLowerCase();
  const rank = (command: Command): { name: string; rank: number } | undefined => {
    if (command.name.startsWith(typed)) return { name: command.name, rank: 0 };
    const alias = command.aliases?.find((other) => other.startsWith(typed));
    if (alias !== undefined) return { name: alias, rank: 1 };
    return typed.length > 1 && fuzzyScore(typed, command.name) >= 0 ? { name: command.name, rank: 2 } : undefined;
  };
  return commands
    .flatMap((command) => {
      const match = rank(command);
      return match === undefined ? [] : [{ ...match, command }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ name, command }) => ({
      text: `/${name}`,
      from: 0,
      about: command.about,
      ...(command.hints !== undefined && { hint: command.hints }),
    }));
}

/** What begins as typed first, in its own order; then what holds the letters. */
function ranked(typed: string, words: readonly Omit<Suggestion, "from">[]): readonly Omit<Suggestion, "from">[] {
  const lower = typed.toLowerCase();
  return words
    .map((word) => {
      const text = word.text.toLowerCase();
      if (text.startsWith(lower)) return { word, score: Number.POSITIVE_INFINITY };
      // One letter is in every other word.
      return { word, score: lower.length > 1 ? fuzzyScore(lower, text) : -1 };
    })
    .filter(({ score }) => score >= 0)
    .sort((a, b) => (a.score === b.score ? 0 : b.score - a.score))
    .slice(0, MOST)
    .map(({ word }) => word);
}
