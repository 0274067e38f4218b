import { type Binding, KEYMAP } from "./keymap.ts";
import type { Place } from "./place-keys.ts";

/** The table of keys as `/help keys` shows it; what `keys.yaml` changed is marked. */
export function keysTable(bindings: readonly Binding[], mode: "emacs" | "vim", problems: readonly string[]): string {
  const rows = bindings
    .filter(
      ({ keys, action }) => keys.length > 0 || KEYMAP.some((known) => known.action === action && known.keys.length > 0),
    )
    .map((binding) => ({ binding, keys: binding.keys.length === 0 ? "(no key)" : binding.keys.join(", ") }));
  const keysWidth = Math.min(MOST_KEYS_WIDTH, Math.max(...rows.map(({ keys }) => keys.length)));
  const actionWidth = Math.max(...rows.map(({ binding }) => binding.action.length));
  const lineOf = ({ binding, keys }: (typeof rows)[number]) => {
    const when = binding.when === "empty" ? " (input empty)" : binding.when === "text" ? " (input not empty)" : "";
    const changed = KEYMAP.some((known) => sameBinding(known, binding)) ? " " : "*";
    return `${changed} ${keys.padEnd(keysWidth)}  ${binding.action.padEnd(actionWidth)}  ${binding.about}${when}`;
  };
  const lines = PLACES.flatMap(([place, head]) => {
    const here = rows.filter(({ binding }) => binding.in === place).map(lineOf);
    return head === "" ? here : ["", `${head}:`, ...here];
  });
  const isChanged = lines.some((line) => line.startsWith("*"));
  return [
    ...problems,
    ...(problems.length > 0 ? [""] : []),
    ...lines,
    "",
    ...(isChanged ? ["* changed by keys.yaml"] : []),
    ...(mode === "vim" ? ["Vim mode is on: Esc for normal mode, i for insert mode."] : []),
    "keys.yaml in the global home changes this table, for example:",
    "  mode: vim",
    "  keys:",
    "    newline: [ctrl+enter, alt+enter]",
    "    toggle-think: none",
    "    pager-close: [q, x]",
  ].join("\n");
}

/** Longer lists of keys push only their own row apart. */
const MOST_KEYS_WIDTH = 24;

const PLACES: readonly (readonly [Place | undefined, string])[] = [
  [undefined, ""],
  ["approval", "In an approval"],
  ["review", "In a text to review"],
  ["question", "In a question"],
  ["list", "In a list to choose from"],
  ["dialog", "In every dialog"],
  ["pager", "In the pager"],
];

function sameBinding(a: Binding, b: Binding): boolean {
  return a.action === b.action && a.in === b.in && a.when === b.when && a.keys.join() === b.keys.join();
}
