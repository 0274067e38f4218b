import type { Node } from "web-tree-sitter";
import { Unreadable } from "./syntax.ts";

export const children = (node: Node): Node[] => node.children.filter((child): child is Node => child !== null);

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
export const isNamed = (node: Node): boolean => NAMED.has(node.type);

export const SEPARATORS = new Set([";", "\n", "\r\n", ";;"]);
export const KEYWORDS = new Set("&& || | |& & ! if then elif else fi while until do done { } ( )".split(" "));
export const EXPANSIONS = new Set([
  ...["simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"],
]);
export const WORDS = new Set([
  ...EXPANSIONS,
  "word",
  "number",
  "string",
  "raw_string",
  "ansi_c_string",
  "concatenation",
]);

export const unknown = (type: string): Unreadable =>
  new Unreadable(`it holds "${type.slice(0, 40)}", which is not read`);
