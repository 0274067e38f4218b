import { environmentName, ROOT_OPTIONS, type RootName, type RootOption, type RootValues } from "./root-options.ts";

/**
 * Joins what the command line gave (as strings, lists of strings and true) with the environment, and types it. The
 * command line wins, flag by flag. Throws with a sentence that names the flag or variable for a value it cannot have.
 */
export function rootValues(
  given: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): RootValues {
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(ROOT_OPTIONS) as [RootName, RootOption][]) {
    const fromEnv = fromEnvironment(name, option, env);
    const value = given[name] ?? fromEnv;
    const source = given[name] === undefined ? environmentName(name) : option.flags;
    if (value !== undefined) values[name] = typedValue(name, option.kind, source, value);
  }
  return values as RootValues;
}

/** Lists of names take commas; paths and assignments may contain them. */
const COMMA_LISTS: ReadonlySet<RootName> = new Set<RootName>([
  "includeTools",
  "excludeTools",
  "includeMcps",
  "excludeMcps",
]);
/** An empty home is no home; any other empty variable is as good as none. */
const MAY_BE_EMPTY: ReadonlySet<RootName> = new Set<RootName>(["home", "config"]);

function fromEnvironment(name: RootName, { kind }: RootOption, env: Readonly<Record<string, string | undefined>>) {
  const text = env[environmentName(name)];
  if (text === undefined || (text === "" && !MAY_BE_EMPTY.has(name))) return undefined;
  return kind === "list" ? [text] : text;
}

function typedValue(name: RootName, kind: RootOption["kind"], source: string, value: unknown): unknown {
  switch (kind) {
    case "list":
      return COMMA_LISTS.has(name) ? (value as readonly string[]).flatMap(splitNames) : value;
    case "number":
      if (!/^\d+$/.test(String(value))) throw new Error(`${source}: "${value}" is not a whole number`);
      return Number(value);
    case "switch":
      return typeof value === "string" ? readSwitch(value, source) : value;
    case "text":
      // An option whose value may be left out.
      return value === true ? "" : value;
  }
}

function readSwitch(text: string, source: string): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new Error(`${source}: "${text}" is neither on nor off`);
}

const splitNames = (item: string): string[] =>
  item
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
