import type { FixedEffect, Model, Subcommand, ValueKind } from "./model.ts";
import { optionsOf } from "./options.ts";

export interface ModelsReading {
  readonly models: readonly Model[];
  /** Each a whole sentence with file and line. */
  readonly problems: readonly string[];
}

/**
 * Reads models a person wrote: a list under `commands`, each with `name` and the fields of a model. `about`, `flags` and
 * the lists of `values` are texts with blanks between, `operands` is a list, `effects` are sentences by their kind.
 */
export async function readModels(text: string, file: string): Promise<ModelsReading> {
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: string[] = [];
  const say = (node: unknown, message: string) => {
    const at = (node as { range?: readonly number[] } | null)?.range?.[0] ?? 0;
    problems.push(`${file}:${lines.linePos(at).line}: ${message}`);
  };
  for (const error of document.errors) problems.push(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  if (problems.length > 0) return { models: [], problems };
  const root = document.contents;
  if (root === null) return { models: [], problems };
  const list = isMap(root) ? root.get("commands", true) : undefined;
  if (!isMap(root) || !isSeq(list)) {
    say(root, "must be a mapping with the key commands, a list");
    return { models: [], problems };
  }
  for (const { key } of root.items)
    if (!isScalar(key) || key.value !== "commands") say(key, `unknown key "${key}": only commands is known`);
  const models = list.items.map((item) => readModel(item, true)).filter((model) => model !== undefined);
  return { models: problems.length > 0 ? [] : (models as Model[]), problems };

  function readModel(node: unknown, isTop: boolean): Model | Subcommand | undefined {
    if (!isMap(node)) return void say(node, "must be a mapping with a name");
    const model: Record<string, unknown> = {};
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : "";
      const plain = (value as { toJSON?(): unknown } | null)?.toJSON?.() ?? null;
      if (name === "name" && isTop) {
        const all = [plain].flat();
        if (all.length > 0 && all.every((each) => typeof each === "string" && /^[\w.+-]+$/.test(each)))
          model["names"] = all.join(" ");
        else say(value, "name must be the name of a program, or a list of names");
      } else if (TEXTS.has(name)) {
        if (typeof plain === "string") model[name] = plain;
        else say(value, `${name} must be a text, options with blanks between`);
      } else if (SWITCHES.has(name)) {
        if (typeof plain === "boolean") model[name] = plain;
        else say(value, `${name} must be true or false`);
      } else if (name === "operands") {
        if (Array.isArray(plain) && plain.every(isKind)) model[name] = plain;
        else say(value, `operands must be a list of ${KINDS.join(", ")}`);
      } else if (name === "last") {
        if (isKind(plain)) model[name] = plain;
        else say(value, `last must be one of ${KINDS.join(", ")}`);
      } else if (name === "values") readValues(value, model);
      else if (name === "effects") model[name] = readEffects(value);
      else if (name === "subcommands") model[name] = readSubcommands(value);
      else say(key, `unknown key "${name}"`);
    }
    if (isTop && model["names"] === undefined) say(node, "a command needs a name");
    try {
      optionsOf(model as unknown as Model);
    } catch (error) {
      say(node, (error as Error).message);
    }
    return model as unknown as Model;
  }

  function readValues(node: unknown, model: Record<string, unknown>): void {
    if (!isMap(node)) return say(node, "values must be a mapping of kinds to options");
    for (const { key, value } of node.items) {
      if (!isScalar(key) || !isKind(key.value)) say(key, `unknown kind "${key}": use ${KINDS.join(", ")}`);
      if (!isScalar(value) || typeof value.value !== "string") say(value ?? key, "must be options with blanks between");
    }
    model["values"] = node.toJSON();
  }

  function readEffects(node: unknown): readonly FixedEffect[] {
    if (!isMap(node)) {
      say(node, `effects must be a mapping of ${EFFECTS.join(", ")} to sentences`);
      return [];
    }
    return node.items.flatMap(({ key, value }): readonly FixedEffect[] => {
      const kind = isScalar(key) ? String(key.value) : "";
      if (!EFFECTS.includes(kind) || !isScalar(value) || typeof value.value !== "string") {
        say(key, `must be one of ${EFFECTS.join(", ")} with a sentence`);
        return [];
      }
      return [{ kind: kind as FixedEffect["kind"], concern: value.value }];
    });
  }

  function readSubcommands(node: unknown): Readonly<Record<string, Subcommand>> {
    if (!isMap(node)) {
      say(node, "subcommands must be a mapping of names");
      return {};
    }
    return Object.fromEntries(
      node.items.flatMap(({ key, value }) => {
        const model = readModel(value, false);
        return model ? [[String(key), model] as const] : [];
      }),
    );
  }
}

const TEXTS = new Set(["flags", "deepFlags", "replaceFirst", "otherwise", "about", "skipsHidden"]);
const SWITCHES = new Set(["deep", "numbers", "literal"]);
const KINDS: readonly ValueKind[] = [
  "text",
  "read",
  "list",
  "write",
  "delete",
  "move",
  "host",
  "process",
  "code",
  "shell",
  "script",
  "command",
  "ask",
];
const EFFECTS: readonly string[] = ["write", "delete", "execute", "network", "process", "state", "unknown"];

const isKind = (value: unknown): boolean => KINDS.includes(value as ValueKind);
