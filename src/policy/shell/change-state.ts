import { resolve } from "node:path";
import type { Folders } from "./effects.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Command } from "./syntax.ts";
import { textValue, type Value } from "./values.ts";
import { ONE, type State, union } from "./walk-state.ts";

/** What built-in commands do to the shell itself; `call` follows a function of the script. */
export function changeState(
  values: readonly Value[],
  state: State,
  around: Surroundings,
  call: (name: string, body: Command) => void,
): void {
  const at = values.findIndex((value) => value.kind !== "text" || !/^(?:command|builtin|-p|--)$/.test(value.text));
  const [name, ...args] = values.slice(Math.max(at, 0));
  if (name?.kind !== "text") return;
  if (name.text === "cd") {
    const folder = args.find((arg) => arg.kind !== "text" || !/^-[LPe]$|^--$/.test(arg.text)) ?? textValue(around.home);
    state.folders = foldersAfter(folder, state.folders, around);
  } else if (DECLARING.has(name.text)) {
    for (const arg of args) {
      const head = arg.kind === "any" ? arg.prefix : arg.kind === "text" ? arg.text : "";
      const found = /^([A-Za-z_]\w*)(?:(\+?)=([\s\S]*))?$/.exec(head);
      const [, variable, plus, value] = found ?? [];
      if (variable !== undefined)
        state.variables.set(variable, [
          arg.kind === "text" && plus === "" && value !== undefined && !value.includes("~") ? textValue(value) : ONE,
        ]);
    }
  } else if (name.text === "read" || name.text === "unset") {
    for (const arg of args) if (arg.kind === "text") state.variables.set(arg.text, [ONE]);
  } else if (CHANGING.has(name.text)) forget(state);
  else {
    const body = state.functions.get(name.text);
    if (body) call(name.text, body);
  }
}

/** Nothing that was known is sure any more. */
export function forget(state: State): void {
  state.folders = [undefined];
  for (const name of state.variables.keys()) state.variables.set(name, [ONE]);
}

/** Where `cd` leads. */
export function foldersAfter(folder: Value, before: Folders, around: Surroundings): Folders {
  if (folder.kind !== "text" || folder.text.startsWith("-")) return [undefined];
  const after = before.map((from) =>
    from === undefined && !folder.text.startsWith("/") ? undefined : around.realPath(resolve(from ?? "/", folder.text)),
  );
  // Where there is no such folder, it stays where it was, or goes by the links as they are.
  if (after.every((path) => path !== undefined && around.isFolder(path))) return after;
  const literally = before.map((from) => (from === undefined ? undefined : around.realPath(`${from}/${folder.text}`)));
  return union(union(before, after), literally);
}

/** May a command of this name change what the shell knows? */
export const isMoving = (name: string): boolean => MOVING.has(name);

const DECLARING = new Set(["export", "declare", "local", "readonly", "typeset"]);
/** Built-in commands after which nothing that was known is sure. */
const CHANGING = new Set([
  "eval",
  "source",
  ".",
  "trap",
  "pushd",
  "popd",
  "mapfile",
  "readarray",
  "getopts",
  "let",
  "exec",
  "enable",
  "shopt",
  "alias",
]);
const MOVING = new Set([...CHANGING, ...DECLARING, "cd", "read", "unset", "command", "builtin"]);
