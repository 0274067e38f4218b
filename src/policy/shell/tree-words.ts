import type { Node } from "web-tree-sitter";
import * as marks from "./marks.ts";
import { Unreadable } from "./syntax.ts";
import { children, EXPANSIONS, isNamed, unknown } from "./tree-nodes.ts";

/** Words, assignments and arithmetic of a tree in the words of `marks`. Every method may throw Unreadable. */
export class TreeWords {
  readonly #source: string;
  readonly #read: (script: readonly Node[]) => marks.Finding[];

  /** @param read finds what a script inside a word holds */
  constructor(source: string, read: (script: readonly Node[]) => marks.Finding[]) {
    this.#source = source;
    this.#read = read;
  }

  word(node: Node): string {
    const { type } = node;
    if (!isNamed(node)) return type === "$" || /^[\w.,:=+@%/{}[\]~*?-]+$/.test(type) ? type : fail(unknown(type));
    switch (type) {
      case "word":
      case "number":
      case "variable_name":
      case "special_variable_name":
      case "extglob_pattern":
      case "regex":
        return node.namedChildCount > 0 && type !== "word" ? fail(unknown(type)) : unescaped(this.text(node));
      case "brace_expression":
        return /^\{\w+\.\.\w+\}$/.test(this.text(node)) ? this.text(node) : fail(unknown(type));
      case "raw_string":
        return marks.quoted(this.text(node).slice(1, -1));
      case "ansi_c_string": {
        const decoded = decodeOrFail(this.text(node).slice(2, -1));
        return marks.quoted(decoded);
      }
      case "string":
        return this.quotedText(node, node.startIndex + 1, node.endIndex - 1, /[\\$`"\n]/);
      case "concatenation":
        return this.#concatenation(node);
      case "simple_expansion":
        return marks.variable(this.text(node).trimStart().slice(1), "", []);
      case "expansion":
        return this.#expansion(node);
      case "command_substitution":
        return marks.substitution(this.#inner(node));
      case "process_substitution":
        return marks.process(this.text(node)[0]!, this.#inner(node));
      case "arithmetic_expansion": {
        const text = this.text(node).trimStart();
        if (!text.startsWith("$((")) throw unknown("$[");
        return this.arithmetic(text.slice(3, -2));
      }
      case "variable_assignment":
        return this.assignment(node);
      default:
        throw unknown(type);
    }
  }

  assignment(node: Node): string {
    const name = node.childForFieldName("name");
    const value = node.childForFieldName("value");
    if (name?.type !== "variable_name") throw new Unreadable("it sets one element of a variable");
    const operator = children(node).find((child) => !isNamed(child))?.type ?? "=";
    if (value?.type === "array") {
      const items = children(value).filter((child) => isNamed(child) && child.type !== "comment");
      return `${this.text(name)}${operator}(${JSON.stringify(items.map((item) => this.word(item)))}`;
    }
    return `${this.text(name)}${operator}${value ? this.word(value) : ""}`;
  }

  #concatenation(node: Node): string {
    let at = node.startIndex;
    let text = "";
    for (const child of children(node)) {
      if (child.startIndex !== at) throw new Unreadable("its words are not told apart for certain");
      text += this.word(child);
      at = child.endIndex;
    }
    return text;
  }

  /** The text between two places, with the expansions in it; a backslash counts before what `escapable` fits. */
  quotedText(node: Node, from: number, to: number, escapable: RegExp): string {
    let at = from;
    let text = "";
    const plain = (end: number) =>
      this.slice(at, end).replace(/\\([\s\S])/g, (all, next: string) =>
        next === "\n" ? "" : escapable.test(next) ? next : all,
      );
    for (const child of children(node).filter(({ type }) => EXPANSIONS.has(type))) {
      // Blanks before an expansion are given to it.
      const start = child.endIndex - this.text(child).trimStart().length;
      text += marks.quoted(plain(start)) + this.word(child);
      at = child.endIndex;
    }
    return text + marks.quoted(plain(to));
  }

  #expansion(node: Node): string {
    const inside = this.text(node).trimStart().slice(2, -1);
    const [, sign = "", name = "", rest = ""] =
      /^([#!]?)((?:[A-Za-z_]\w*(?:\[(?:@|\*|\d+)\])?|\d+|[@*#?$!-]))([\s\S]*)$/.exec(inside) ?? [];
    if (name === "" || sign === "!") throw new Unreadable("it expands a variable in a way that is not read");
    if (sign === "#") {
      if (rest !== "") throw new Unreadable("it expands a variable in a way that is not read");
      return marks.variable(name, "#n", []);
    }
    const found = /^(?::[-+?]|[-+?]|##?|%%?|\/\/|\/#|\/%|\/|\^\^?|,,?|:)/.exec(rest)?.[0];
    if (rest !== "" && found === undefined) throw new Unreadable("it expands a variable in a way that is not read");
    const inner = this.#innerMarks(node);
    return marks.variable(name, found === ":" ? ":n" : (found ?? ""), inner.length > 0 ? [inner.join("")] : []);
  }

  #innerMarks(node: Node): string[] {
    return children(node).flatMap((child) =>
      child.type === "variable_name" || child.type === "subscript" || child.type === "special_variable_name"
        ? []
        : EXPANSIONS.has(child.type)
          ? [this.word(child)]
          : this.#innerMarks(child),
    );
  }

  #inner(node: Node): marks.Finding[] {
    return this.#read(children(node).filter((child) => isNamed(child) || !/^(?:\$\(|<\(|>\(|\)|`)$/.test(child.type)));
  }

  text({ startIndex, endIndex }: Node): string {
    return this.#source.slice(startIndex, endIndex);
  }

  textOf(node: Node, field: string): string {
    const child = node.childForFieldName(field);
    return child ? this.text(child) : "";
  }

  slice(from: number, to: number): string {
    return this.#source.slice(from, to);
  }

  arithmetic(text: string): string {
    if (!marks.isPlainArithmetic(text)) throw new Unreadable("it holds arithmetic that may run something");
    return marks.arithmetic(text);
  }
}

/** A word without quotes: a backslash takes the meaning from what follows, and the line end away. */
const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_all, next: string) => (next === "\n" ? "" : marks.quoted(next)));

function decodeOrFail(text: string): string {
  return marks.decodeAnsi(text) ?? fail(new Unreadable("it quotes characters by their codes"));
}

function fail(error: Error): never {
  throw error;
}
