import { dirname } from "node:path";
import { exactly } from "./pattern.ts";
import type { JudgedCall } from "./policy.ts";
import { baseName, interpreterOf, whatItRuns } from "./runs-others.ts";
import { quote } from "./shell/quote.ts";
import { readSimpleCommand } from "./simple-command.ts";
import { touchedPaths } from "./touched-paths.ts";
import { leavesFolder } from "./work-folder.ts";

/** What a person may have remembered when they allow a call. */
export interface Offer {
  /** Absent when only "once" is safe. */
  readonly pattern?: string;
  /** Why there is no pattern, or none broader than this very call. */
  readonly noPattern?: string;
  /** The pattern may be remembered for the session but not saved. */
  readonly sessionOnly?: true;
}

/**
 * The pattern offered for approval: the table of aura 6.4 with the corrections of 6.8. A plain command gives its first
 * word, or two for programs with sub-commands; a path gives its folder, absolute; anything else its tool.
 */
export function derive(call: JudgedCall): Offer {
  if (call.tool === "Bash") return deriveCommand(call);
  const touched = touchedPaths(call).filter(({ isAlias, isGuess }) => !isAlias && !isGuess);
  if (touched.length === 0) return deriveBare(call.tool);
  const folders = new Set(touched.map(({ path }) => path && dirname(path)));
  const [folder] = folders;
  if (folder === undefined || folders.has(undefined)) return { noPattern: "its path cannot be told beforehand" };
  if (folders.size > 1) return { noPattern: `it touches ${folders.size} folders` };
  if (folder === "/")
    return { pattern: `${call.tool}:/*`, noPattern: "a saved rule for / would cover every path", sessionOnly: true };
  return { pattern: `${call.tool}:${exactly(folder)}/*` };
}

/** True for patterns that must not be saved: for a whole shell, for every path, or for one exact compound command. */
export function isSessionOnly(pattern: string): boolean {
  if (/^[^:]*:\/\*$/.test(pattern) || pattern === "Bash") return true;
  return pattern.startsWith("Bash:") && (pattern === "Bash:" || !/(?<!\\)\*$/.test(pattern));
}

function deriveBare(tool: string): Offer {
  // These declare what they touch; a call that declares nothing could not be read, and the bare name covers all.
  return PATH_TOOLS.has(tool) ? { noPattern: "the files it touches could not be told" } : { pattern: tool };
}

function deriveCommand(call: JudgedCall): Offer {
  const command = (call.input as { readonly command?: unknown } | null)?.command;
  if (typeof command !== "string") return onlyThis("Bash", "it has no command");
  if (command.trim() === "") return onlyThis("Bash:", "it has no command");
  if (leavesFolder(call)) return { noPattern: "it runs in a folder outside this session's" };
  const reading = readSimpleCommand(command);
  if (reading.kind === "compound") return onlyThis(`Bash:${exactly(command)}`, reading.reason);
  const broad = whyTooBroad(reading.words);
  const prefix = broad ? undefined : prefixOf(reading.words, reading.spelled);
  if (prefix) return { pattern: `Bash:${prefix.join(" ")}*` };
  return onlyThis(`Bash:${exactly(command)}`, broad ?? "its first words are not plain");
}

const onlyThis = (pattern: string, noPattern: string): Offer => ({ pattern, noPattern, sessionOnly: true });

function whyTooBroad(words: readonly string[]): string | undefined {
  const name = baseName(words[0]!);
  if (STATE.has(name)) return `"${name}" by itself changes nothing but the shell it runs in`;
  const inner = whatItRuns(words);
  // `npx eslint` gives two words, so the rule names what it runs.
  if (inner === undefined || (inner === 1 && name === "npx")) return undefined;
  return `"${name}" runs what its arguments say`;
}

/** The prefixes a rule for a plain command may have, the longest first; none where any would say too much. */
export function prefixesOf(words: readonly string[]): readonly string[] {
  if (words.length === 0 || whyTooBroad(words)) return [];
  const spelled = words.map(quote);
  const prefix = prefixOf(words, spelled);
  if (!prefix) return [];
  const next = spelled[prefix.length];
  const isNarrower = TWO_WORDS.has(baseName(words[0]!)) && next !== undefined && /^[\w@][\w.:/@+-]*$/.test(next);
  return [...(isNarrower ? [[...prefix, next].join(" ")] : []), prefix.join(" ")];
}

/** The words a rule begins with, when they are spelled plainly. */
function prefixOf(words: readonly string[], spelled: readonly string[]): readonly string[] | undefined {
  const count = interpreterOf(words[0]!) ? scriptOf(words) : TWO_WORDS.has(baseName(words[0]!)) ? 2 : 1;
  const prefix = spelled.slice(0, count);
  return prefix.every((word) => /^[\w.:/@%+=~^,-]+$/.test(word)) ? prefix : undefined;
}

/** An interpreter's rule goes as far as the script it runs. */
const scriptOf = (words: readonly string[]): number =>
  words.findIndex((word, at) => at > 0 && !word.startsWith("-")) + 1;

const TWO_WORDS = new Set("git npm npx yarn pnpm docker kubectl go cargo pip gem mix make".split(" "));

const STATE = new Set(
  "cd pushd popd export declare typeset local readonly set unset shopt alias unalias hash enable umask ulimit".split(
    " ",
  ),
);

const PATH_TOOLS = new Set(["Patch", "Write", "Mkdir"]);
