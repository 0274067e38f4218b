/** The keys of dialogs and of the pager; with those of the input they are one table. */
import { type Key, keyName } from "./key-decoder.ts";
import type { Binding } from "./keymap.ts";

export type Place = "approval" | "review" | "question" | "list" | "dialog" | "pager";

export type PlaceAction =
  | "allow-once"
  | "allow-session"
  | "allow-project"
  | "allow-global"
  | "deny"
  | "deny-with-advice"
  | "explain"
  | "first-pattern"
  | "second-pattern"
  | "third-pattern"
  | "next-pattern"
  | "approve-text"
  | "deny-text"
  | "comment-text"
  | "search-text"
  | "check-option"
  | "previous-option"
  | "next-option"
  | "previous-item"
  | "next-item"
  | "items-up"
  | "items-down"
  | "confirm"
  | "dismiss"
  | "scroll-up"
  | "scroll-down"
  | "scroll-page-up"
  | "scroll-page-down"
  | "scroll-top"
  | "scroll-bottom"
  | "pager-close"
  | "pager-search"
  | "pager-filter"
  | "next-match"
  | "previous-match"
  | "pager-up"
  | "pager-down"
  | "pager-page-up"
  | "pager-page-down"
  | "pager-top"
  | "pager-bottom";

export interface PlaceBinding {
  readonly keys: readonly string[];
  readonly action: PlaceAction;
  readonly about: string;
  readonly in: Place;
  readonly when?: undefined;
}

/** Where letters are answers and nothing is typed. */
export const LETTERS_ACT: ReadonlySet<Place> = new Set(["approval", "review", "pager"]);

/** What lets something through; no key that is pressed without thinking may do it. */
export const ALLOWING: ReadonlySet<string> = new Set<PlaceAction>([
  "allow-once",
  "allow-session",
  "allow-project",
  "allow-global",
  "approve-text",
]);

const of = (place: Place, rows: readonly (readonly [PlaceAction, readonly string[], string])[]): PlaceBinding[] =>
  rows.map(([action, keys, about]) => ({ keys, action, about, in: place }));

export const PLACE_KEYMAP: readonly PlaceBinding[] = [
  ...of("approval", [
    ["allow-once", ["a"], "allow this call"],
    ["allow-session", ["s"], "allow its pattern for the session"],
    ["allow-project", ["p"], "allow its pattern in this project"],
    ["allow-global", ["g"], "allow its pattern everywhere"],
    ["deny", ["d"], "deny the call"],
    ["deny-with-advice", ["e"], "deny it and tell the model why"],
    ["explain", ["?"], "why this asks, and what each answer covers"],
    ["first-pattern", ["1"], "choose the narrowest pattern to remember"],
    ["second-pattern", ["2"], "choose the second pattern"],
    ["third-pattern", ["3"], "choose the third pattern"],
    ["next-pattern", ["tab"], "choose the next pattern"],
  ]),
  ...of("review", [
    ["approve-text", ["a"], "approve the text"],
    ["deny-text", ["d"], "do not approve it"],
    ["comment-text", ["c"], "send it back with a comment"],
    ["search-text", ["/"], "search in it"],
  ]),
  ...of("question", [
    ["previous-option", ["up"], "option above"],
    ["next-option", ["down"], "option below"],
    ["check-option", ["space"], "choose or unchoose, where several may be chosen"],
  ]),
  ...of("list", [
    ["previous-item", ["up", "ctrl+p"], "item above"],
    ["next-item", ["down", "ctrl+n"], "item below"],
    ["items-up", ["pageup"], "a page of items up"],
    ["items-down", ["pagedown"], "a page of items down"],
  ]),
  ...of("dialog", [
    ["confirm", ["enter"], "take the choice, save or send the text"],
    ["dismiss", ["escape", "ctrl+c"], "close: deny, or choose nothing"],
    ["scroll-up", ["up"], "line up"],
    ["scroll-down", ["down"], "line down"],
    ["scroll-page-up", ["pageup"], "page up"],
    ["scroll-page-down", ["pagedown"], "page down"],
    ["scroll-top", ["home"], "to the beginning"],
    ["scroll-bottom", ["end"], "to the end"],
  ]),
  ...of("pager", [
    ["pager-close", ["escape", "q", "ctrl+c", "ctrl+o"], "close"],
    ["pager-search", ["/"], "search"],
    ["pager-filter", ["&"], "show only lines with these words"],
    ["next-match", ["n"], "next match"],
    ["previous-match", ["N"], "match before"],
    ["pager-up", ["up", "k"], "line up"],
    ["pager-down", ["down", "j", "enter"], "line down"],
    ["pager-page-up", ["pageup", "b", "u"], "page up"],
    ["pager-page-down", ["pagedown", "space", "f", "d"], "page down"],
    ["pager-top", ["home", "g"], "to the beginning"],
    ["pager-bottom", ["end", "G"], "to the end"],
  ]),
];

/** The first keys of an action as a screen shows them, one unless told; a dash when it has none. */
export function keyShown(action: PlaceAction, bindings: readonly Binding[], most = 1): string {
  const keys = bindings.find((binding) => binding.action === action)?.keys.slice(0, most) ?? [];
  return keys.map((key) => (key === "escape" ? "esc" : key)).join("/") || "-";
}

/** What a key means in the first of these places that knows it. */
export function placeAction(
  key: Key,
  places: readonly Place[],
  bindings: readonly Binding[] = PLACE_KEYMAP,
): PlaceAction | undefined {
  const name = keyName(key);
  for (const place of places) {
    const found = bindings.find((binding) => binding.in === place && binding.keys.includes(name));
    if (found?.in !== undefined) return found.action;
  }
  return undefined;
}
