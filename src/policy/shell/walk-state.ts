import type { Folders } from "./effects.ts";
import type { Command } from "./syntax.ts";
import type { Value } from "./values.ts";

/** What the shell knows at one place of the script. */
export interface State {
  folders: Folders;
  /** Name → every value it may have here; absent: whatever the environment gave it. */
  variables: Map<string, readonly Value[]>;
  /** Functions that surely have been defined. */
  functions: ReadonlyMap<string, Command>;
}

/** More values than these are not followed one by one. */
export const MAX_ALTERNATIVES = 512;
/** A word of which nothing is known. */
export const ONE: Value = { kind: "any", prefix: "", many: false };

export const copy = (state: State): State => ({ ...state, variables: new Map(state.variables) });

/** The state becomes another one. */
export function take(state: State, from: State): void {
  state.folders = from.folders;
  state.variables = new Map(from.variables);
  state.functions = from.functions;
}

/** After two ways, either of which may have been gone. */
export const merged = (left: State, right: State): State => ({
  folders: union(left.folders, right.folders),
  variables: joined(left.variables, right.variables),
  functions: new Map([...left.functions].filter(([name, body]) => right.functions.get(name) === body)),
});

export const union = (left: Folders, right: Folders): Folders => [...new Set([...left, ...right])];

/** Every value on either way; what one way leaves to the environment is not known. */
export function joined(
  left: ReadonlyMap<string, readonly Value[]>,
  right: ReadonlyMap<string, readonly Value[]>,
): Map<string, readonly Value[]> {
  const all = new Map<string, readonly Value[]>();
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const values = [...(left.get(name) ?? [ONE]), ...(right.get(name) ?? [ONE])];
    all.set(name, values.length > MAX_ALTERNATIVES ? [ONE] : distinct(values));
  }
  return all;
}

export function distinct<T>(values: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = JSON.stringify(value);
    return !seen.has(key) && seen.add(key);
  });
}
