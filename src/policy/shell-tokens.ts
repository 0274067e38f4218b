export interface ShellTokens {
  /** The words of each command, quotes and escapes taken off. */
  readonly commands: readonly (readonly string[])[];
  /** Texts inside that are scripts themselves: substitutions, here-strings, defaults of variables. */
  readonly scripts: readonly string[];
  /** Files that redirections empty before anything is written to them. */
  readonly emptied: readonly string[];
  /** False when quotes or brackets do not close, or a here-document follows. */
  readonly sound: boolean;
}

/**
 * Cuts a shell text into commands and words, generously: it never fails, and where the grammar leaves a choice it
 * lists more rather than less. `variables` holds values for `$name`; other variables read as nothing.
 */
export function tokenizeShell(text: string, variables: ReadonlyMap<string, string>): ShellTokens {
  return new Tokenizer(text, variables).read();
}

class Tokenizer {
  readonly #text: string;
  readonly #variables: Map<string, string>;
  readonly #commands: string[][] = [];
  readonly #scripts: string[] = [];
  readonly #emptied: string[] = [];
  #words: string[] = [];
  #word: string | undefined;
  /** The next word belongs to a redirection: a file, or a text given as input. */
  #redirected: "no" | "file" | "emptied" | "text" = "no";
  #sound = true;
  #at = 0;

  constructor(text: string, variables: ReadonlyMap<string, string>) {
    this.#text = text;
    this.#variables = new Map(variables);
  }

  read(): ShellTokens {
    while (this.#at < this.#text.length) this.#readNext();
    this.#endCommand();
    return { commands: this.#commands, scripts: this.#scripts, emptied: this.#emptied, sound: this.#sound };
  }

  #readNext(): void {
    const char = this.#text[this.#at]!;
    if (char === "\\") this.#readEscape();
    else if (char === "'") this.#add(this.#takeUntil("'"));
    else if (char === '"') this.#readDoubleQuoted();
    else if (char === "$") this.#readDollar(false);
    else if (char === "`") this.#readBackquoted();
    else if (/[ \t\r]/.test(char)) this.#skip(() => this.#endWord());
    else if (/[;\n|()]/.test(char)) this.#skip(() => this.#endCommand());
    else if (char === "&") this.#readAmpersand();
    else if (char === "<" || char === ">") this.#readRedirection();
    else if (char === "#" && this.#word === undefined) this.#skipComment();
    else this.#skip(() => this.#add(char));
  }

  #add(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  #skip(act: () => void): void {
    this.#at++;
    act();
  }

  #endWord(): void {
    const word = this.#word;
    this.#word = undefined;
    if (word === undefined) return;
    if (this.#redirected !== "no") {
      if (this.#redirected === "text") this.#scripts.push(word);
      if (this.#redirected === "emptied") this.#emptied.push(word);
      this.#redirected = "no";
      return;
    }
    if (word === "{" || word === "}") {
      this.#endCommand();
      return;
    }
    const assignment = this.#words.length === 0 ? /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(word) : null;
    if (assignment) this.#variables.set(assignment[1]!, assignment[2]!);
    this.#words.push(word);
  }

  #endCommand(): void {
    this.#endWord();
    this.#redirected = "no";
    if (this.#words.length > 0) this.#commands.push(this.#words, ...this.#respelled(this.#words));
    this.#words = [];
  }

  /** Variables whose values hold blanks, and braces, make several words of one. */
  #respelled(words: readonly string[]): string[][] {
    const spread = words.flatMap((word) => (/[\s{]/.test(word) ? word.split(/[\s{},]+/).filter(Boolean) : [word]));
    return words.some((word) => /[\s{]/.test(word)) && /[\s{]/.test(words[0]!) ? [spread] : [];
  }

  #readEscape(): void {
    const next = this.#text[this.#at + 1];
    this.#at += 2;
    if (next !== undefined && next !== "\n") this.#add(next);
  }

  /** From an opening mark at the reader to its twin; the reader ends after it. */
  #takeUntil(mark: string): string {
    const close = this.#text.indexOf(mark, this.#at + 1);
    if (close < 0) this.#sound = false;
    const inside = this.#text.slice(this.#at + 1, close < 0 ? undefined : close);
    this.#at = close < 0 ? this.#text.length : close + 1;
    return inside;
  }

  #readDoubleQuoted(): void {
    this.#add("");
    this.#at++;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!;
      if (char === '"') {
        this.#at++;
        return;
      }
      if (char === "$") this.#readDollar(true);
      else if (char === "`") this.#readBackquoted();
      else if (char === "\\") this.#readQuotedEscape();
      else this.#skip(() => this.#add(char));
    }
    this.#sound = false;
  }

