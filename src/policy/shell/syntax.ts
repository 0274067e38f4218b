import type { CommandNode, ScriptNode, SimpleCommandNode, StatementNode, WordNode } from "just-bash";

/** The syntax tree of just-bash, by the names we use. The package exports only some of its types by name. */
export type Script = ScriptNode;
export type Statement = StatementNode;
export type Command = CommandNode;
export type SimpleCommand = SimpleCommandNode;
export type Word = WordNode;
export type Piece = Word["parts"][number];
export type Assignment = SimpleCommand["assignments"][number];
export type Redirection = SimpleCommand["redirections"][number];
export type Expansion = Extract<Piece, { type: "ParameterExpansion" }>;
export type Arithmetic = Extract<Piece, { type: "ArithmeticExpansion" }>["expression"];
export type Condition = Extract<Command, { type: "ConditionalCommand" }>["expression"];
export type Brace = Extract<Piece, { type: "BraceExpansion" }>;

/** A text that cannot be read for certain. The message says why, as the end of a sentence about the command. */
export class Unreadable extends Error {}
