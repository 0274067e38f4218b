import { isTree } from "../traced.ts";

/** Whether two values from files say the same, whatever the order of their keys and the parser that made them. */
export function sameData(a: unknown, b: unknown): boolean {
  return dataText(a) === dataText(b);
}

/** JSON with the keys of every map in order. */
export function dataText(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "undefined";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isTree(value) || typeof value["toJSON"] === "function") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
