import { type EditorState, edit } from "./editor-state.ts";

/** Browsing what was typed before; the unfinished draft is kept and comes back. Pure. */
export interface InputHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** The entry shown; undefined while the draft is. */
  readonly at: number | undefined;
  readonly draft: EditorState | undefined;
}

export const emptyHistory: InputHistory = { entries: [], at: undefined, draft: undefined };

/** Steps to the earlier (-1) or later (1) entry; undefined when there is none. */
export function browse(
  history: InputHistory,
  editor: EditorState,
  by: -1 | 1,
): { readonly history: InputHistory; readonly editor: EditorState } | undefined {
  const from = history.at ?? history.entries.length;
  const to = from + by;
  if (to < 0 || to > history.entries.length || (by > 0 && history.at === undefined)) return undefined;
  const draft = history.draft ?? editor;
  if (to === history.entries.length) return { history: { ...history, at: undefined, draft: undefined }, editor: draft };
  const shown = edit(edit(editor, { type: "set", text: history.entries[to] ?? "" }), { type: "text-end" });
  return { history: { ...history, at: to, draft }, editor: shown };
}

/** Adds what was sent and stops browsing. Repetitions of the newest entry are not kept. */
export function remember(history: InputHistory, text: string): InputHistory {
  const known = text.trim() === "" || history.entries.at(-1) === text;
  return {
    entries: known ? history.entries : [...history.entries, text].slice(-1_000),
    at: undefined,
    draft: undefined,
  };
}

/** The rest of the newest entry that begins like the input; empty while browsing. */
export function historyGhost(history: InputHistory, editor: EditorState): string {
  const { text } = editor;
  if (history.at !== undefined || text === "" || editor.cursor !== text.length) return "";
  const entry = history.entries.findLast((known) => known.length > text.length && known.startsWith(text));
  const rest = entry?.slice(text.length) ?? "";
  return rest.includes("\n") ? "" : rest;
}
