import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { allParts, type Effect, type ShellReading } from "../policy/shell/reading.ts";

export interface TriedScript {
  readonly script: string;
  readonly reading: ShellReading;
  /** Names of variables that the command will have and a trial has not. */
  readonly missing: ReadonlySet<string>;
  /** Absolute. */
  readonly cwd: string;
}

/**
 * Why a trial could show something else for want of a variable, as the end of a sentence. Looked for by name in the
 * command, in the files it runs, and in what `npm run` and `make` run; a program that looks one up elsewhere is not
 * found out.
 */
export async function missedVariable(tried: TriedScript): Promise<string | undefined> {
  const { script, reading, missing } = tried;
  if (missing.size === 0) return undefined;
  const told = (name: string) => `it uses ${name}, which is not given to a command on trial`;
  const named = nameIn(script, missing);
  if (named !== undefined) return told(named);
  if (EVERYTHING.test(script) || commandsOf(reading).some(listsAll))
    return "it looks at variables that are not given to a command on trial";
  for (const text of await textsBehind(tried)) {
    const found = nameIn(text, missing);
    if (found !== undefined) return told(found);
  }
  return undefined;
}

/** Names of variables in `whole` that `tried` has not, or otherwise. */
export function variablesMissing(
  whole: Readonly<Record<string, string>>,
  tried: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  return new Set(Object.keys(whole).filter((name) => !SET_BY_SHELL.has(name) && whole[name] !== tried[name]));
}

const SET_BY_SHELL: ReadonlySet<string> = new Set(["_", "PWD", "SHLVL"]);
/** Ways to ask for variables without writing their names. */
const EVERYTHING = /\$\{!|\b(?:printenv|envsubst|environ|ENVIRON|getenv)\b/;
const LONGEST_FILE = 256 * 1024;
const MOST_FILES = 40;

function nameIn(text: string, names: ReadonlySet<string>): string | undefined {
  for (const [word] of text.matchAll(/[A-Za-z_]\w*/g)) if (names.has(word)) return word;
  return undefined;
}

const RUNS: readonly Effect["kind"][] = ["execute", "unknown"];

/** The words of every command; with `kinds`, of those that do such a thing by themselves. */
function commandsOf(reading: ShellReading, kinds?: readonly Effect["kind"][]): readonly (readonly string[])[] {
  if (reading.kind !== "read") return [];
  return allParts(reading.parts).flatMap(({ words, effects }) =>
    words && (!kinds || effects.some(({ kind }) => kinds.includes(kind))) ? [words] : [],
  );
}

function listsAll([command = "", ...rest]: readonly string[]): boolean {
  switch (command.split("/").at(-1)) {
    case "set":
      return rest.length === 0;
    case "env":
      return rest.every((word) => word.startsWith("-") || word.includes("="));
    case "export":
    case "declare":
    case "typeset":
    case "readonly":
      return rest.every((word) => word.startsWith("-"));
    default:
      return false;
  }
}

/** Files named by a command that runs things, and what a runner runs; what is only read or written does not count. */
async function textsBehind({ reading, cwd }: TriedScript): Promise<readonly string[]> {
  const commands = commandsOf(reading, RUNS);
  const run = (await Promise.all(commands.map((words) => runnersText(words, cwd)))).flat();
  const words = [...commands.flat(), ...run.flatMap((text) => text.split(/[\s;&|<>()"']+/))];
  const files = [...new Set(words)].filter((word) => word !== "" && !word.startsWith("-")).slice(0, MOST_FILES);
  const texts = await Promise.all(files.map((file) => textOf(resolve(cwd, file))));
  return [...run, ...texts.flatMap((text) => text ?? [])];
}

async function runnersText([command = "", ...rest]: readonly string[], cwd: string): Promise<readonly string[]> {
  const name = command.split("/").at(-1) ?? "";
  if (/^g?make$/.test(name)) {
    const texts = await Promise.all(["GNUmakefile", "makefile", "Makefile"].map((file) => textOf(join(cwd, file))));
    return texts.flatMap((text) => text ?? []);
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(name)) return [];
  try {
    const { scripts } = JSON.parse((await textOf(join(cwd, "package.json"))) ?? "{}") as { scripts?: object };
    const wanted = new Set(rest.flatMap((word) => [word, `pre${word}`, `post${word}`]));
    return Object.entries(scripts ?? {}).flatMap(([script, text]) =>
      wanted.has(script) && typeof text === "string" ? [text] : [],
    );
  } catch {
    return []; // what npm itself will complain about
  }
}

/** Undefined for what is no file, or too long to be a script. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= LONGEST_FILE ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
