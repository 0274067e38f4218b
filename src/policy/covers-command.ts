import { fits, hasWildcard, headOf, literalOf } from "./pattern.ts";
import type { JudgedCall, Rule } from "./policy.ts";
import { whatItRuns } from "./runs-others.ts";
import { readSimpleCommand } from "./simple-command.ts";
import { leavesFolder } from "./work-folder.ts";

/**
 * True when an allowing rule's argument covers a Bash command.
 *
 * Without a wildcard it covers the identical text, whatever that is. With one it is a prefix rule and covers only one
 * plain simple command, compared with single blanks between its words as typed. In a saved approval a final `*` after
 * a word begins a new word (`git commit*` is not `git commit-tree`); in a rule written by hand it is a plain wildcard.
 * A command that runs other commands is covered only by a rule that spells what is run (`sudo apt*`, not `sudo*`).
 * No rule covers a command sent to a folder outside the session's, as none covers `cd` to it.
 */
export function coversCommand(rule: Rule, argument: string, command: string, call: JudgedCall): boolean {
  if (leavesFolder(call)) return false;
  if (!hasWildcard(argument)) return literalOf(argument) === command || isSameCommand(literalOf(argument), command);
  const reading = readSimpleCommand(command);
  if (reading.kind !== "simple") return false;
  const inner = whatItRuns(reading.words);
  if (inner !== undefined && countWords(headOf(argument)) <= inner) return false;
  const text = reading.spelled.join(" ");
  if (!isSaved(rule) || !/[^\s*\\]\*$/.test(argument)) return fits(argument, text);
  const words = argument.slice(0, -1);
  return fits(words, text) || fits(`${words} *`, text);
}

function isSameCommand(wanted: string, command: string): boolean {
  const [first, second] = [readSimpleCommand(wanted), readSimpleCommand(command)];
  return first.kind === "simple" && second.kind === "simple" && first.spelled.join(" ") === second.spelled.join(" ");
}

const countWords = (head: string): number => head.split(" ").filter(Boolean).length;

const isSaved = (rule: Rule): boolean => rule.from === "project" || rule.from === "global";
