import type { JsonSchema, ObjectSchema } from "../../toolkit/json-schema.ts";

/**
 * Arguments with the names as the schema spells them: clients may write `file_path` for `filePath` and the other way
 * round, also inside lists and objects. A name given in both spellings keeps both, for the input check to refuse.
 */
export function respell(schema: ObjectSchema, input: unknown): unknown {
  return respellObject(schema, input);
}

function respellObject(schema: ObjectSchema, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const byForm = new Map(Object.keys(schema.properties).map((name) => [formOf(name), name]));
  const entries = Object.entries(input).map(([given, value]): [string, unknown] => {
    const wanted = Object.hasOwn(schema.properties, given) ? given : byForm.get(formOf(given));
    const name = wanted !== undefined && (wanted === given || !Object.hasOwn(input, wanted)) ? wanted : given;
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    return [name, property ? respellValue(property, value) : value];
  });
  return Object.fromEntries(entries);
}

function respellValue(schema: JsonSchema, value: unknown): unknown {
  if (schema.type === "object") return respellObject(schema, value);
  if (schema.type === "array" && Array.isArray(value)) return value.map((item) => respellValue(schema.items, item));
  return value;
}

/** `filePath`, `file_path` and `FilePath` have one form. */
const formOf = (name: string): string => name.replaceAll("_", "").toLowerCase();
