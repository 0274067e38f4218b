export type Tree = Readonly<Record<string, unknown>>;

/** Where a value is written. */
export interface Origin {
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
}

/** A value with the place it is written, when a file wrote it. */
export interface Sourced<T> {
  readonly value: T;
  readonly file?: string;
  readonly line?: number;
}

/** Settings and, by dotted path of each scalar and list item, where they come from. */
export interface Traced<T> {
  readonly value: T;
  readonly origins: ReadonlyMap<string, Origin>;
}

export interface OverlayRules {
  /** Maps a person fills freely: replaced whole, as lists are. Dotted paths. */
  readonly maps?: ReadonlySet<string>;
  /** Zeros and empty texts that count as a value. Others mean "not set". Undefined: all count. */
  readonly zeroCounts?: ReadonlySet<string>;
}

export function traced<T>(value: T): Traced<T> {
  return { value, origins: new Map() };
}

/**
 * Lays `top` over `base`: scalars, lists and free maps replace, structures merge by the same rule. `false` counts,
 * undefined does not.
 */
export function overlay<T>(base: Traced<T>, top: Traced<unknown>, rules: OverlayRules = {}): Traced<T> {
  const origins = new Map(base.origins);
  const lay = (under: unknown, over: unknown, path: string): unknown => {
    if (over === undefined || isUnset(over, path, rules)) return under;
    if (isTree(over) && !rules.maps?.has(path)) {
      const merged: Record<string, unknown> = isTree(under) ? { ...under } : {};
      for (const [key, value] of Object.entries(over)) {
        const laid = lay(merged[key], value, path === "" ? key : `${path}.${key}`);
        if (laid !== undefined) merged[key] = laid;
      }
      return merged;
    }
    moveOrigins(origins, top.origins, path);
    return over;
  };
  return { value: lay(base.value, top.value, "") as T, origins };
}

/** The part of a traced value below `path`, paths shortened. */
export function part(from: Traced<unknown>, path: string): Traced<unknown> {
  let value: unknown = from.value;
  for (const key of path.split(".")) value = isTree(value) ? value[key] : undefined;
  const origins = new Map<string, Origin>();
  for (const [key, origin] of from.origins) {
    if (key.startsWith(`${path}.`)) origins.set(key.slice(path.length + 1), origin);
  }
  return { value, origins };
}

/** The items of the list at `path`, each with its place. */
export function sourcedList(from: Traced<unknown>, path: string): readonly Sourced<string>[] {
  let list: unknown = from.value;
  for (const key of path.split(".")) list = isTree(list) ? list[key] : undefined;
  if (!Array.isArray(list)) return [];
  return list.map((item, at) => ({ value: String(item), ...from.origins.get(`${path}.${at}`) }));
}

export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isUnset(value: unknown, path: string, rules: OverlayRules): boolean {
  return (value === 0 || value === "") && rules.zeroCounts !== undefined && !rules.zeroCounts.has(path);
}

function moveOrigins(origins: Map<string, Origin>, top: ReadonlyMap<string, Origin>, path: string): void {
  const isAtOrBelow = (key: string) => key === path || key.startsWith(`${path}.`);
  for (const key of [...origins.keys()]) if (isAtOrBelow(key)) origins.delete(key);
  for (const [key, origin] of top) if (isAtOrBelow(key)) origins.set(key, origin);
}
