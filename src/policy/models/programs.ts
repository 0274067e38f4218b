/** Small programs given as arguments: what they do besides transforming what they read. */

/** Why a sed script is not a plain filter; undefined when it is. GNU sed manual, "Reporting Bugs" excepted: 3 and 4. */
export function whySed(script: string): string | undefined {
  const reader = { text: script, at: 0 };
  try {
    while (skip(reader, /[\s;{}]+/y) || reader.at < script.length) {
      if (reader.at >= script.length) break;
      const problem = readSedCommand(reader);
      if (problem !== undefined) return problem;
    }
    return undefined;
  } catch {
    return "its sed script is not read";
  }
}

interface Reader {
  readonly text: string;
  at: number;
}

function skip(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (!found || found[0] === "") return false;
  reader.at += found[0].length;
  return true;
}

function readSedCommand(reader: Reader): string | undefined {
  readAddress(reader);
  if (skip(reader, /\s*,\s*/y) && !readAddress(reader)) return "its sed script is not read";
  skip(reader, /[\s!]+/y);
  const name = reader.text[reader.at++] ?? "";
  if (name === "#") return void skip(reader, /[^\n]*/y);
  if (/[{}]/.test(name)) return undefined;
  if (/[pdDgGhHxPnNz=]/.test(name)) return undefined;
  if (/[qQl]/.test(name)) return void skip(reader, /\s*\d*/y);
  if (name === "F") return undefined;
  if (/[bt:T]/.test(name)) return void skip(reader, /[^\n;}]*/y);
  if (/[aic]/.test(name)) return void skip(reader, /(?:\\[\s\S]|[^\n\\])*/y);
  if (name === "s") return readSubstitute(reader);
  if (name === "y") {
    readDelimited(reader, reader.text[reader.at++] ?? "", 2);
    return undefined;
  }
  return /[wW]/.test(name)
    ? "its sed script writes a file"
    : /[rR]/.test(name)
      ? "its sed script reads a file"
      : name === "e"
        ? "its sed script runs a command"
        : "its sed script is not read";
}

function readAddress(reader: Reader): boolean {
  if (skip(reader, /\d+(?:[~,]\d+)?|\$|[+~]\d+/y)) return true;
  const char = reader.text[reader.at];
  if (char !== "/" && char !== "\\") return false;
  reader.at++;
  readDelimited(reader, char === "/" ? "/" : (reader.text[reader.at++] ?? ""), 1);
  skip(reader, /[IM]+/y);
  return true;
}

function readSubstitute(reader: Reader): string | undefined {
  readDelimited(reader, reader.text[reader.at++] ?? "", 2);
  const flags = /[A-Za-z0-9]*/y;
  flags.lastIndex = reader.at;
  const found = flags.exec(reader.text)?.[0] ?? "";
  reader.at += found.length;
  if (/e/.test(found)) return "its sed script runs a command";
  if (/w/.test(found)) return "its sed script writes a file";
  return /^[gpiImM0-9]*$/.test(found) ? undefined : "its sed script is not read";
}

/** Past `count` closing delimiters. In brackets and after a backslash a delimiter is text only by some seds: refused. */
function readDelimited(reader: Reader, delimiter: string, count: number): void {
  if (delimiter === "" || /[\s\\\w]/.test(delimiter)) throw new Error("odd delimiter");
  for (let left = count; left > 0; ) {
    const char = reader.text[reader.at++];
    if (char === undefined) throw new Error("open");
    if (char === "\\") reader.at++;
    else if (
      char === "[" &&
      new RegExp(`^\\[[^\\]]*\\${delimiter}`).test(reader.text.slice(reader.at - 1)) &&
      count === left
    ) {
      // `s/[/]x/…/`: GNU sed ends the pattern at the slash, others do not.
      throw new Error("ambiguous");
    } else if (char === delimiter) left--;
  }
}

/** Why an awk program is not a plain filter; undefined when it is. */
export function whyAwk(program: string): string | undefined {
  let depth = 0;
  let isPrinting = false;
  let before = "";
  for (let at = 0; at < program.length; ) {
    const rest = program.slice(at);
    const token = AWK_TOKEN.exec(rest)![0];
    at += token.length;
    if (/^(?:[ \t\r]|\\\n|#)/.test(token)) continue;
    if (token === "/" && /^[)+-]$/.test(before)) return "its awk program is not read";
    if (token === "/" && (AWK_WORDS.has(before) || !/[\w\]$"]$/.test(before))) {
      const regex = AWK_PATTERN.exec(program.slice(at))?.[0];
      if (regex === undefined) return "its awk program is not read";
      at += regex.length;
      before = "/x/";
      continue;
    }
    if (token === '"' || token === "@" || token === "`") return "its awk program is not read";
    if (
      /^(?:system|getline|ENVIRON|PROCINFO|ARGV|SYMTAB|FUNCTAB|fflush|close|extension|include|load|eval)$/.test(token)
    )
      return `its awk program uses ${token}`;
    if (token === "|" || token === "|&") return "its awk program runs a command";
    if (token === "(" || token === "[") depth++;
    if (token === ")" || token === "]") depth--;
    if (token === "print" || token === "printf") isPrinting = true;
    if (/^[;}{]$/.test(token)) isPrinting = false;
    if (isPrinting && depth <= 0 && (token === ">" || token === ">>")) return "its awk program writes a file";
    before = token;
  }
  return undefined;
}

/** A slash after one of these begins a pattern; after any other word it divides. */
const AWK_WORDS = new Set(["print", "printf", "return", "in", "else", "do", "case", "exit", "delete"]);
/** To its closing slash; what brackets hold must be what every awk takes them to hold. */
const AWK_PATTERN = /^(?:[^/\\\n[]|\\.|\[(?!\^?\])(?:\[:[a-z]+:\]|\\.|[^\][\\\n/])+\])*\//;
const AWK_TOKEN =
  /^(?:"(?:[^"\\\n]|\\[\s\S])*"|[A-Za-z_]\w*|\d[\w.]*|#[^\n]*|\\\n|[ \t\r]+|\|\||\|&|&&|>>|>=|<=|==|!=|[\s\S])/;

/** Why a jq filter shows more than its input; undefined when it does not. */
export function whyJq(filter: string): string | undefined {
  const found =
    /(?<![.\w])(?:ENV|__prog_args|modulemeta|env|strenv|envsubst|input_filename|import|include|load\w*|strload|system|exec|eval|get_search_list)\b/.exec(
      filter,
    )?.[0];
  return found === undefined ? undefined : `its filter uses ${found}`;
}
