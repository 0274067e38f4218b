/** More alternatives than anybody writes by hand. */
const MOST_ALTERNATIVES = 64;

/**
 * Whether a path with forward slashes fits a glob as .gitignore-like tools write them: `**` any folders, `*` and `?`
 * within one name, `{a,b}` either. A glob without a slash is about the name alone. Pure, never throws, and takes time
 * in proportion to the lengths whatever the glob: it may come from anywhere.
 */
export function fitsGlob(glob: string, path: string): boolean {
  const names = path.split("/");
  return alternatives(glob.replace(/^\.?\//, "")).some((one) =>
    one.includes("/") || one === "**" ? fitsFolders(one.split("/"), names) : fitsName(one, names.at(-1) ?? ""),
  );
}

/** `a{b,c}` as `ab` and `ac`; a brace that is never closed is a letter. */
function alternatives(glob: string): readonly string[] {
  let open = [""];
  for (const [piece, inner] of [...glob.matchAll(/\{([^{}]*)\}|[\s\S]/g)].map(
    (match) => [match[0], match[1]] as const,
  )) {
    const choices = inner === undefined ? [piece] : inner.split(",");
    if (open.length * choices.length > MOST_ALTERNATIVES) return [glob];
    open = open.flatMap((before) => choices.map((choice) => before + choice));
  }
  return open;
}

/** Name by name; a `**` takes as many as it must. Going back to the newest one is enough, as with `*` in a name. */
function fitsFolders(glob: readonly string[], names: readonly string[]): boolean {
  return fitsSequence(glob.length, names.length, {
    isAny: (at) => glob[at] === "**",
    fits: (at, name) => fitsName(glob[at]!, names[name]!),
  });
}

function fitsName(glob: string, name: string): boolean {
  return fitsSequence(glob.length, name.length, {
    isAny: (at) => glob[at] === "*",
    fits: (at, letter) => glob[at] === "?" || glob[at] === name[letter],
  });
}

interface Sequence {
  /** Stands for any number of items, none included. */
  isAny(at: number): boolean;
  fits(at: number, item: number): boolean;
}

/** The two-pointer match of wildcards: on a mismatch the newest wildcard takes one item more. */
function fitsSequence(length: number, items: number, { isAny, fits }: Sequence): boolean {
  let at = 0;
  let item = 0;
  let back: { readonly at: number; item: number } | undefined;
  while (item < items) {
    if (at < length && isAny(at)) back = { at: ++at, item };
    else if (at < length && fits(at, item)) {
      at++;
      item++;
    } else if (back) {
      at = back.at;
      item = ++back.item;
    } else return false;
  }
  while (at < length && isAny(at)) at++;
  return at === length;
}
