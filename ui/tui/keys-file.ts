/** `keys.yaml`: the person's own keys. */
import { readFile } from "node:fs/promises";
import { nearest } from "../../src/text/nearest.ts";
import { type Action, type Binding, KEYMAP, NAMED_KEYS } from "./keymap.ts";
import { defaultKeys, type Keys } from "./keys.ts";
import { ALLOWING, LETTERS_ACT, type PlaceAction } from "./place-keys.ts";

/** The table as `file` changes it; without such a file, the table as it is. Never throws. */
export async function loadKeys(file: string): Promise<Keys> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return missing ? defaultKeys : { ...defaultKeys, problems: [`keys.yaml cannot be read: ${String(error)}`] };
  }
  return parseKeys(text);
}

/**
 * `mode: emacs|vim`, and `keys:` from an action to its key, its keys or `none`. What is written here holds whatever
 * stands in the input, and takes the key from whoever had it.
 */
export async function parseKeys(text: string): Promise<Keys> {
  const { parseDocument, LineCounter, isMap, isScalar, isSeq } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problems: string[] = [];
  const complain = (node: unknown, problem: string) => {
    const offset = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? 0;
    problems.push(`keys.yaml line ${lines.linePos(offset).line}: ${problem}`);
  };
  for (const error of document.errors) {
    const line = error.linePos?.[0].line ?? 1;
    problems.push(`keys.yaml line ${line}: ${error.message.split("\n")[0]?.replace(/ at line.*$/, "")}`);
  }
  let mode: Keys["mode"] = "emacs";
  const chosen = new Map<AnyAction, readonly string[]>();
  /** By place and key. */
  const owners = new Map<string, AnyAction>();
  if (problems.length > 0 || document.contents === null) return { ...defaultKeys, problems };
  if (!isMap(document.contents)) {
    complain(document.contents, "expected `mode:` and `keys:`");
    return { ...defaultKeys, problems };
  }

  for (const { key, value } of document.contents.items) {
    const field = isScalar(key) ? String(key.value) : "";
    if (field === "mode") {
      const wanted = isScalar(value) ? String(value.value) : "";
      if (wanted === "vim" || wanted === "emacs") mode = wanted;
      else complain(value ?? key, `mode is emacs or vim, not "${wanted}"`);
    } else if (field === "keys") {
      if (isMap(value)) for (const pair of value.items) bind(pair.key, pair.value);
      else if (!isScalar(value) || value.value !== null) complain(value, "keys: takes lines such as `send: enter`");
    } else {
      const near = nearest(field, ["mode", "keys"]);
      complain(key, `unknown field "${field}"${near ? ` (did you mean "${near}"?)` : ": use mode and keys"}`);
    }
  }

  function bind(key: unknown, value: unknown): void {
    const name = isScalar(key) ? String(key.value) : "";
    const known = KEYMAP.find((binding) => binding.action === name);
    if (known === undefined) {
      const near = nearest(name, new Set(KEYMAP.map((binding) => binding.action)));
      return complain(key, `unknown action "${name}" (${near ? `did you mean "${near}"?` : "/help keys lists them"})`);
    }
    const { action, in: place } = known;
    const wanted = isSeq(value) ? value.items : [value];
    const keys: string[] = [];
    for (const one of wanted) {
      const word = isScalar(one) ? String(one.value ?? "none") : "";
      if (word === "none") continue;
      const read = readKey(word, place !== undefined && LETTERS_ACT.has(place));
      const owner = "name" in read ? owners.get(`${place} ${read.name}`) : undefined;
      if ("problem" in read) complain(one ?? key, read.problem);
      else if (ALLOWING.has(action) && THOUGHTLESS.has(read.name))
        complain(one, `${read.name} is pressed too easily to allow something`);
      else if (owner !== undefined) complain(one, `${read.name} is given to "${owner}" already`);
      else {
        keys.push(read.name);
        owners.set(`${place} ${read.name}`, action);
      }
    }
    // A line of mistakes changes nothing.
    if (keys.length > 0 || wanted.every((one) => !isScalar(one) || String(one.value ?? "none") === "none"))
      chosen.set(action, keys);
  }

  return { bindings: rebind(chosen), mode, problems };
}

type AnyAction = Action | PlaceAction;

/** Keys that people press to go on. */
const THOUGHTLESS: ReadonlySet<string> = new Set(["enter", "space", "tab"]);

/** The table with the chosen keys first: the first binding that fits is the one that acts. */
function rebind(chosen: ReadonlyMap<AnyAction, readonly string[]>): readonly Binding[] {
  const own = [...chosen].flatMap(([action, keys]): Binding[] => {
    const known = KEYMAP.find((binding) => binding.action === action);
    if (known === undefined) return [];
    const { when: _, ...always } = known;
    return [{ ...always, keys } as Binding];
  });
  const taken = new Set(own.flatMap((binding) => binding.keys.map((key) => `${binding.in} ${key}`)));
  const rest = KEYMAP.filter(({ action }) => !chosen.has(action)).map((binding) => {
    const keys = binding.keys.filter((key) => !taken.has(`${binding.in} ${key}`));
    return keys.length === binding.keys.length ? binding : { ...binding, keys };
  });
  return [...own, ...rest];
}

const MODIFIERS: Readonly<Record<string, string>> = {
  ctrl: "ctrl",
  control: "ctrl",
  c: "ctrl",
  alt: "alt",
  meta: "alt",
  option: "alt",
  m: "alt",
  shift: "shift",
};
const ALIASES: Readonly<Record<string, string>> = {
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
  pgdown: "pagedown",
  bs: "backspace",
};

/** `Ctrl+Alt+X`, `ctrl-x` and `C-x` as `keyName` spells them; letters alone where `lettersAct`. */
function readKey(written: string, lettersAct: boolean): { readonly name: string } | { readonly problem: string } {
  if (lettersAct && [...written].length === 1 && written.trim() !== "") return { name: written };
  const parts = written
    .trim()
    .toLowerCase()
    .split(/[+-](?=.)/);
  const last = parts.at(-1) ?? "";
  const name = ALIASES[last] ?? last;
  const modifiers = parts.slice(0, -1).map((part) => MODIFIERS[part]);
  const unknown = parts.slice(0, -1).find((part) => MODIFIERS[part] === undefined);
  if (unknown !== undefined) return { problem: `"${unknown}" in "${written}" is no modifier: use ctrl, alt, shift` };
  if ([...name].length !== 1 && !NAMED_KEYS.includes(name)) {
    const near = nearest(name, NAMED_KEYS);
    return { problem: `"${written}" is no key${near ? ` (did you mean "${near}"?)` : ""}` };
  }
  const types = [...name].length === 1 || name === "space";
  if (types && !lettersAct && !modifiers.includes("ctrl") && !modifiers.includes("alt"))
    return { problem: `"${written}" is what people type: a key needs ctrl or alt` };
  const order = ["ctrl", "alt", "shift"].filter((modifier) => modifiers.includes(modifier));
  return { name: [...order, name].join("+") };
}
