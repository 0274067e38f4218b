import { isTree, type Origin, type Tree } from "./traced.ts";

/** Dotted paths people also write, and the ones that are meant. */
export type Spellings = Readonly<Record<string, string>>;

/** The data with every other spelling replaced by the one meant. Both in one place is a clash. */
export function respell(
  data: unknown,
  spellings: Spellings,
): { readonly data: unknown; readonly clashes: readonly (readonly [other: string, meant: string])[] } {
  const clashes: (readonly [string, string])[] = [];
  let result = data;
  for (const [other, meant] of Object.entries(spellings)) {
    const [from, to] = [other.split("."), meant.split(".")];
    const value = valueAt(result, from);
    if (value === undefined) continue;
    if (valueAt(result, to) === undefined) result = withValue(withoutValue(result, from), to, value);
    else clashes.push([other, meant]);
  }
  return { data: result, clashes };
}

/** Places, under the paths that are meant. */
export function respellOrigins(
  origins: ReadonlyMap<string, Origin>,
  spellings: Spellings,
): ReadonlyMap<string, Origin> {
  return new Map([...origins].map(([path, origin]) => [respellPath(path, spellings), origin]));
}

/** One dotted path under the spelling that is meant. */
export function respellPath(path: string, spellings: Spellings): string {
  const pair = Object.entries(spellings).find(([other]) => path === other || path.startsWith(`${other}.`));
  return pair ? pair[1] + path.slice(pair[0].length) : path;
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isTree(at) ? at[key] : undefined), data);
}

/** A section that held nothing else is gone with it. */
function withoutValue(data: unknown, [key = "", ...rest]: readonly string[]): Tree {
  const { [key]: value, ...others } = data as Tree;
  const left = rest.length === 0 ? {} : withoutValue(value, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

function withValue(data: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (data !== undefined && data !== null && !isTree(data)) return data; // wrong as it is, and said so by the schema
  const tree = data ?? {};
  return { ...tree, [key]: withValue(tree[key], rest, value) };
}
