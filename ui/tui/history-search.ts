/** Looking for what was typed before, letter by letter. The draft in the editor is not touched meanwhile. Pure. */
import { type EditorState, edit, emptyEditor, plainText } from "./editor-state.ts";
import type { InputHistory } from "./input-history.ts";
import { type Key, keyName } from "./key-decoder.ts";
import { actionOf, type Binding } from "./keymap.ts";
import { typeInto } from "./type-into.ts";

export interface HistorySearch {
  readonly query: EditorState;
  /** Which match, 0 is the newest. */
  readonly selected: number;
}

export type SearchStep =
  | { readonly type: "search"; readonly search: HistorySearch }
  | { readonly type: "take"; readonly text: string }
  | { readonly type: "leave" };

const MOST_SHOWN = 100;

/** Begins with what is in the editor, when that is a short word or two. */
export function openSearch(draft: EditorState): HistorySearch {
  const text = plainText(draft);
  const query = text.length > 40 || text.includes("\n") ? "" : text.trim();
  return { query: edit(emptyEditor, { type: "set", text: query }), selected: 0 };
}

/** Entries that hold every word of the query, newest first, each once. */
export function searchMatches({ entries }: InputHistory, { query }: HistorySearch): readonly string[] {
  const words = plainText(query).toLowerCase().split(/\s+/);
  const found = new Set<string>();
  for (let at = entries.length - 1; at >= 0 && found.size < MOST_SHOWN; at--) {
    const entry = entries[at]!;
    const text = entry.toLowerCase();
    if (words.every((word) => text.includes(word))) found.add(entry);
  }
  return [...found];
}

export function searchKey(
  search: HistorySearch,
  history: InputHistory,
  key: Key,
  bindings: readonly Binding[],
): SearchStep {
  const matches = searchMatches(history, search);
  const name = keyName(key);
  const action = actionOf(key, false, bindings);
  const to = (selected: number): SearchStep => ({
    type: "search",
    search: { ...search, selected: Math.max(0, Math.min(matches.length - 1, selected)) },
  });
  if (name === "escape" || action === "interrupt" || name === "ctrl+g") return { type: "leave" };
  if (name === "enter" || name === "tab") {
    const text = matches[search.selected];
    return text === undefined ? { type: "search", search } : { type: "take", text };
  }
  if (action === "search-history" || action === "down") return to(search.selected + 1);
  if (action === "up") return to(search.selected - 1);
  const query = typeInto(search.query, key, bindings);
  return { type: "search", search: query.text === search.query.text ? { ...search, query } : { query, selected: 0 } };
}
