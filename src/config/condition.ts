import { nearest } from "../text/nearest.ts";

/** What conditions ask about (aura 10). */
export interface ConditionFacts {
  readonly todo: { readonly total: number /** Pending or in progress. */; readonly open: number };
  readonly auto: boolean;
  /** Percent of the context window in use. */
  readonly context: number;
  readonly counts: Readonly<Record<CountName, number>>;
  readonly model: {
    readonly name: string;
    /** Tokens; 0 = unknown. */
    readonly context: number;
    /** Billions; 0 = unknown. */
    readonly params: number;
    readonly capabilities: readonly string[];
  };
  exists(path: string): Promise<boolean>;
  /** Runs a shell command; true when it exits with 0 in time. */
  succeeds(command: string): Promise<boolean>;
}

const COUNTS = ["history", "tool_errors", "tool_calls", "turns", "compactions", "iteration", "tokens_total"] as const;
type CountName = (typeof COUNTS)[number];

/**
 * Whether `[not] atom and [not] atom …` holds. Never throws: an unknown name and a value that is no number are false.
 * ` and ` inside quotes does not divide.
 */
export async function holds(condition: string, facts: ConditionFacts): Promise<boolean> {
  for (const term of terms(condition)) {
    const atom = ATOMS.get(term.name);
    const value = atom ? await atom.holds(term.value, facts) : false;
    if (value === term.negated) return false;
  }
  return true;
}

/** What is wrong with a condition, for the person who wrote it; undefined when nothing is. */
export function checkCondition(condition: string): string | undefined {
  for (const { name, value } of terms(condition)) {
    const atom = ATOMS.get(name);
    if (!atom) {
      const near = nearest(name, ATOMS.keys());
      return `unknown condition "${name}"${near === undefined ? "" : ` (did you mean "${near}"?)`}`;
    }
    if (atom.takes !== "nothing" && value === "") return `condition "${name}" requires a value`;
    if (atom.takes === "integer" && !/^-?\d+$/.test(value)) return `condition "${name}": "${value}" is not an integer`;
    if (atom.takes === "number" && !Number.isFinite(Number(value))) {
      return `condition "${name}": "${value}" is not a number`;
    }
  }
  return undefined;
}

/** Whether it would run a command or look for a file, rather than only ask about the conversation. */
export function looksOutside(condition: string): boolean {
  return terms(condition).some(({ name }) => name === "bash" || name === "exists");
}

interface Term {
  readonly negated: boolean;
  readonly name: string;
  readonly value: string;
}

function terms(condition: string): readonly Term[] {
  return divide(condition).map((part) => {
    const negated = part.startsWith("not ");
    const atom = negated ? part.slice(4).trim() : part;
    const cut = atom.indexOf(":");
    if (cut < 0) return { negated, name: atom, value: "" };
    return { negated, name: atom.slice(0, cut).trim(), value: unquoted(atom.slice(cut + 1).trim()) };
  });
}

function divide(condition: string): readonly string[] {
  const parts: string[] = [];
  let quote = "";
  let start = 0;
  for (let at = 0; at < condition.length; at++) {
    const letter = condition[at]!;
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (condition.startsWith(" and ", at)) {
      parts.push(condition.slice(start, at).trim());
      start = at + 5;
      at += 4;
    }
  }
  parts.push(condition.slice(start).trim());
  return parts;
}

function unquoted(value: string): string {
  return /^"[^"]*"$|^'[^']*'$/.test(value) ? value.slice(1, -1) : value;
}

interface Atom {
  readonly takes: "nothing" | "integer" | "number" | "text";
  holds(value: string, facts: ConditionFacts): boolean | Promise<boolean>;
}

function integer(compare: (value: number, facts: ConditionFacts) => boolean): Atom {
  return { takes: "integer", holds: (value, facts) => /^-?\d+$/.test(value) && compare(Number(value), facts) };
}

function plain(test: (facts: ConditionFacts) => boolean): Atom {
  return { takes: "nothing", holds: (_value, facts) => test(facts) };
}

function params(compare: (value: number, known: number) => boolean): Atom {
  const test = (value: string, { model }: ConditionFacts) =>
    value !== "" && Number.isFinite(Number(value)) && model.params > 0 && compare(Number(value), model.params);
  return { takes: "number", holds: test };
}

const ATOMS: ReadonlyMap<string, Atom> = new Map<string, Atom>([
  ["todo_empty", plain(({ todo }) => todo.total === 0)],
  ["todo_done", plain(({ todo }) => todo.total > 0 && todo.open === 0)],
  ["todo_pending", plain(({ todo }) => todo.open > 0)],
  ["auto", plain(({ auto }) => auto)],
  ["context_above", integer((value, { context }) => context >= value)],
  ["context_below", integer((value, { context }) => context < value)],
  ...COUNTS.flatMap((name): [string, Atom][] => [
    [`${name}_gt`, integer((value, { counts }) => counts[name] > value)],
    [`${name}_lt`, integer((value, { counts }) => counts[name] < value)],
  ]),
  ["model_context_gt", integer((value, { model }) => model.context > 0 && model.context > value)],
  ["model_context_lt", integer((value, { model }) => model.context > 0 && model.context < value)],
  ["model_params_gt", params((value, known) => known > value)],
  ["model_params_lt", params((value, known) => known < value)],
  ["model_has", { takes: "text", holds: (value, { model }) => model.capabilities.includes(value) }],
  ["model_is", { takes: "text", holds: (value, { model }) => model.name.toLowerCase() === value.toLowerCase() }],
  ["exists", { takes: "text", holds: (value, facts) => facts.exists(value) }],
  ["bash", { takes: "text", holds: (value, facts) => facts.succeeds(value) }],
]);
