import type { Key } from "./key-decoder.ts";
import { keyName } from "./keymap.ts";

/** How far a long text is scrolled. `top` may be too large; `clampScroll` settles it against the text. */
export interface ScrollState {
  readonly top: number;
}

export const scrollTop: ScrollState = { top: 0 };

/** `page` is how many rows a page key moves. */
export function scrollKey(state: ScrollState, key: Key, page: number): ScrollState {
  switch (keyName(key)) {
    case "up":
      return { top: Math.max(0, state.top - 1) };
    case "down":
      return { top: state.top + 1 };
    case "pageup":
      return { top: Math.max(0, state.top - page) };
    case "pagedown":
      return { top: state.top + page };
    case "home":
      return { top: 0 };
    case "end":
      return { top: Number.MAX_SAFE_INTEGER };
    default:
      return state;
  }
}

/** The first visible row of `total`, when `visible` fit. */
export function clampScroll(state: ScrollState, total: number, visible: number): number {
  return Math.max(0, Math.min(state.top, total - visible));
}
