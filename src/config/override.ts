import { nearest } from "../text/nearest.ts";
import type { ConfigProblem } from "./problems.ts";
import { type Traced, type Tree, traced } from "./traced.ts";

/** What `--override` flags say. */
export interface Overrides {
  readonly overrides: Traced<{ readonly features?: unknown; readonly model?: unknown }>;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads `--override path=value` flags (aura 17.6). Paths lie under `features.` or `model.`; values are YAML, with
 * anything but plain words, numbers and `[`, `{` lists taken as text. The last of a path wins, zeros count.
 */
export async function readOverrides(flags: readonly string[]): Promise<Overrides> {
  if (flags.length === 0) return { overrides: traced({}), problems: [] };
  const [{ parse }, { section }, { featuresSchema }, { modelSchema, ofFeatures }, { respellPath }, checks] =
    await Promise.all([
      import("yaml"),
      import("./entities/fields.ts"),
      import("./entities/features.ts"),
      import("./entities/agent.ts"),
      import("./spellings.ts"),
      import("./validate.ts"),
    ]);
  const { keysAt, unknownKey, validate } = checks;
  const schema = section({ features: featuresSchema, model: modelSchema });
  const problems: ConfigProblem[] = [];
  let tree: Tree = {};
  for (const flag of flags) {
    const file = `--override ${flag}`;
    const cut = flag.indexOf("=");
    const path = flag.slice(0, Math.max(cut, 0)).trim();
    if (cut < 0 || path === "") {
      problems.push({ file, message: cut < 0 ? "expected path=value" : "the path before = is empty" });
      continue;
    }
    const keys = respellPath(path, ofFeatures).split(".");
    if (keys[0] !== "features" && keys[0] !== "model") {
      const near = nearest(keys[0]!, ["features", "model"]) ?? "features";
      problems.push({ file, message: `a path begins with features. or model. (did you mean "${near}.…"?)` });
      continue;
    }
    const single = nested(keys, read(flag.slice(cut + 1), parse));
    const checked = validate(schema, single, file, () => undefined);
    if (checked.ok) {
      tree = merged(tree, nested(keys, valueAt(checked.value, keys)));
    } else {
      const known = keysAt(schema, keys.slice(0, -1));
      const isUnknown = known.length > 0 && !known.includes(keys.at(-1)!);
      const message = unknownKey(keys.at(-1)!, keys.slice(0, -1), known);
      problems.push(...(isUnknown ? [{ file, message }] : checked.problems));
    }
  }
  return { overrides: traced(tree), problems };
}

function read(written: string, parse: (yaml: string) => unknown): unknown {
  const value = written.trim();
  if (!/^[[{]/.test(value) && !/^[\w.+-]+$/.test(value)) return value;
  try {
    return parse(value) ?? value;
  } catch {
    return value;
  }
}

function nested(keys: readonly string[], value: unknown): Tree {
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Tree;
}

function valueAt(tree: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], tree);
}

function merged(a: Tree, b: Tree): Tree {
  const result: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = result[key];
    const both = [before, value].every((one) => typeof one === "object" && one !== null && !Array.isArray(one));
    result[key] = both ? merged(before as Tree, value as Tree) : value;
  }
  return result;
}
