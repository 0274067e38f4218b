import type { Node } from "web-tree-sitter";
import * as marks from "./marks.ts";
import { Unreadable } from "./syntax.ts";
import { children, isNamed, KEYWORDS, SEPARATORS, unknown, WORDS } from "./tree-nodes.ts";
import { TreeWords } from "./tree-words.ts";

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
  readonly #words: TreeWords;
  readonly #found: (marks.Finding | OpenCommand)[] = [];

  constructor(source: string) {
    this.#words = new TreeWords(source, (script) => {
      const inner = new TreeReader(source);
      for (const node of script) inner.visit(node);
      return inner.finish();
    });
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
          words: children(node).map((child) => (isNamed(child) ? this.#words.word(child) : child.type)),
        });
        return;
      case "variable_assignment":
        this.#found.push({ assignments: [this.#words.assignment(node)], words: [] });
        return;
      case "variable_assignments":
        this.#found.push({ assignments: children(node).map((child) => this.#words.assignment(child)), words: [] });
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
    return this.#words.arithmetic(this.#words.slice(parts[0]!.endIndex, parts.at(-1)!.startIndex));
  }

  #visitCommand(node: Node): void {
    const command: OpenCommand = { assignments: [], words: [] };
    const later: Node[] = [];
    for (const child of children(node)) {
      if (child.type === "variable_assignment") command.assignments.push(this.#words.assignment(child));
      else if (child.type.endsWith("_redirect")) later.push(child);
      else if (child.type === "command_name")
        command.words.push(
          children(child)
            .map((part) => this.#words.word(part))
            .join(""),
        );
      else command.words.push(this.#words.word(child));
    }
    if (command.words.length + command.assignments.length > 0) this.#found.push(command);
    this.#visitAll(later);
  }

  #visitFor(node: Node): void {
    const name = this.#words.textOf(node, "variable");
    const parts = children(node);
    if (parts[0]?.type !== "for") throw unknown("select");
    const hasWords = parts.some(({ type }) => type === "in");
    const values = node.childrenForFieldName("value").filter((value) => value && isNamed(value));
    const list = values.map((value) => this.#words.word(value!));
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
    this.#found.push(marks.words("case", [this.#words.word(value)]));
    for (const item of children(node).filter(({ type }) => type === "case_item")) {
      const patterns = item.childrenForFieldName("value").filter((pattern) => pattern && isNamed(pattern));
      this.#found.push(
        marks.words(
          "item",
          patterns.map((pattern) => this.#words.word(pattern!)),
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
    this.#found.push(marks.words("function", [this.#words.text(name)]));
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
    if (node.type === "test_operator") return [this.#words.text(node)];
    if (/^(?:binary|unary|parenthesized)_expression$/.test(node.type))
      return children(node).flatMap((child) => this.#testWords(child));
    return [this.#words.word(node)];
  }

  #visitRedirect(node: Node): void {
    const descriptor = this.#words.textOf(node, "descriptor");
    const operator = children(node).find((child) => !isNamed(child))?.type ?? "";
    const targets = node.childrenForFieldName("destination").map((target) => this.#words.word(target!));
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
    const descriptor = this.#words.textOf(node, "descriptor");
    const targets = children(node).filter((child) => isNamed(child) && child.type !== "file_descriptor");
    if (targets.length !== 1) throw unknown("<<<");
    this.#found.push(marks.redirection(descriptor, "<<<", this.#words.word(targets[0]!)));
  }

  #visitHereDocument(node: Node): void {
    const descriptor = this.#words.textOf(node, "descriptor");
    const parts = children(node);
    const operator = parts.find(({ type }) => type === "<<" || type === "<<-")?.type;
    const start = parts.find(({ type }) => type === "heredoc_start");
    const body = parts.find(({ type }) => type === "heredoc_body");
    const end = parts.find(({ type }) => type === "heredoc_end");
    if (!operator || !start || !end) throw new Unreadable("a here-document is left open");
    const isQuoted = /['"\\]/.test(this.#words.text(start));
    const delimiter = this.#words.text(start).replace(/['"\\]/g, "");
    if (operator === "<<-" && body && /^\t/m.test(this.#words.text(body)))
      throw new Unreadable("a here-document is indented");
    if (!/^\w+$/.test(delimiter)) throw new Unreadable("a here-document has an unusual end");
    const text = !body
      ? ""
      : isQuoted
        ? marks.quoted(this.#words.text(body))
        : this.#words.quotedText(body, body.startIndex, body.endIndex, /[\\$`\n]/);
    this.#found.push(marks.redirection(descriptor, operator, `${delimiter} ${isQuoted} ${text.replace(/\n+$/, "")}`));
    const known = new Set(["<<", "<<-", "file_descriptor", "heredoc_start", "heredoc_body", "heredoc_end"]);
    for (const part of parts.filter(({ type }) => !known.has(type)))
      if (isNamed(part) && WORDS.has(part.type)) this.#lastCommand().words.push(this.#words.word(part));
      else this.visit(part);
  }
}
