/** What one option of a server takes. */
export type OptionKind = "value" | "list" | "flag" | readonly string[];

type Read<K extends OptionKind> = K extends "flag"
  ? boolean
  : K extends "list"
    ? readonly string[]
    : K extends readonly (infer C)[]
      ? C | undefined
      : string | undefined;

export type ReadOptions<S extends Readonly<Record<string, OptionKind>>> = { readonly [N in keyof S]: Read<S[N]> };

/**
 * Reads the arguments of an in-process server, `--name value` or `--name=value`; a list of words is a choice between
 * them. Strict: a slip must not quietly mean the default.
 * @param aliases other spellings, each of an option in `options`
 * @returns the options, and the words after them, which are empty unless `takesRest`
 * @throws Error that names the server, the argument and what it takes
 */
export function readArguments<const S extends Readonly<Record<string, OptionKind>>>(
  server: string,
  args: readonly string[],
  options: S,
  more: { readonly aliases?: Readonly<Record<string, string>>; readonly takesRest?: boolean } = {},
): { readonly options: ReadOptions<S>; readonly rest: readonly string[] } {
  const values: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(options)) values[name] = empty(kind);
  let at = 0;
  for (; at < args.length; at++) {
    const [, written, attached] = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(args[at]!) ?? [];
    if (written === undefined && more.takesRest) break;
    const name = more.aliases?.[written ?? ""] ?? written ?? "";
    const kind = Object.hasOwn(options, name) ? options[name] : undefined;
    if (kind === undefined) throw new Error(`${server}: unknown argument "${args[at]}"; ${describe(options)}`);
    if (kind === "flag") {
      if (attached !== undefined) throw new Error(`${server}: ${name} takes no value`);
      values[name] = true;
      continue;
    }
    const value = attached ?? args[++at];
    if (value === undefined || value === "") throw new Error(`${server}: ${name} needs a value`);
    if (kind === "list") values[name] = [...(values[name] as string[]), value];
    else if (kind === "value" || kind.includes(value)) values[name] = value;
    else throw new Error(`${server}: ${name} is "${value}", but must be one of ${kind.join(", ")}`);
  }
  return { options: values as ReadOptions<S>, rest: args.slice(at) };
}

const empty = (kind: OptionKind) => (kind === "flag" ? false : kind === "list" ? [] : undefined);

function describe(options: Readonly<Record<string, OptionKind>>): string {
  const names = Object.entries(options).map(([name, kind]) => {
    if (kind === "flag") return name;
    if (kind === "list") return `${name} <path> (repeatable)`;
    return kind === "value" ? `${name} <path>` : `${name} <${kind.join("|")}>`;
  });
  return names.length === 0 ? "it takes none" : `it takes ${names.join(", ")}`;
}
