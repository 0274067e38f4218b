import type { Node } from "web-tree-sitter";
import * as marks from "./marks.ts";
import { Unreadable } from "./syntax.ts";

/**
 * What tree-sitter-bash found, in order and in the words of `marks`. As the other walk it knows a list of node types.
 *
 * @throws Unreadable
 */
export function findingsOfTree(root: Node, source: string): marks.Finding[] {
  if (root.hasError) throw new Unreadable("one of two parsers does not understand it");
  const reader = new TreeReader(source);
  reader.visit(root);
  return reader.finish();
}

/** A command whose words may still grow: `ls >file more` gives its last word after the redirection. */
interface OpenCommand {
  readonly assignments: string[];
  readonly words: string[];
}

class TreeReader {
  readonly #source: string;
  readonly #found: (marks.Finding | OpenCommand)[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  finish(): marks.Finding[] {
    return this.#found.map((found) =>
      typeof found === "string" ? found : marks.command(found.assignments, found.words),
    );
  }

  visit(node: Node): void {
    const { type } = node;
    if (!isNamed(node)) {
      if (SEPARATORS.has(type)) return;
      if (!KEYWORDS.has(type)) throw unknown(type);
      this.#found.push(type);
      return;
    }
    switch (type) {
      case "comment":
        return;
      case "program":
      case "list":
      case "pipeline":
      case "negated_command":
      case "if_statement":
      case "elif_clause":
      case "else_clause":
      case "redirected_statement":
        return this.#visitAll(node.children);
      case "do_group":
        return this.#visitAll(node.children);
      case "subshell":
      case "compound_statement":
        return this.#visitGroup(node);
      case "while_statement":
        return this.#visitAll(node.children);
      case "for_statement":
        return this.#visitFor(node);
      case "case_statement":
        return this.#visitCase(node);
      case "function_definition":
        return this.#visitFunction(node);
      case "command":
        return this.#visitCommand(node);
      case "declaration_command":
      case "unset_command":
        this.#found.push({
          assignments: [],
          words: children(node).map((child) => (isNamed(child) ? this.word(child) : child.type)),
        });
        return;
      case "variable_assignment":
        this.#found.push({ assignments: [this.#assignment(node)], words: [] });
        return;
      case "variable_assignments":
        this.#found.push({ assignments: children(node).map((child) => this.#assignment(child)), words: [] });
        return;
      case "test_command":
        return this.#visitTest(node);
      case "file_redirect":
        return this.#visitRedirect(node);
      case "herestring_redirect":
        return this.#visitHereString(node);
      case "heredoc_redirect":
        return this.#visitHereDocument(node);
      default:
        throw unknown(type);
    }
  }

  #visitAll(nodes: readonly (Node | null)[]): void {
    for (const node of nodes) if (node) this.visit(node);
  }

  #visitGroup(node: Node): void {
    const parts = children(node);
    if (parts[0]?.type === "((") this.#found.push(`((${this.#between(parts)}`);
    else this.#visitAll(parts);
  }

  /** Arithmetic between double brackets. */
  #between(parts: readonly Node[]): string {
    return arithmeticMark(this.#slice(parts[0]!.endIndex, parts.at(-1)!.startIndex));
  }

  #visitCommand(node: Node): void {
    const command: OpenCommand = { assignments: [], words: [] };
    const later: Node[] = [];
    for (const child of children(node)) {
      if (child.type === "variable_assignment") command.assignments.push(this.#assignment(child));
      else if (child.type.endsWith("_redirect")) later.push(child);
      else if (child.type === "command_name")
        command.words.push(
          children(child)
            .map((part) => this.word(part))
            .join(""),
        );
      else command.words.push(this.word(child));
    }
    if (command.words.length + command.assignments.length > 0) this.#found.push(command);
    this.#visitAll(later);
  }

  #assignment(node: Node): string {
    const name = node.childForFieldName("name");
    const value = node.childForFieldName("value");
    if (name?.type !== "variable_name") throw new Unreadable("it sets one element of a variable");
    const operator = children(node).find((child) => !isNamed(child))?.type ?? "=";
    if (value?.type === "array") {
      const items = children(value).filter((child) => isNamed(child) && child.type !== "comment");
      return `${this.#text(name)}${operator}(${JSON.stringify(items.map((item) => this.word(item)))}`;
    }
    return `${this.#text(name)}${operator}${value ? this.word(value) : ""}`;
  }

  #visitFor(node: Node): void {
    const name = this.#textOf(node, "variable");
    const parts = children(node);
    if (parts[0]?.type !== "for") throw unknown("select");
    const hasWords = parts.some(({ type }) => type === "in");
    const values = node.childrenForFieldName("value").filter((value) => value && isNamed(value));
    const list = values.map((value) => this.word(value!));
    this.#found.push(marks.words(`for ${name}`, hasWords ? list : ["\u0002@"]));
    this.#visitBody(node.childForFieldName("body"));
  }

  /** A loop's `do … done`, whose `do` says nothing in a `for`. */
  #visitBody(node: Node | null): void {
    if (node?.type !== "do_group") throw unknown("for");
    this.#visitAll(children(node).filter(({ type }) => type !== "do"));
  }

  #visitCase(node: Node): void {
    const value = node.childForFieldName("value");
    if (!value) throw unknown("case");
    this.#found.push(marks.words("case", [this.word(value)]));
    for (const item of children(node).filter(({ type }) => type === "case_item")) {
      const patterns = item.childrenForFieldName("value").filter((pattern) => pattern && isNamed(pattern));
      this.#found.push(
        marks.words(
          "item",
          patterns.map((pattern) => this.word(pattern!)),
        ),
      );
      const first = children(item).findIndex(({ type }) => type === ")");
      const rest = children(item).slice(first + 1);
      this.#visitAll(rest.filter(({ type }) => !/^;;?&?$/.test(type) || type === "&"));
    }
    this.#found.push("esac");
  }

  #visitFunction(node: Node): void {
    const name = node.childForFieldName("name");
    const body = node.childForFieldName("body");
    if (!name || !body) throw unknown("function");
    this.#found.push(marks.words("function", [this.#text(name)]));
    this.visit(body);
    this.#visitAll(node.childrenForFieldName("redirect"));
  }

  #visitTest(node: Node): void {
    const parts = children(node);
    const open = parts[0]?.type;
    if (open === "[") this.#found.push({ assignments: [], words: parts.flatMap((part) => this.#testWords(part)) });
    else if (open === "[[")
      this.#found.push(
        marks.words(
          "[[",
          parts.slice(1, -1).flatMap((part) => this.#testWords(part)),
        ),
      );
    else if (open === "((") this.#found.push(`((${this.#between(parts)}`);
    else throw unknown(open ?? "test");
  }

  #testWords(node: Node): string[] {
    if (!isNamed(node)) return [node.type];
    if (node.type === "test_operator") return [this.#text(node)];
    if (/^(?:binary|unary|parenthesized)_expression$/.test(node.type))
      return children(node).flatMap((child) => this.#testWords(child));
    return [this.word(node)];
  }

  #visitRedirect(node: Node): void {
    const descriptor = this.#textOf(node, "descriptor");
    const operator = children(node).find((child) => !isNamed(child))?.type ?? "";
    const targets = node.childrenForFieldName("destination").map((target) => this.word(target!));
    if (descriptor.startsWith("{")) throw new Unreadable("it names a file descriptor by a variable");
    if (/^[<>]&-$/.test(operator)) this.#found.push(marks.redirection(descriptor, operator.slice(0, 2), "-"));
    else this.#found.push(marks.redirection(descriptor, operator, targets.shift() ?? ""));
    if (targets.length > 0) this.#lastCommand().words.push(...targets);
  }

  #lastCommand(): OpenCommand {
    const last = this.#found.findLast((found) => !(typeof found === "string" && found.startsWith("redirection ")));
    if (typeof last !== "object") throw new Unreadable("a word follows a redirection");
    return last;
  }

  #visitHereString(node: Node): void {
    const descriptor = this.#textOf(node, "descriptor");
    const targets = children(node).filter((child) => isNamed(child) && child.type !== "file_descriptor");
    if (targets.length !== 1) throw unknown("<<<");
    this.#found.push(marks.redirection(descriptor, "<<<", this.word(targets[0]!)));
  }

  #visitHereDocument(node: Node): void {
    const descriptor = this.#textOf(node, "descriptor");
    const parts = children(node);
    const operator = parts.find(({ type }) => type === "<<" || type === "<<-")?.type;
    const start = parts.find(({ type }) => type === "heredoc_start");
    const body = parts.find(({ type }) => type === "heredoc_body");
    const end = parts.find(({ type }) => type === "heredoc_end");
    if (!operator || !start || !end) throw new Unreadable("a here-document is left open");
    const isQuoted = /['"\\]/.test(this.#text(start));
    const delimiter = this.#text(start).replace(/['"\\]/g, "");
    if (operator === "<<-" && body && /^\t/m.test(this.#text(body)))
      throw new Unreadable("a here-document is indented");
    if (!/^\w+$/.test(delimiter)) throw new Unreadable("a here-document has an unusual end");
    const text = !body
      ? ""
      : isQuoted
        ? marks.quoted(this.#text(body))
        : this.#quotedText(body, body.startIndex, body.endIndex, /[\\$`\n]/);
    this.#found.push(marks.redirection(descriptor, operator, `${delimiter} ${isQuoted} ${text.replace(/\n+$/, "")}`));
    const known = new Set(["<<", "<<-", "file_descriptor", "heredoc_start", "heredoc_body", "heredoc_end"]);
    for (const part of parts.filter(({ type }) => !known.has(type)))
      if (isNamed(part) && WORDS.has(part.type)) this.#lastCommand().words.push(this.word(part));
      else this.visit(part);
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
        return node.namedChildCount > 0 && type !== "word" ? fail(unknown(type)) : unescaped(this.#text(node));
      case "brace_expression":
        return /^\{\w+\.\.\w+\}$/.test(this.#text(node)) ? this.#text(node) : fail(unknown(type));
      case "raw_string":
        return marks.quoted(this.#text(node).slice(1, -1));
      case "ansi_c_string": {
        const decoded = decodeOrFail(this.#text(node).slice(2, -1));
        return marks.quoted(decoded);
      }
      case "string":
        return this.#quotedText(node, node.startIndex + 1, node.endIndex - 1, /[\\$`"\n]/);
      case "concatenation":
        return this.#concatenation(node);
      case "simple_expansion":
        return marks.variable(this.#text(node).trimStart().slice(1), "", []);
      case "expansion":
        return this.#expansion(node);
      case "command_substitution":
        return marks.substitution(this.#inner(node));
      case "process_substitution":
        return marks.process(this.#text(node)[0]!, this.#inner(node));
      case "arithmetic_expansion": {
        const text = this.#text(node).trimStart();
        if (!text.startsWith("$((")) throw unknown("$[");
        return arithmeticMark(text.slice(3, -2));
      }
      case "variable_assignment":
        return this.#assignment(node);
      default:
        throw unknown(type);
    }
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
  #quotedText(node: Node, from: number, to: number, escapable: RegExp): string {
    let at = from;
    let text = "";
    const plain = (end: number) =>
      this.#slice(at, end).replace(/\\([\s\S])/g, (all, next: string) =>
        next === "\n" ? "" : escapable.test(next) ? next : all,
      );
    for (const child of children(node).filter(({ type }) => EXPANSIONS.has(type))) {
      // Blanks before an expansion are given to it.
      const start = child.endIndex - this.#text(child).trimStart().length;
      text += marks.quoted(plain(start)) + this.word(child);
      at = child.endIndex;
    }
    return text + marks.quoted(plain(to));
  }

  #expansion(node: Node): string {
    const inside = this.#text(node).trimStart().slice(2, -1);
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
    const reader = new TreeReader(this.#source);
    for (const child of children(node))
      if (isNamed(child) || !/^(?:\$\(|<\(|>\(|\)|`)$/.test(child.type)) reader.visit(child);
    return reader.finish();
  }

  #text({ startIndex, endIndex }: Node): string {
    return this.#source.slice(startIndex, endIndex);
  }

  #textOf(node: Node, field: string): string {
    const child = node.childForFieldName(field);
    return child ? this.#text(child) : "";
  }

  #slice(from: number, to: number): string {
    return this.#source.slice(from, to);
  }
}

const children = (node: Node): Node[] => node.children.filter((child): child is Node => child !== null);

/** Every named node of the grammar: to ask each node itself costs as much as reading it. */
const NAMED = new Set(
  `
  ansi_c_string arithmetic_expansion array binary_expression brace_expression c_style_for_statement case_item
  case_statement command command_name command_substitution comment compound_statement concatenation
  declaration_command do_group elif_clause else_clause expansion extglob_pattern file_descriptor file_redirect
  for_statement function_definition heredoc_body heredoc_content heredoc_end heredoc_redirect heredoc_start
  herestring_redirect if_statement list negated_command number parenthesized_expression pipeline
  postfix_expression process_substitution program raw_string redirected_statement regex simple_expansion
  special_variable_name string string_content subscript subshell ternary_expression test_command test_operator
  translated_string unary_expression unset_command variable_assignment variable_assignments variable_name
  while_statement word
  `
    .trim()
    .split(/\s+/),
);
const isNamed = (node: Node): boolean => NAMED.has(node.type);

const SEPARATORS = new Set([";", "\n", "\r\n", ";;"]);
const KEYWORDS = new Set("&& || | |& & ! if then elif else fi while until do done { } ( )".split(" "));
const EXPANSIONS = new Set([
  ...["simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"],
]);
const WORDS = new Set([...EXPANSIONS, "word", "number", "string", "raw_string", "ansi_c_string", "concatenation"]);

/** A word without quotes: a backslash takes the meaning from what follows, and the line end away. */
const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_all, next: string) => (next === "\n" ? "" : marks.quoted(next)));

function arithmeticMark(text: string): string {
  if (!marks.isPlainArithmetic(text)) throw new Unreadable("it holds arithmetic that may run something");
  return marks.arithmetic(text);
}

function decodeOrFail(text: string): string {
  return marks.decodeAnsi(text) ?? fail(new Unreadable("it quotes characters by their codes"));
}

const unknown = (type: string): Unreadable => new Unreadable(`it holds "${type.slice(0, 40)}", which is not read`);

function fail(error: Error): never {
  throw error;
}
