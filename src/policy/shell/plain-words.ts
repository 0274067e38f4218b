import type { Script, Word } from "./syntax.ts";

/**
 * The syntax tree of a text of nothing but plain words, such as `git status`, or undefined for any other text. Letters
 * and signs that mean nothing to any shell leave nothing to differ about, and need no parser to be loaded.
 */
export function plainScript(text: string): Script | undefined {
  if (text.length > MOST || !PLAIN.test(text)) return undefined;
  const [name = "", ...args] = text.split(" ");
  if (RESERVED.has(name)) return undefined;
  const command = {
    type: "SimpleCommand",
    name: word(name),
    args: args.map(word),
    assignments: [],
    redirections: [],
    line: 1,
  } as const;
  const pipeline = { type: "Pipeline", commands: [command], negated: false, timed: false, timePosix: false } as const;
  return {
    type: "Script",
    statements: [{ type: "Statement", pipelines: [pipeline], operators: [], background: false, sourceText: text }],
  } as unknown as Script; // the package's type wants arrays that may be written to
}

const word = (value: string): Word => ({ type: "Word", parts: [{ type: "Literal", value }] });

const MOST = 4096;
/** No quote, expansion, glob, redirection, separator, tilde, comment, brace, assignment, history or line end. */
const PLAIN = /^[A-Za-z_./][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./:+,-]+)*$/;
/**
 * What may stand first and is no command's name (bash(1), RESERVED WORDS; those of signs are not plain anyway), and the
 * names after which words are read as declarations.
 */
const RESERVED = new Set(
  (
    "if then elif else fi time for in until while do done case esac coproc select function " +
    "declare export let local readonly typeset unset unsetenv"
  ).split(" "),
);
