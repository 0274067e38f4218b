// The file behind the scripted provider, checked so strictly that a slip is named with its place.

export interface Script {
  readonly model: { readonly name: string; readonly context?: number };
  readonly turns: readonly ScriptTurn[];
  /** After the last turn the first comes again. */
  readonly loop?: boolean;
}

export interface ScriptTurn {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** Characters per delta; absent sends each text as one. */
  readonly chunk?: number;
  /** Milliseconds before each delta. */
  readonly delay_ms?: number;
  readonly error?: { readonly kind: string; readonly message: string; readonly retry_after_ms?: number };
  /** What the request must hold: texts, and tools offered; and what it must not. */
  readonly expect?: {
    readonly contains?: readonly string[];
    readonly lacks?: readonly string[];
    readonly tools?: readonly string[];
    readonly hides?: readonly string[];
  };
}

/** What is wrong with a script, and where. */
export class ScriptError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ScriptError";
  }
}

/** JSON when the text begins like it, else YAML. `from` names the file in errors. Throws ScriptError. */
export async function parseScript(text: string, from: string): Promise<Script> {
  let value: unknown;
  try {
    value = /^\s*\{/.test(text) ? JSON.parse(text) : (await import("yaml")).parse(text);
  } catch (error) {
    throw new ScriptError(`${from}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const problem = check(value, SCRIPT, "");
  if (problem !== undefined) throw new ScriptError(`${from}: ${problem}`);
  return value as Script;
}

type Shape =
  | "text"
  | "number"
  | "boolean"
  | "anything"
  | { readonly list: Shape }
  | { readonly required: readonly string[]; readonly fields: Readonly<Record<string, Shape>> };

const TEXTS: Shape = { list: "text" };
const TURN: Shape = {
  required: [],
  fields: {
    text: "text",
    thinking: "text",
    calls: { list: { required: ["tool"], fields: { tool: "text", input: "anything" } } },
    usage: { required: ["input", "output"], fields: { input: "number", output: "number", cached: "number" } },
    chunk: "number",
    delay_ms: "number",
    error: { required: ["kind", "message"], fields: { kind: "text", message: "text", retry_after_ms: "number" } },
    expect: { required: [], fields: { contains: TEXTS, lacks: TEXTS, tools: TEXTS, hides: TEXTS } },
  },
};
const SCRIPT: Shape = {
  required: ["model", "turns"],
  fields: {
    model: { required: ["name"], fields: { name: "text", context: "number" } },
    turns: { list: TURN },
    loop: "boolean",
  },
};

/** The first problem, worded, or nothing. */
function check(value: unknown, shape: Shape, at: string): string | undefined {
  const where = at === "" ? "the script" : at;
  if (shape === "anything") return undefined;
  if (typeof shape === "string") {
    if (shape === "number") {
      return typeof value === "number" && value >= 0 ? undefined : `${where} must be a number, 0 or more`;
    }
    return typeof value === (shape === "text" ? "string" : shape) ? undefined : `${where} must be a ${shape}`;
  }
  if ("list" in shape) {
    if (!Array.isArray(value)) return `${where} must be a list`;
    return first(value.map((item, i) => () => check(item, shape.list, `${at}[${i + 1}]`)));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `${where} must be a map`;
  const record = value as Record<string, unknown>;
  const known = Object.keys(shape.fields);
  for (const key of Object.keys(record)) {
    if (!known.includes(key)) return `${where} has an unknown key "${key}": did you mean "${nearest(key, known)}"?`;
  }
  for (const key of shape.required) if (record[key] === undefined) return `${where} lacks "${key}"`;
  return first(
    Object.entries(record).map(
      ([key, field]) =>
        () =>
          check(field, shape.fields[key]!, at === "" ? key : `${at}.${key}`),
    ),
  );
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const run of checks) {
    const problem = run();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nearest(key: string, known: readonly string[]): string {
  return known.reduce((best, name) => (distance(key, name) < distance(key, best) ? name : best));
}

/** Levenshtein's edit distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
