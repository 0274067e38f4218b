/** A long text as a value: scrolled, searched, narrowed to matching lines. How it looks is in `pager-frame.ts`. Pure. */
import { neutralise } from "../../src/text/neutralise.ts";
import { expandTabs } from "../../src/text/width.ts";
import type { OutputLook } from "../view/view-state.ts";
import { type Key, keyName } from "./key-decoder.ts";
import type { Binding } from "./keymap.ts";
import { findAll, firstFrom, keepLines } from "./pager-search.ts";
import { placeAction } from "./place-keys.ts";
import { type ScrollState, scrollBy, scrollTop } from "./scroll.ts";

export interface PagerState {
  readonly title: string;
  /** All of it. */
  readonly whole: string;
  /** The lines that are shown: all, or those that `filter` leaves. */
  readonly text: string;
  readonly filter: string;
  readonly look: OutputLook | undefined;
  readonly scroll: ScrollState;
  /** Where the first visible row begins in `text`; the frame settles it. */
  readonly topOffset: number;
  /** What is being typed behind `/` (search) or `&` (filter). */
  readonly prompt: { readonly sign: "/" | "&"; readonly typed: string } | undefined;
  /** The last search; empty before the first. */
  readonly query: string;
  /** Which of the found places is the current one. */
  readonly hit: number;
  /** The current place is to be scrolled into sight by the next frame. */
  readonly seeks: boolean;
}

export function openPager(title: string, text: string, look?: OutputLook): PagerState {
  const whole = expandTabs(neutralise(text));
  return {
    title: neutralise(title),
    whole,
    text: whole,
    filter: "",
    look,
    scroll: scrollTop,
    topOffset: 0,
    prompt: undefined,
    query: "",
    hit: 0,
    seeks: false,
  };
}

/** The same pager with a longer text, for output that is read from a file. */
export function withText(pager: PagerState, text: string): PagerState {
  const whole = expandTabs(neutralise(text));
  return { ...pager, whole, text: keepLines(whole, pager.filter) };
}

/** `page` is how many rows a page key moves. Undefined closes the pager. */
export function pagerKey(
  pager: PagerState,
  key: Key,
  page: number,
  bindings?: readonly Binding[],
): PagerState | undefined {
  if (pager.prompt !== undefined) return promptKey(pager, pager.prompt, key);
  const action = placeAction(key, ["pager"], bindings);
  switch (action) {
    case "pager-close":
      return undefined;
    case "pager-search":
      return { ...pager, prompt: { sign: "/", typed: "" } };
    case "pager-filter":
      return { ...pager, prompt: { sign: "&", typed: "" } };
    case "next-match":
      return step(pager, 1);
    case "previous-match":
      return step(pager, -1);
    default:
      return { ...pager, scroll: scrollBy(pager.scroll, action, page) };
  }
}

function promptKey(pager: PagerState, prompt: NonNullable<PagerState["prompt"]>, key: Key): PagerState {
  const typed = (text: string): PagerState => ({ ...pager, prompt: { ...prompt, typed: text } });
  const name = keyName(key);
  if (name === "escape" || name === "ctrl+c") return { ...pager, prompt: undefined };
  if (name === "enter") return prompt.sign === "/" ? search(pager, prompt.typed) : narrow(pager, prompt.typed);
  if (name === "ctrl+u") return typed("");
  if (name === "backspace") {
    if (prompt.typed === "") return { ...pager, prompt: undefined };
    return typed(Array.from(prompt.typed).slice(0, -1).join(""));
  }
  return key.text === undefined ? pager : typed(prompt.typed + neutralise(key.text).replace(/\s+/g, " "));
}

/** An empty search repeats the last one. */
function search(pager: PagerState, typed: string): PagerState {
  const query = typed === "" ? pager.query : typed;
  const hit = firstFrom(findAll(pager.text, query), pager.topOffset);
  return { ...pager, prompt: undefined, query, hit, seeks: true };
}

/** An empty filter shows everything again. */
function narrow(pager: PagerState, filter: string): PagerState {
  const text = keepLines(pager.whole, filter);
  return { ...pager, prompt: undefined, filter, text, scroll: scrollTop, topOffset: 0, hit: 0, seeks: false };
}

function step(pager: PagerState, by: 1 | -1): PagerState {
  const count = findAll(pager.text, pager.query).length;
  return count === 0 ? pager : { ...pager, hit: (pager.hit + by + count) % count, seeks: true };
}
