import { baseName, innerStarts, isEvaluator, isWrapper, SHELLS } from "./runs-others.ts";
import { tokenizeShell } from "./shell-tokens.ts";

export interface CommandParts {
  /** Every simple command found, as plain text with single blanks, in several spellings. */
  readonly texts: readonly string[];
  /** Files that redirections empty, as they are written. */
  readonly emptied: readonly string[];
  /** False when the command was too long or too deep to be read to its end. */
  readonly complete: boolean;
}

/**
 * The commands a shell text may run, for rules that stop a call: a generous reading. Quotes and escapes are taken off,
 * separators, subshells and substitutions are entered, assignments and wrappers are peeled, a program's path also
 * counts as its name. What it lists may never run; it is not a promise that nothing else will.
 */
export function commandParts(command: string): CommandParts {
  const search: Search = {
    texts: new Set(),
    emptied: new Set(),
    seen: new Set(),
    commands: new Set(),
    variables: new Map(),
    said: [],
    complete: true,
  };
  readScript(command, search, 0);
  return { texts: [...search.texts], emptied: [...search.emptied], complete: search.complete };
}

interface Search {
  readonly texts: Set<string>;
  readonly emptied: Set<string>;
  readonly seen: Set<string>;
  /** Commands already read: wrappers in wrappers come to the same ones on many ways. */
  readonly commands: Set<string>;
  /** Literal values given to shell variables so far, so that `X=rm; $X` is read. */
  readonly variables: Map<string, string>;
  /** What echo and printf wrote: a shell may be reading it. */
  readonly said: string[];
  complete: boolean;
}

const MAX_LENGTH = 256 * 1024;
const MAX_DEPTH = 10;
const MAX_SCRIPTS = 4_000;
const MAX_STARTS = 64;

function readScript(script: string, search: Search, depth: number): void {
  if (search.seen.has(script)) return;
  if (depth > MAX_DEPTH || script.length > MAX_LENGTH || search.seen.size >= MAX_SCRIPTS) {
    search.complete = false;
    return;
  }
  search.seen.add(script);
  const { commands, scripts, emptied, sound } = tokenizeShell(script, search.variables);
  for (const file of emptied) search.emptied.add(file);
  for (const words of commands) readCommand(words, search, depth);
  for (const inner of scripts) readScript(inner, search, depth + 1);
  // A here-document or an open quote may have put the reader out of step: then every line is looked at by itself too.
  if (!sound) for (const line of script.split(/[\n;&|(){}`]+/)) readScript(line, search, depth + 1);
}

function readCommand(typed: readonly string[], search: Search, depth: number): void {
  const words = dropPrefix(typed, search.variables);
  const key = words.join("\0");
  if (words.length === 0 || search.commands.has(key)) return;
  search.commands.add(key);
  const name = baseName(words[0]!);
  say(words, search);
  say([name, ...words.slice(1)], search);
  if (name === "git") say(withoutGitOptions(words), search);
  if (name === "echo" || name === "printf") search.said.push(words.slice(1).join(" "));
  const starts = isWrapper([name, ...words.slice(1)]) ? innerStarts([name, ...words.slice(1)]) : afterExec(name, words);
  if (starts.length > MAX_STARTS) search.complete = false;
  for (const start of starts.slice(0, MAX_STARTS)) readInner(words.slice(start), search, depth);
  if (!isWrapper(words) && !SHELLS.has(name) && !isEvaluator(name)) return;
  if (isEvaluator(name)) readScript(words.slice(1).join(" "), search, depth + 1);
  for (const word of words.slice(1)) if (/[\s;&|]/.test(word)) readScript(word, search, depth + 1);
  if (SHELLS.has(name) || name === "xargs" || name === "source" || name === ".")
    for (const text of [...words.slice(1), ...search.said]) readScript(text, search, depth + 1);
}

function readInner(words: readonly string[], search: Search, depth: number): void {
  if (depth >= MAX_DEPTH) search.complete = false;
  else readCommand(words, search, depth + 1);
}

/** The texts by which a rule may name a command whose words are known. */
export function spellingsOf(words: readonly string[]): readonly string[] {
  const name = baseName(words[0] ?? "");
  const forms = [words, [name, ...words.slice(1)], ...(name === "git" ? [withoutGitOptions(words)] : [])];
  return [...new Set(forms.map((form) => form.join(" ")))];
}

function say(words: readonly string[], search: Search): void {
  search.texts.add(words.join(" ").trim());
}

/** Takes off reserved words and assignments, which it remembers. */
function dropPrefix(words: readonly string[], variables: Map<string, string>): readonly string[] {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const assignment = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=([\s\S]*)$/.exec(word);
    if (assignment) variables.set(assignment[1]!, assignment[2]!);
    else if (!PREFIXES.has(word) && word !== "") return words.slice(at);
  }
  return [];
}

const PREFIXES = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "time", "coproc"]);

/** `git -C dir push` is also `git push`. */
function withoutGitOptions(words: readonly string[]): readonly string[] {
  let at = 1;
  while (words[at]?.startsWith("-")) {
    const takesValue = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix)$/;
    at += takesValue.test(words[at]!) ? 2 : 1;
  }
  return ["git", ...words.slice(at)];
}

function afterExec(name: string, words: readonly string[]): readonly number[] {
  if (name !== "find" && name !== "fd") return [];
  return words.flatMap((word, at) => (/^-(exec|execdir|ok|okdir|x|X|-exec|-exec-batch)$/.test(word) ? [at + 1] : []));
}
