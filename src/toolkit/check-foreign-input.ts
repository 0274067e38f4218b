import type { ErrorObject, ValidateFunction } from "ajv";
import type { CheckedInput } from "./check-input.ts";

type Validator = ValidateFunction<Record<string, unknown>>;

/** Schemas larger than this (characters of JSON) are left to the tool to check: compiling them would be felt. */
const LARGEST_SCHEMA = 200_000;
/** Times a value is read anew after a problem of type. */
const READINGS = 20;

/**
 * A check of a model's arguments by a JSON Schema (2020-12 or draft 7) that somebody else wrote. As lenient as the one
 * for our own tools: `"3"` for 3, a JSON text for an array or object, null for what may be left out. The validator is
 * loaded and compiled at the first call. A schema it cannot read is not ours to refuse by: the tool then checks alone.
 */
export function checkerFor(schema: unknown): (input: unknown) => Promise<CheckedInput> {
  let compiled: Promise<Validator | undefined> | undefined;
  return async (input) => {
    const given = parsedIfText(input ?? {});
    if (typeof given !== "object" || given === null || Array.isArray(given))
      return {
        ok: false,
        problems: [`arguments: expected object, got ${Array.isArray(given) ? "array" : typeof given}`],
      };
    compiled ??= compile(schema);
    const validate = await compiled;
    const value = structuredClone(given) as Record<string, unknown>;
    if (!validate) return { ok: true, input: value };
    for (let reading = 0; ; reading++) {
      if (validate(value)) return { ok: true, input: value };
      const problems = validate.errors ?? [];
      if (reading >= READINGS || !problems.some((problem) => readAnew(value, problem)))
        return { ok: false, problems: [...wordProblems(problems), ...knownParameters(schema)] };
    }
  };
}

async function compile(schema: unknown): Promise<Validator | undefined> {
  if (JSON.stringify(schema).length > LARGEST_SCHEMA) return undefined;
  // `default`: the bundle knows no other name of a CommonJS module that is imported lazily.
  const { default: Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: anyText },
  });
  try {
    // The dialects differ in nothing a tool's parameters use, and an unknown `$schema` would be refused.
    const { $schema: _, $id: __, ...plain } = schema as Record<string, unknown>;
    return ajv.compile<Record<string, unknown>>(plain);
  } catch {
    return undefined;
  }
}

/** Patterns are not tried: one from outside could take for ever on a text, and the tool checks its own anyway. */
const anyText = Object.assign(() => ({ test: () => true }) as unknown as RegExp, { code: "anyText" });

/** Replaces the value a type problem is about by what it may have meant. False when there is no such reading. */
function readAnew(root: Record<string, unknown>, problem: ErrorObject): boolean {
  if (problem.keyword !== "type") return false;
  const steps = problem.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.pop();
  if (last === undefined) return false;
  let holder: unknown = root;
  for (const step of steps) holder = Object(holder)[step];
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, last)) return false;
  const parent = holder as Record<string, unknown>;
  const value = parent[last];
  if (value === null && !Array.isArray(parent)) return delete parent[last];
  const meant = typeof value === "string" ? parsedIfText(value, /^\s*([[{]|-?\d|true$|false$)/) : value;
  if (meant === value) return false;
  parent[last] = meant;
  return true;
}

function parsedIfText(value: unknown, when = /^\s*[[{]/): unknown {
  if (typeof value !== "string" || !when.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function wordProblems(problems: readonly ErrorObject[]): string[] {
  const words = problems.map((problem) => {
    const at = problem.instancePath.slice(1).replaceAll("/", ".");
    const { params } = problem as { params: Record<string, unknown> };
    if (problem.keyword === "required")
      return `missing required parameter "${[at, params["missingProperty"]].filter(Boolean).join(".")}"`;
    if (problem.keyword === "additionalProperties")
      return `unknown parameter "${[at, params["additionalProperty"]].filter(Boolean).join(".")}"`;
    if (problem.keyword === "enum")
      return `parameter "${at}": not one of ${(params["allowedValues"] as unknown[]).map(String).join(", ")}`;
    return `${at ? `parameter "${at}"` : "arguments"}: ${problem.message ?? problem.keyword}`;
  });
  return [...new Set(words)].slice(0, 20);
}

function knownParameters(schema: unknown): string[] {
  const { properties } = Object(schema) as { properties?: unknown };
  const names = Object.keys(Object(properties));
  return names.length > 0 ? [`Valid parameters: ${names.sort().join(", ")}`] : [];
}
