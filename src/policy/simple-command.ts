/** What a shell text is, as far as this reader knows for certain. */
export type ShellReading =
  | {
      readonly kind: "simple";
      /** What the program is given: quotes removed. */
      readonly words: readonly string[];
      /** The same words as they were typed. */
      readonly spelled: readonly string[];
    }
  | { readonly kind: "compound"; readonly reason: string };

/**
 * Reads exactly one plain simple command: literal words, bare or quoted, between blanks. Everything else is
 * `compound`, as is every doubt: the reader knows a small part of the shell grammar (POSIX XCU 2.2 and 2.9.1) and
 * refuses the rest. A line break inside quotes is text; anywhere else it ends a command, so it is refused.
 */
export function readSimpleCommand(text: string): ShellReading {
  const words: string[] = [];
  const spelled: string[] = [];
  let word: string | undefined;
  let start = 0;
  const end = (at: number) => {
    if (word === undefined) return;
    words.push(word);
    spelled.push(text.slice(start, at));
    word = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at)!);
    if (char === " " || char === "\t") {
      end(at++);
      continue;
    }
    if (word === undefined) start = at;
    const piece = char === "'" || char === '"' ? readQuoted(text, at) : readBare(char, text.slice(start, at));
    if (typeof piece === "string") return { kind: "compound", reason: piece };
    word = (word ?? "") + piece.value;
    at += piece.length;
  }
  end(text.length);
  const problem = problemOfName(spelled[0]);
  return problem ? { kind: "compound", reason: problem } : { kind: "simple", words, spelled };
}

/** A piece of a word and how many UTF-16 units it took; a string says why it cannot be read. */
type Piece = { readonly value: string; readonly length: number } | string;

function readBare(char: string, before: string): Piece {
  if (/[\p{L}\p{M}\p{N}_\-./,:=+@%^]/u.test(char)) return { value: char, length: char.length };
  // In the middle of a word these are text: HEAD~1, page#top. At its start, or after `=` and `:`, they are not.
  if ((char === "~" || char === "#") && /[\w./^~-]$/.test(before)) return { value: char, length: 1 };
  return WHY[char] ?? "it holds a character that may mean something to the shell";
}

function readQuoted(text: string, open: number): Piece {
  const quote = text[open]!;
  let value = "";
  for (let at = open + 1; at < text.length; at++) {
    const char = text[at]!;
    if (char === quote) return { value, length: at + 1 - open };
    if (/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(char)) return "it holds a control character";
    if (quote === '"' && (char === "$" || char === "`" || char === "!")) return WHY[char]!;
    if (quote === '"' && char === "\\") {
      const next = text[at + 1];
      if (next === "$" || next === "`" || next === "!" || next === "\n" || next === undefined) return WHY["\\"]!;
      if (next === '"' || next === "\\") {
        value += next;
        at++;
        continue;
      }
    }
    value += char;
  }
  return "a quote is left open";
}

function problemOfName(name: string | undefined): string | undefined {
  if (name === undefined) return "there is no command in it";
  if (name.includes("=")) return "it sets a variable for the command";
  if (name.startsWith("%")) return "it names a job";
  return RESERVED.has(name) ? `"${name}" is a word of the shell's own grammar` : undefined;
}

const RESERVED = new Set(
  "if then elif else fi for while until do done case esac in select function time coproc".split(" "),
);

const WHY: Readonly<Record<string, string>> = {
  ";": "it chains several commands",
  "&": "it chains commands or runs one in the background",
  "|": "it pipes one command into another",
  "\n": "it has several lines",
  "\r": "it holds a control character",
  "<": "it redirects input",
  ">": "it redirects output",
  "(": "it opens a subshell or a function",
  ")": "it opens a subshell or a function",
  $: "it holds a substitution or a variable",
  "`": "it holds a substitution",
  "\\": "it escapes characters",
  "*": "it holds a file name pattern",
  "?": "it holds a file name pattern",
  "[": "it holds a file name pattern or a test",
  "]": "it holds a file name pattern or a test",
  "{": "it holds braces",
  "}": "it holds braces",
  "~": "it names a home directory",
  "#": "it holds a comment",
  "!": "it holds a history reference or a negation",
};
