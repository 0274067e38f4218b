import { isTree, type Tree } from "../../traced.ts";

type Shape = "text" | "list" | "map" | "flag" | "number" | readonly string[];

/**
 * What is wrong with the keys of an entry: one of a wrong type, a needed one that is missing.
 * @param strict keys that are not in `shapes` are wrong as well
 */
export function wrongKeys(
  entry: Tree,
  shapes: Readonly<Record<string, Shape>>,
  needed: readonly string[],
  strict = false,
): readonly string[] {
  const wrong = Object.entries(entry).flatMap(([key, value]) => {
    const shape = shapes[key];
    if (shape === undefined) return strict ? [`"${key}" is not allowed`] : [];
    return fits(value, shape) ? [] : [`"${key}" has a wrong value`];
  });
  return [...wrong, ...needed.filter((key) => entry[key] === undefined).map((key) => `"${key}" is missing`)];
}

function fits(value: unknown, shape: Shape): boolean {
  switch (shape) {
    case "text":
      return typeof value === "string" && value !== "";
    case "list":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "map":
      return isTree(value) && Object.values(value).every((item) => typeof item === "string");
    case "flag":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" && value >= 0;
    default:
      return shape.includes(value as string);
  }
}

/** The map at `path`, or an empty one. */
export function mapOf(data: unknown, path: readonly string[]): Tree {
  const found = path.reduce<unknown>((at, key) => (isTree(at) ? at[key] : undefined), data);
  return isTree(found) ? found : {};
}
