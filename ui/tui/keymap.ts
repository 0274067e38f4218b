/** One table from keys to named actions; nobody else compares raw keys. */
import type { SimpleAction } from "./editor-state.ts";
import { type Key, keyName } from "./key-decoder.ts";
import { PLACE_KEYMAP, type PlaceBinding } from "./place-keys.ts";

export type ScreenAction =
  | "send"
  | "accept-or-next-mode"
  | "next-agent"
  | "up"
  | "down"
  | "right-or-accept"
  | "cancel"
  | "interrupt"
  | "quit-or-delete"
  | "search-history"
  | "edit-outside"
  | "drop-queued"
  | "redraw"
  | "suspend"
  | "show-output"
  | "toggle-verbose"
  | "toggle-think"
  | "cycle-think"
  | "toggle-auto"
  | "toggle-sandbox";

export type Action = SimpleAction | ScreenAction;

export interface InputBinding {
  /** As `keyName` spells it. */
  readonly keys: readonly string[];
  readonly action: Action;
  readonly about: string;
  /** Aura's toggles share keys with line editing: a toggle acts while the input is empty, the edit while it is not. */
  readonly when?: "empty" | "text";
  /** Of a dialog or the pager; the input has no place. */
  readonly in?: undefined;
}

export type Binding = InputBinding | PlaceBinding;

const INPUT_KEYMAP: readonly InputBinding[] = [
  { keys: ["enter"], action: "send", about: "send" },
  {
    keys: ["alt+enter", "shift+enter", "ctrl+enter", "ctrl+j"],
    action: "newline",
    about: "new line (also \\ and Enter)",
  },
  { keys: ["tab"], action: "accept-or-next-mode", about: "accept the suggestion, else next mode" },
  { keys: ["shift+tab"], action: "next-agent", about: "next agent" },
  { keys: ["escape"], action: "cancel", about: "cancel the running turn; twice with nothing to cancel: /undo" },
  { keys: ["ctrl+c"], action: "interrupt", about: "clear the input, cancel the turn, twice to quit" },
  { keys: ["ctrl+d"], action: "quit-or-delete", about: "quit when the input is empty, else delete" },
  { keys: ["alt+r"], action: "search-history", about: "search earlier input" },
  { keys: ["ctrl+g"], action: "edit-outside", about: "write in $VISUAL or $EDITOR" },
  { keys: ["ctrl+u"], action: "drop-queued", about: "drop the last queued message", when: "empty" },
  { keys: ["ctrl+o"], action: "show-output", about: "whole output of the last call" },
  { keys: ["ctrl+t"], action: "toggle-verbose", about: "show thinking", when: "empty" },
  { keys: ["ctrl+r"], action: "toggle-think", about: "thinking on or off" },
  { keys: ["ctrl+e"], action: "cycle-think", about: "next thinking level", when: "empty" },
  { keys: ["ctrl+a"], action: "toggle-auto", about: "auto mode", when: "empty" },
  { keys: ["ctrl+s"], action: "toggle-sandbox", about: "sandbox" },
  { keys: ["ctrl+l"], action: "redraw", about: "redraw the screen" },
  { keys: ["ctrl+z"], action: "suspend", about: "suspend" },
  { keys: ["up", "ctrl+p"], action: "up", about: "line up, on the first line the queued message or earlier input" },
  { keys: ["down", "ctrl+n"], action: "down", about: "line down, on the last line later input" },
  { keys: ["right", "ctrl+f"], action: "right-or-accept", about: "right, at the end accept the suggestion" },
  { keys: ["left", "ctrl+b"], action: "left", about: "left" },
  { keys: ["alt+left", "ctrl+left", "alt+b"], action: "word-left", about: "word left" },
  { keys: ["alt+right", "ctrl+right", "alt+f"], action: "word-right", about: "word right" },
  { keys: ["home"], action: "line-start", about: "start of the line" },
  { keys: ["ctrl+a"], action: "line-start", about: "start of the line", when: "text" },
  { keys: ["end"], action: "line-end", about: "end of the line" },
  { keys: ["ctrl+e"], action: "line-end", about: "end of the line", when: "text" },
  { keys: ["alt+<", "ctrl+home"], action: "text-start", about: "start of the text" },
  { keys: ["alt+>", "ctrl+end"], action: "text-end", about: "end of the text" },
  { keys: ["backspace", "shift+backspace", "ctrl+h"], action: "delete-left", about: "delete left" },
  { keys: ["delete"], action: "delete-right", about: "delete right" },
  { keys: ["ctrl+w", "alt+backspace", "ctrl+backspace"], action: "kill-word-left", about: "cut the word to the left" },
  { keys: ["alt+d", "alt+delete", "ctrl+delete"], action: "kill-word-right", about: "cut the word to the right" },
  { keys: ["ctrl+u"], action: "kill-line-left", about: "cut to the start of the line", when: "text" },
  { keys: ["ctrl+k"], action: "kill-line-right", about: "cut to the end of the line" },
  { keys: ["ctrl+y"], action: "yank", about: "put back what was cut" },
  { keys: ["alt+y"], action: "yank-earlier", about: "put back an earlier cut instead" },
  { keys: ["ctrl+t"], action: "transpose", about: "swap two characters", when: "text" },
  { keys: ["ctrl+_", "ctrl+x"], action: "undo", about: "undo" },
  { keys: ["alt+_", "alt+/"], action: "redo", about: "redo" },
  { keys: ["alt+e"], action: "expand-paste", about: "show a pasted block as text" },
  { keys: [], action: "clear", about: "empty the input" },
];

export const KEYMAP: readonly Binding[] = [...INPUT_KEYMAP, ...PLACE_KEYMAP];

/** The names a key can have; letters, digits and signs are named by themselves. */
export const NAMED_KEYS: readonly string[] = [
  ...["enter", "tab", "space", "backspace", "escape", "delete", "insert"],
  ...["up", "down", "left", "right", "home", "end", "pageup", "pagedown"],
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
];

/** What a key means while the input is `empty` or not; undefined for keys that type or mean nothing. */
export function actionOf(key: Key, empty: boolean, bindings: readonly Binding[] = KEYMAP): Action | undefined {
  const name = keyName(key);
  const now = empty ? "empty" : "text";
  const found = bindings.find(
    (binding) => binding.in === undefined && binding.keys.includes(name) && (binding.when ?? now) === now,
  );
  return found?.in === undefined ? found?.action : undefined;
}

const ONLY_SCREEN: ReadonlySet<Action> = new Set<ScreenAction>([
  ...(["send", "accept-or-next-mode", "next-agent", "up", "down", "right-or-accept", "cancel", "interrupt"] as const),
  ...(["quit-or-delete", "search-history", "edit-outside", "drop-queued", "redraw", "suspend", "show-output"] as const),
  ...(["toggle-verbose", "toggle-think", "cycle-think", "toggle-auto", "toggle-sandbox"] as const),
]);

/** Whether the action changes nothing but the text and the cursor in it. */
export function isEditing(action: Action): action is SimpleAction {
  return !ONLY_SCREEN.has(action);
}
