import { commandParts } from "./command-parts.ts";

/**
 * The first part of a command that may destroy something: a file, a process, what git has not kept. Undefined when no
 * part is known to. Reads like rules that stop a call: generously, entering quotes, subshells and wrappers; a word
 * inside a name or a text (`arms.txt`, `echo rm`) is no command. The list is that of Aether's `auto` mode
 * (other-systems 1.8) without its being a list of substrings.
 */
export function destructivePart(command: string): string | undefined {
  const { texts, emptied, complete } = commandParts(command);
  const found = texts.find((text) => isDestructive(text.split(" ")));
  if (found !== undefined) return found;
  const file = emptied.find((name) => !HARMLESS.test(name));
  if (file !== undefined) return `> ${file}`;
  return complete ? undefined : "it is too long or too deeply nested to be checked";
}

const PROGRAMS: ReadonlySet<string> = new Set([
  ...["rm", "rmdir", "unlink", "shred", "truncate", "mv", "dd"],
  ...["chmod", "chown", "chgrp", "kill", "pkill", "killall"],
]);
/** `>&1` names a descriptor; these devices keep nothing. */
const HARMLESS = /^(?:\d+|-|\/dev\/(?:null|stdout|stderr|tty|fd\/\d+))$/;

function isDestructive([program = "", ...words]: readonly string[]): boolean {
  if (PROGRAMS.has(program) || program.startsWith("mkfs")) return true;
  if (program === "git") return isDestructiveGit(words);
  if (program === "find" && words.includes("-delete")) return true;
  // `echo` and its like only write their words.
  if (program === "echo" || program === "printf") return false;
  return words.some((word) => /^--(?:force|hard)(?:$|[=-])/.test(word));
}

function isDestructiveGit(words: readonly string[]): boolean {
  const [command = "", ...rest] = words.filter((word, index) => index > 0 || !word.startsWith("-"));
  if (["push", "reset", "clean", "restore"].includes(command)) return true;
  if (command === "checkout" && rest.includes("--")) return true;
  return rest.some((word) => /^--(?:force|hard)(?:$|[=-])/.test(word));
}
