import type { Script } from "./syntax.ts";

/** What a script does to its variables, wherever it stands. */
export interface Variables {
  /** Set in a function's body, which runs who knows when. */
  readonly inFunctions: ReadonlySet<string>;
  /** Only ever given whole numbers. */
  readonly numeric: ReadonlySet<string>;
  /** Some of its text is only made when it runs. */
  readonly isOpen: boolean;
}

export function surveyVariables(script: Script): Variables {
  const survey = {
    inFunctions: new Set<string>(),
    numbers: new Set<string>(),
    others: new Set<string>(),
    isOpen: false,
  };
  visit(script, survey, false);
  return {
    ...survey,
    numeric: new Set(survey.isOpen ? [] : [...survey.numbers].filter((name) => !survey.others.has(name))),
  };
}

/** Every name something inside sets. */
export function assignedIn(node: unknown): ReadonlySet<string> {
  const survey = {
    inFunctions: new Set<string>(),
    numbers: new Set<string>(),
    others: new Set<string>(),
    isOpen: false,
  };
  visit(node, survey, false);
  return new Set([...survey.numbers, ...survey.others]);
}

interface Survey {
  readonly inFunctions: Set<string>;
  readonly numbers: Set<string>;
  readonly others: Set<string>;
  isOpen: boolean;
}

interface AnyNode {
  readonly type?: string;
  readonly name?: unknown;
  readonly [key: string]: unknown;
}

/** Looks at every node of the tree, whatever it is called. */
function visit(value: unknown, survey: Survey, isFunction: boolean): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, survey, isFunction);
    return;
  }
  const node = value as AnyNode;
  const isInside = isFunction || node.type === "FunctionDef";
  for (const [name, isNumber] of setBy(node, survey)) {
    (isNumber ? survey.numbers : survey.others).add(name);
    if (isInside) survey.inFunctions.add(name);
  }
  // Not Object.values: this runs for every node of long scripts, and need make nothing.
  for (const key in node) if (typeof node[key] === "object") visit(node[key], survey, isInside);
}

function setBy(node: AnyNode, survey: Survey): readonly (readonly [name: string, isNumber: boolean])[] {
  switch (node.type) {
    case "Assignment":
      return [[String(node.name), isNumber(node["value"]) && node["append"] !== true && node["array"] === null]];
    case "For":
      return [[String(node["variable"]), Array.isArray(node["words"]) && node["words"].every(isNumber)]];
    case "ArithmeticExpression":
      return [...String(node["originalText"] ?? "").matchAll(/[A-Za-z_]\w*/g)].map(([name]) => [name, true] as const);
    case "SimpleCommand": {
      const words = [node.name, ...((node["args"] as readonly unknown[] | undefined) ?? [])].map(headOf);
      const name = words.find((word) => word !== "command" && word !== "builtin");
      if (node.name && (OPENING.has(name ?? "") || !isPlain(node.name))) survey.isOpen = true;
      if (!SETTERS.has(words[0] ?? "")) return [];
      return words.slice(1).flatMap((word) => {
        const name = /^([A-Za-z_]\w*)/.exec(word ?? "")?.[1];
        return name === undefined ? [] : [[name, false] as const];
      });
    }
    default:
      return [];
  }
}

/** Run a text in this very shell. */
const OPENING = new Set(["eval", "source", ".", "trap", "mapfile", "readarray"]);
const SETTERS = new Set(
  "export declare local readonly typeset read unset printf mapfile readarray getopts let eval command builtin time".split(
    " ",
  ),
);

const isPlain = (word: unknown): boolean =>
  ((word as { readonly parts?: readonly AnyNode[] }).parts ?? []).every(
    (part) =>
      typeof part["value"] === "string" || part.type === "Glob" || (part.type === "DoubleQuoted" && isPlain(part)),
  );

/** A word as far as it is plain text. */
function headOf(word: unknown): string | undefined {
  const parts = (word as { readonly parts?: readonly AnyNode[] } | null)?.parts;
  if (!parts) return undefined;
  let text = "";
  for (const part of parts) {
    const inner = part.type === "DoubleQuoted" ? headOf(part) : part["value"];
    if (typeof inner !== "string") break;
    text += inner;
  }
  return text;
}

function isNumber(word: unknown): boolean {
  const parts = (word as { readonly parts?: readonly AnyNode[] } | null)?.parts ?? [];
  const [only] = parts;
  if (parts.length !== 1 || only === undefined) return false;
  if (only.type === "ArithmeticExpansion") return true;
  if (only.type === "BraceExpansion")
    return (only["items"] as readonly AnyNode[]).every(
      (item) => item.type === "Range" && typeof item["start"] === "number" && typeof item["end"] === "number",
    );
  return only.type === "Literal" && /^\d+$/.test(String(only["value"]));
}
