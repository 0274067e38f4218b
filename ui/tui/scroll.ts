import type { PlaceAction } from "./place-keys.ts";

/** How far a long text is scrolled. `top` may be too large; `clampScroll` settles it against the text. */
export interface ScrollState {
  readonly top: number;
}

export const scrollTop: ScrollState = { top: 0 };

/** `page` is how many rows a page key moves. */
export function scrollBy(state: ScrollState, action: PlaceAction | undefined, page: number): ScrollState {
  switch (action) {
    case "scroll-up":
    case "pager-up":
      return { top: Math.max(0, state.top - 1) };
    case "scroll-down":
    case "pager-down":
      return { top: state.top + 1 };
    case "scroll-page-up":
    case "pager-page-up":
      return { top: Math.max(0, state.top - page) };
    case "scroll-page-down":
    case "pager-page-down":
      return { top: state.top + page };
    case "scroll-top":
    case "pager-top":
      return { top: 0 };
    case "scroll-bottom":
    case "pager-bottom":
      return { top: Number.MAX_SAFE_INTEGER };
    default:
      return state;
  }
}

/** The first visible row of `total`, when `visible` fit. */
export function clampScroll(state: ScrollState, total: number, visible: number): number {
  return Math.max(0, Math.min(state.top, total - visible));
}
