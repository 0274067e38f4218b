import type { JsonSchema, ObjectSchema } from "./json-schema.ts";

export type CheckedInput =
  | { readonly ok: true; readonly input: Record<string, unknown> }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Checks a model's arguments against a tool's schema and gathers every problem, worded for the model (aura 1).
 * Lenient where the meaning is certain: `"3"` for 3, `"true"` for true, a JSON text for an array or object, null for
 * an optional parameter that is left out.
 */
export function checkInput(schema: ObjectSchema, input: unknown): CheckedInput {
  const problems: string[] = [];
  const checked = checkObject(schema, input ?? {}, "", problems);
  if (problems.length === 0) return { ok: true, input: checked as Record<string, unknown> };
  const valid = Object.keys(schema.properties).sort().join(", ") || "none";
  return { ok: false, problems: [...problems, `Valid parameters: ${valid}`] };
}

function checkObject(schema: ObjectSchema, given: unknown, at: string, problems: string[]): unknown {
  const value = parsedIfText(given);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    problems.push(`${nameOf(at)}: expected object, got ${typeName(given)}`);
    return given;
  }
  const entries: [string, unknown][] = [];
  const required = new Set(schema.required ?? []);
  for (const [key, item] of Object.entries(value)) {
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    const path = at ? `${at}.${key}` : key;
    if (property === undefined) {
      if (schema.additionalProperties === true) entries.push([key, item]);
      else problems.push(`unknown parameter "${path}"`);
    } else if (item !== null || required.has(key)) entries.push([key, checkValue(property, item, path, problems)]);
  }
  for (const key of required)
    if (!Object.hasOwn(value, key)) problems.push(`missing required parameter "${at ? `${at}.${key}` : key}"`);
  return Object.fromEntries(entries); // an assignment to the key `__proto__` would change the prototype instead
}

function checkValue(schema: JsonSchema, value: unknown, at: string, problems: string[]): unknown {
  switch (schema.type) {
    case "string":
      return checkString(schema, value, at, problems);
    case "boolean": {
      const bool = value === "true" ? true : value === "false" ? false : value;
      if (typeof bool !== "boolean") problems.push(`${nameOf(at)}: expected boolean, got ${typeName(value)}`);
      return bool;
    }
    case "integer":
    case "number":
      return checkNumber(schema, value, at, problems);
    case "array":
      return checkArray(schema, value, at, problems);
    case "object":
      return checkObject(schema, value, at, problems);
  }
}

function checkString(schema: JsonSchema & { type: "string" }, value: unknown, at: string, problems: string[]): unknown {
  if (typeof value !== "string") problems.push(`${nameOf(at)}: expected string, got ${typeName(value)}`);
  else if (schema.enum && !schema.enum.includes(value))
    problems.push(`${nameOf(at)}: "${value}" is not one of ${schema.enum.join(", ")}`);
  else if (value.length < (schema.minLength ?? 0)) problems.push(`${nameOf(at)}: must not be empty`);
  return value;
}

function checkNumber(
  schema: JsonSchema & { type: "integer" | "number" },
  value: unknown,
  at: string,
  problems: string[],
): unknown {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || (schema.type === "integer" && !Number.isInteger(number)))
    problems.push(`${nameOf(at)}: expected ${schema.type}, got ${typeName(value)}`);
  else if (schema.minimum !== undefined && number < schema.minimum)
    problems.push(`${nameOf(at)}: must be at least ${schema.minimum}`);
  else if (schema.maximum !== undefined && number > schema.maximum)
    problems.push(`${nameOf(at)}: must be at most ${schema.maximum}`);
  return number;
}

function checkArray(schema: JsonSchema & { type: "array" }, value: unknown, at: string, problems: string[]): unknown {
  const list = parsedIfText(value);
  if (!Array.isArray(list)) {
    problems.push(`${nameOf(at)}: expected array, got ${typeName(value)}`);
    return value;
  }
  if (list.length < (schema.minItems ?? 0)) problems.push(`${nameOf(at)}: needs at least ${schema.minItems} item(s)`);
  if (schema.maxItems !== undefined && list.length > schema.maxItems)
    problems.push(`${nameOf(at)}: takes at most ${schema.maxItems} items, got ${list.length}`);
  return list.map((item, index) => checkValue(schema.items, item, `${at}[${index}]`, problems));
}

function parsedIfText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // not JSON: the type problem is reported by the caller
  }
}

const nameOf = (at: string) => (at ? `parameter "${at}"` : "arguments");

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
