import { fits, hasWildcard, headOf, literalOf } from "./pattern.ts";
import type { JudgedCall, Rule } from "./policy.ts";
import { whatItRuns } from "./runs-others.ts";
import { quote } from "./shell/quote.ts";
import { readSimpleCommand } from "./simple-command.ts";
import { leavesFolder } from "./work-folder.ts";

/** A Bash call, read once for all the rules that may cover it. */
export interface ReadCommand {
  readonly text: string;
  /** The words as typed with single blanks between them, when it is one plain simple command. */
  readonly plain?: string;
  /** The index of the word that says what else it runs. */
  readonly inner?: number;
  /** It asks to run in a folder outside the session's. */
  readonly leaves: boolean;
}

/** A command whose words are known, wherever it stands. */
export function readWords(words: readonly string[]): ReadCommand {
  const text = words.map(quote).join(" ");
  const inner = whatItRuns(words);
  return { text, plain: text, leaves: false, ...(inner !== undefined && { inner }) };
}

export function readCommand(text: string, call: JudgedCall): ReadCommand {
  const reading = readSimpleCommand(text);
  const leaves = leavesFolder(call);
  if (reading.kind !== "simple") return { text, leaves };
  const inner = whatItRuns(reading.words);
  return { text, plain: reading.spelled.join(" "), leaves, ...(inner !== undefined && { inner }) };
}

/**
 * True when an allowing rule's argument covers a Bash command.
 *
 * Without a wildcard it covers the identical text, whatever that is. With one it is a prefix rule and covers only one
 * plain simple command, compared with single blanks between its words as typed. In a saved approval a final `*` after
 * a word begins a new word (`git commit*` is not `git commit-tree`); in a rule written by hand it is a plain wildcard.
 * A command that runs other commands is covered only by a rule that spells what is run (`sudo apt*`, not `sudo*`).
 * No rule covers a command sent to a folder outside the session's, as none covers `cd` to it.
 */
export function coversCommand(rule: Rule, argument: string, command: ReadCommand): boolean {
  const { text, plain, inner, leaves } = command;
  if (leaves) return false;
  if (!hasWildcard(argument)) return literalOf(argument) === text || isSameCommand(literalOf(argument), plain);
  if (plain === undefined || (inner !== undefined && countWords(headOf(argument)) <= inner)) return false;
  if (!isSaved(rule) || !/[^\s*\\]\*$/.test(argument)) return fits(argument, plain);
  const words = argument.slice(0, -1);
  return fits(words, plain) || fits(`${words} *`, plain);
}

function isSameCommand(wanted: string, plain: string | undefined): boolean {
  // A rule is short and most differ in their first letter; only a likely one is read.
  if (plain === undefined || wanted.trim()[0] !== plain[0]) return false;
  const reading = readSimpleCommand(wanted);
  return reading.kind === "simple" && reading.spelled.join(" ") === plain;
}

const countWords = (head: string): number => head.split(" ").filter(Boolean).length;

const isSaved = ({ from }: Rule): boolean => from === "project" || from === "global" || from === "session";
