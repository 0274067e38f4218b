import * as marks from "./marks.ts";
import {
  type Arithmetic,
  type Assignment,
  type Brace,
  type Command,
  type Condition,
  type Expansion,
  type Piece,
  type Redirection,
  type Script,
  type SimpleCommand,
  type Statement,
  Unreadable,
  type Word,
} from "./syntax.ts";

/**
 * What just-bash found, in order. The walk knows a list of node types and what each may hold; anything else ends it.
 *
 * @throws Unreadable
 */
export const findingsOfScript = (script: Script): marks.Finding[] => script.statements.flatMap(findingsOfStatement);

function findingsOfStatement(statement: Statement): marks.Finding[] {
  if (statement.deferredError) throw new Unreadable("it is no sound shell text");
  const found: marks.Finding[] = [];
  for (const [at, pipeline] of statement.pipelines.entries()) {
    const operator = at > 0 ? statement.operators[at - 1] : undefined;
    if (operator !== undefined && operator !== ";") found.push(operator);
    if (pipeline.negated) found.push("!");
    for (const [index, command] of pipeline.commands.entries()) {
      if (index > 0) found.push(pipeline.pipeStderr?.[index - 1] ? "|&" : "|");
      const isTimed = index === 0 && pipeline.timed;
      if (isTimed && (command.type !== "SimpleCommand" || pipeline.negated))
        throw new Unreadable("it times more than one command");
      const prefix = isTimed ? ["time", ...(pipeline.timePosix ? ["-p"] : [])] : [];
      found.push(...findingsOfCommand(command, prefix));
    }
  }
  return statement.background ? [...found, "&"] : found;
}

function findingsOfCommand(command: Command, prefix: readonly string[]): marks.Finding[] {
  if (command.type === "SimpleCommand") return findingsOfSimple(command, prefix);
  return [...findingsOfCompound(command), ...command.redirections.map(findingOfRedirection)];
}

function findingsOfSimple(command: SimpleCommand, prefix: readonly string[]): marks.Finding[] {
  const words = [...prefix, ...(command.name ? [command.name] : []).map(wordMark), ...command.args.map(wordMark)];
  const assignments = command.assignments.map(assignmentMark);
  if (prefix.length > 0 && assignments.length > 0) throw new Unreadable("it times a command with variables of its own");
  const redirections = command.redirections.map(findingOfRedirection);
  return words.length + assignments.length === 0 ? redirections : [marks.command(assignments, words), ...redirections];
}

function findingsOfCompound(command: Exclude<Command, SimpleCommand>): marks.Finding[] {
  const body = (statements: readonly Statement[]) => statements.flatMap(findingsOfStatement);
  switch (command.type) {
    case "If": {
      const clauses = command.clauses.flatMap(({ condition, body: then }, at) => [
        at === 0 ? "if" : "elif",
        ...body(condition),
        "then",
        ...body(then),
      ]);
      return [...clauses, ...(command.elseBody ? ["else", ...body(command.elseBody)] : []), "fi"];
    }
    case "For":
      return [
        marks.words(`for ${command.variable}`, command.words?.map(wordMark) ?? ["\u0002@"]),
        ...body(command.body),
        "done",
      ];
    case "While":
    case "Until":
      return [command.type.toLowerCase(), ...body(command.condition), "do", ...body(command.body), "done"];
    case "Case":
      return [
        marks.words("case", [wordMark(command.word)]),
        ...command.items.flatMap((item) => [marks.words("item", item.patterns.map(wordMark)), ...body(item.body)]),
        "esac",
      ];
    case "Subshell":
      return ["(", ...body(command.body), ")"];
    case "Group":
      return ["{", ...body(command.body), "}"];
    case "FunctionDef":
      return [marks.words("function", [command.name]), ...findingsOfCommand(command.body, [])];
    case "ArithmeticCommand":
      return [`((${arithmeticMark(command.expression)}`];
    case "ConditionalCommand":
      return [marks.words("[[", conditionMarks(command.expression))];
    default:
      throw new Unreadable(`it holds a ${command.type}, which is not read`);
  }
}

function conditionMarks(condition: Condition): string[] {
  switch (condition.type) {
    case "CondWord":
      return [wordMark(condition.word)];
    case "CondUnary":
      return [condition.operator, wordMark(condition.operand)];
    case "CondBinary":
      return [wordMark(condition.left), condition.operator, wordMark(condition.right)];
    case "CondNot":
      return ["!", ...conditionMarks(condition.operand)];
    case "CondAnd":
      return [...conditionMarks(condition.left), "&&", ...conditionMarks(condition.right)];
    case "CondOr":
      return [...conditionMarks(condition.left), "||", ...conditionMarks(condition.right)];
    case "CondGroup":
      return ["(", ...conditionMarks(condition.expression), ")"];
  }
}

function assignmentMark({ name, value, append, array }: Assignment): string {
  if (!/^\w+$/.test(name)) throw new Unreadable("it sets one element of a variable");
  const text = array ? `(${JSON.stringify(array.map(wordMark))}` : value ? wordMark(value) : "";
  return `${name}${append ? "+" : ""}=${text}`;
}

