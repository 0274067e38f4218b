import type * as z from "zod";
import { nearest } from "../text/nearest.ts";
import { type ConfigProblem, problem } from "./problems.ts";

type Path = readonly PropertyKey[];

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Checks data from a file. Every problem is reported, with its line, and an unknown key with the known one it most
 * likely was meant to be.
 * @param lineOf the line of a path inside `data`
 */
export function validate<T>(
  schema: z.ZodType<T>,
  data: unknown,
  file: string,
  lineOf: (path: Path) => number | undefined,
): Checked<T> {
  const result = schema.safeParse(data);
  if (result.success) return { ok: true, value: result.data };
  // A schema that names the place and a code itself.
  const coded = (issue: Issue): ConfigProblem | undefined => {
    const code: unknown = issue.code === "custom" ? issue.params?.["code"] : undefined;
    return typeof code === "string" ? { ...problem(file, lineOf(issue.path), issue.message), code } : undefined;
  };
  return {
    ok: false,
    problems: result.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) =>
            problem(file, lineOf([...issue.path, key]), unknownKey(key, issue.path, keysAt(schema, issue.path))),
          )
        : [coded(issue) ?? problem(file, lineOf(issue.path), `${dotted(issue.path)}${wording(issue, data)}`)],
    ),
  };
}

/** The keys a schema knows at a path; empty where it knows none. */
export function keysAt(schema: z.ZodType, path: Path): readonly string[] {
  let at: unknown = schema;
  for (const key of path) at = step(unwrap(at), key);
  const shape = (unwrap(at) as { shape?: Record<string, unknown> } | undefined)?.shape;
  return shape ? Object.keys(shape) : [];
}

export function unknownKey(key: string, path: Path, known: readonly string[]): string {
  const where = path.length === 0 ? "" : ` in ${path.join(".")}`;
  const near = nearest(key, known);
  const hint = near === undefined ? `known: ${[...known].sort().join(", ")}` : `did you mean "${near}"?`;
  return `unknown key "${key}"${where} (${hint})`;
}

interface Definition {
  readonly shape?: Record<string, unknown>;
  readonly element?: unknown;
  readonly _zod?: { readonly def: { readonly type: string; readonly innerType?: unknown; readonly out?: unknown } };
}

function unwrap(schema: unknown): Definition | undefined {
  let at = schema as Definition | undefined;
  while (at?._zod && !at.shape) {
    const { innerType, out } = at._zod.def;
    const inner = innerType ?? out;
    if (inner === undefined) break;
    at = inner as Definition;
  }
  return at;
}

function step(at: Definition | undefined, key: PropertyKey): unknown {
  return at?.shape?.[String(key)] ?? at?.element;
}

function dotted(path: Path): string {
  return path.length === 0 ? "" : `${path.join(".")}: `;
}

type Issue = z.core.$ZodIssue;

function wording(issue: Issue, data: unknown): string {
  if (issue.code === "invalid_type" && !issue.message.startsWith("expected")) {
    return `expected ${PLAIN[issue.expected] ?? issue.expected}, found ${typeName(valueAt(data, issue.path))}`;
  }
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid")) {
    const found = valueAt(data, issue.path);
    const allowed = issue.values.map((value) => (value === "" ? '""' : String(value)));
    const near = typeof found === "string" ? nearest(found, allowed) : undefined;
    const hint = near === undefined ? "" : ` (did you mean "${near}"?)`;
    return `expected one of ${allowed.join(", ")}, found ${shown(found)}${hint}`;
  }
  return issue.message;
}

const PLAIN: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "a map",
  record: "a map",
  string: "a text",
};

function valueAt(data: unknown, path: Path): unknown {
  let at = data;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | undefined)?.[key];
  return at;
}

function typeName(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : shown(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
