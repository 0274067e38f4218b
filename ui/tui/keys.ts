/** The keys in force. */
import { type Binding, KEYMAP } from "./keymap.ts";

export interface Keys {
  readonly bindings: readonly Binding[];
  readonly mode: "emacs" | "vim";
  /** What could not be used, with the line; everything else counts. */
  readonly problems: readonly string[];
}

export const defaultKeys: Keys = { bindings: KEYMAP, mode: "emacs", problems: [] };