function findingOfRedirection({ fd, fdVariable, operator, target }: Redirection): marks.Finding {
  if (fdVariable !== undefined) throw new Unreadable("it names a file descriptor by a variable");
  const descriptor = fd === null ? "" : String(fd);
  if (target.type === "Word") return marks.redirection(descriptor, operator, wordMark(target));
  if (target.terminated === false) throw new Unreadable("a here-document is left open");
  const text = target.content.parts.map((piece) => pieceMark(piece, true)).join("");
  return marks.redirection(descriptor, operator, `${target.delimiter} ${target.quoted} ${text.replace(/\n+$/, "")}`);
}

const wordMark = (word: Word): string => word.parts.map((piece) => pieceMark(piece, false)).join("");

function pieceMark(piece: Piece, isQuoted: boolean): string {
  switch (piece.type) {
    case "Literal":
      return isQuoted ? marks.quoted(piece.value) : piece.value;
    case "SingleQuoted":
    case "Escaped":
      return marks.quoted(piece.value);
    case "DoubleQuoted":
      return piece.parts.map((part) => pieceMark(part, true)).join("");
    case "Glob":
      return isQuoted ? marks.quoted(piece.pattern) : piece.pattern;
    case "TildeExpansion":
      return `~${piece.user ?? ""}`;
    case "BraceExpansion":
      return braceMark(piece);
    case "CommandSubstitution":
      return marks.substitution(findingsOfScript(piece.body));
    case "ProcessSubstitution":
      return marks.process(piece.direction === "input" ? "<" : ">", findingsOfScript(piece.body));
    case "ArithmeticExpansion":
      return arithmeticMark(piece.expression);
    case "ParameterExpansion":
      return marks.variable(piece.parameter, operatorOf(piece), wordsOf(piece).map(wordMark).filter(hasInner));
    default:
      throw new Unreadable("it holds an expansion that is not read");
  }
}

/** Of the words inside an expansion only what runs or expands is compared. */
const hasInner = (mark: string): boolean => mark.includes("\u0002");

function braceMark({ items }: Brace): string {
  const [first] = items;
  if (first?.type === "Range") {
    const { start, end, startStr, endStr, step } = first;
    return `{${startStr ?? start}..${endStr ?? end}${step === undefined ? "" : `..${step}`}}`;
  }
  return `{${items.map((item) => (item.type === "Word" ? wordMark(item.word) : "\u0005")).join(",")}}`;
}

function arithmeticMark({ originalText }: Arithmetic): string {
  if (originalText === undefined || !marks.isPlainArithmetic(originalText))
    throw new Unreadable("it holds arithmetic that may run something");
  return marks.arithmetic(originalText);
}

/** The operator of an expansion as it is written. */
function operatorOf({ parameter, operation }: Expansion): string {
  if (!PARAMETER.test(parameter)) throw new Unreadable("it names an element of a variable in a way that is not read");
  if (operation === null) return "";
  switch (operation.type) {
    case "DefaultValue":
      return operation.checkEmpty ? ":-" : "-";
    case "UseAlternative":
      return operation.checkEmpty ? ":+" : "+";
    case "ErrorIfUnset":
      return operation.checkEmpty ? ":?" : "?";
    case "Length":
      return "#n";
    case "PatternRemoval": {
      const sign = operation.side === "prefix" ? "#" : "%";
      return operation.greedy ? sign + sign : sign;
    }
    case "PatternReplacement":
      return operation.all ? "//" : operation.anchor === "start" ? "/#" : operation.anchor === "end" ? "/%" : "/";
    case "CaseModification": {
      const sign = operation.direction === "upper" ? "^" : ",";
      return operation.all ? sign + sign : sign;
    }
    case "Substring": {
      const parts = [operation.offset, ...(operation.length ? [operation.length] : [])];
      // Anything but a number is evaluated, and may run something.
      if (parts.every(({ originalText }) => /^\s*-?\d+\s*$/.test(originalText ?? ""))) return ":n";
      throw new Unreadable("it computes a part of a variable");
    }
    default:
      throw new Unreadable("it expands a variable in a way that is not read");
  }
}

const PARAMETER = /^(?:[A-Za-z_]\w*(?:\[(?:@|\*|\d+)\])?|\d+|[@*#?$!-])$/;

/** The words inside `${…}`. */
export function wordsOf({ operation }: Expansion): readonly Word[] {
  if (operation === null) return [];
  switch (operation.type) {
    case "DefaultValue":
    case "UseAlternative":
      return [operation.word];
    case "ErrorIfUnset":
      return operation.word ? [operation.word] : [];
    case "PatternRemoval":
      return [operation.pattern];
    case "PatternReplacement":
      return [operation.pattern, ...(operation.replacement ? [operation.replacement] : [])];
    case "CaseModification":
      return operation.pattern ? [operation.pattern] : [];
    default:
      return [];
  }
}