  #readQuotedEscape(): void {
    const next = this.#text[this.#at + 1] ?? "";
    this.#at += 2;
    if (/["\\$`]/.test(next)) this.#add(next);
    else if (next !== "\n") this.#add(`\\${next}`);
  }

  #readBackquoted(): void {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== "`") end += this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) this.#sound = false;
    this.#scripts.push(this.#text.slice(this.#at + 1, end).replace(/\\([`$\\])/g, "$1"));
    this.#at = end + 1;
    this.#add("");
  }

  #readDollar(quoted: boolean): void {
    const next = this.#text[this.#at + 1] ?? "";
    if (next === "(") this.#readBracketed(1, "(", ")", (body) => this.#addOutput(body));
    else if (next === "{") this.#readBracketed(1, "{", "}", (body) => this.#addExpansion(body));
    else if (next === "'" && !quoted) {
      this.#at++;
      this.#add(decodeAnsi(this.#takeAnsi()));
    } else if (next === '"' && !quoted) this.#at++;
    else {
      const name = /^(?:[A-Za-z_]\w*|[\d@*#?$!-])/.exec(this.#text.slice(this.#at + 1, this.#at + 129))?.[0];
      this.#at += 1 + (name?.length ?? 0);
      this.#addValue(name, name === undefined ? "$" : "");
    }
  }

  #addValue(name: string | undefined, otherwise: string): void {
    if (name === "IFS") this.#add(" ");
    else this.#add((name !== undefined && this.#variables.get(name)) || otherwise);
  }

  /** `$(echo rm)` most often writes what its words say. */
  #addOutput(body: string): void {
    this.#scripts.push(body);
    this.#add(/^\s*(?:echo|printf)\s+(?:-\w+\s+)*['"]?([^'"]*)/.exec(body)?.[1]?.trim() ?? "");
  }

  /** `${name}`, and `${name:-word}` with its word. */
  #addExpansion(body: string): void {
    const [, name, rest] = /^[!#]?(\w+|[@*#?$!-])([\s\S]*)$/.exec(body) ?? [];
    const word = /^:?[-=+](.*)$/s.exec(rest ?? "")?.[1];
    if (rest) this.#scripts.push(rest.replace(/^[:\-=+?#%/^,@]+/, ""));
    this.#addValue(name, word === undefined ? "" : word.replace(/["'\\]/g, ""));
  }

  /** The body between brackets that nest, quotes inside respected; the reader ends after the closing one. */
  #readBracketed(offset: number, open: string, close: string, use: (body: string) => void): void {
    const start = this.#at + offset + 1;
    let depth = 1;
    let end = start;
    for (; end < this.#text.length; end++) {
      const char = this.#text[end]!;
      if (char === "\\") end++;
      else if (char === "'") end = indexOrEnd(this.#text, "'", end + 1);
      else if (char === open) depth++;
      else if (char === close && --depth === 0) break;
    }
    if (end >= this.#text.length) this.#sound = false;
    const body = this.#text.slice(start, end);
    this.#at = end + 1;
    use(body);
  }

  #takeAnsi(): string {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== "'") end += this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) this.#sound = false;
    const body = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return body;
  }

  #readAmpersand(): void {
    if (this.#text[this.#at + 1] === ">") this.#skip(() => this.#readRedirection());
    else this.#skip(() => this.#endCommand());
  }

  #readRedirection(): void {
    if (this.#text[this.#at + 1] === "(") {
      this.#readBracketed(1, "(", ")", (body) => this.#scripts.push(body));
      this.#add("");
      return;
    }
    const operator = /^(?:<<<|<<-?|<>|<&|<|>>|>\||>&|>)/.exec(this.#text.slice(this.#at, this.#at + 3))![0];
    if (operator === "<<" || operator === "<<-") this.#sound = false;
    if (this.#word !== undefined && /^\d+$/.test(this.#word)) this.#word = undefined;
    this.#endWord();
    this.#at += operator.length;
    this.#redirected = operator === "<<<" ? "text" : /^>[|&]?$/.test(operator) ? "emptied" : "file";
  }

  #skipComment(): void {
    const end = indexOrEnd(this.#text, "\n", this.#at);
    this.#at = end;
  }
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}

/** Bash manual 3.1.2.4, "ANSI-C Quoting". */
function decodeAnsi(text: string): string {
  return text.replace(
    /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))/gs,
    (_all, hex, short, long, octal, control, plain) => {
      if (hex ?? short ?? long) return fromCode(Number.parseInt(hex ?? short ?? long, 16));
      if (octal) return fromCode(Number.parseInt(octal, 8) & 0xff);
      if (control) return fromCode(control.charCodeAt(0) & 0x1f);
      return NAMED[plain as string] ?? plain;
    },
  );
}

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const NAMED: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
};
