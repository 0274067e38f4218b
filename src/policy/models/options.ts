import type { Model, Subcommand, ValueKind } from "./model.ts";

export interface Options {
  /** What the value of an option is; `flag` takes none. */
  readonly kinds: ReadonlyMap<string, ValueKind | "flag">;
  readonly deep: ReadonlySet<string>;
  readonly first: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  readonly globs: ReadonlySet<string>;
  readonly about: ReadonlySet<string>;
}

/** The lists of a model, taken apart. A model with one option in two lists is no sound model. */
export function optionsOf(model: Model | Subcommand): Options {
  const kinds = new Map<string, ValueKind | "flag">();
  for (const name of names(model.flags)) kinds.set(name, "flag");
  for (const [kind, list] of Object.entries(model.values ?? {}))
    for (const name of names(list)) {
      if (kinds.has(name)) throw new Error(`a model lists ${name} twice`);
      kinds.set(name, kind as ValueKind);
    }
  const setOf = (list: string | undefined) => new Set(names(list));
  return {
    kinds,
    deep: setOf(model.deepFlags),
    first: setOf(model.replaceFirst),
    hidden: setOf(model.skipsHidden),
    globs: setOf(model.globs),
    about: new Set(model.about?.split(" ") ?? []),
  };
}

/** `-abc --long` are the options -a, -b, -c and --long. */
const names = (list: string | undefined): readonly string[] =>
  (list ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((name) => (name.startsWith("--") ? [name] : [...name.slice(1)].map((letter) => `-${letter}`)));
