/** The whole screen as a value: what is shown and typed. What a key does is in `press.ts`, how it looks in `frame.ts`. */

import type { Level } from "../../src/protocol/event.ts";
import { emptyView, type ViewState } from "../view/view-state.ts";
import { type Completion, hasChoice, isFresh } from "./completion.ts";
import { type DialogState, openDialog } from "./dialog-state.ts";
import { type EditorState, emptyEditor } from "./editor-state.ts";
import type { HistorySearch } from "./history-search.ts";
import { emptyHistory, historyGhost, type InputHistory } from "./input-history.ts";
import type { PagerState } from "./pager.ts";
import type { VimState } from "./vim.ts";

export interface Screen {
  readonly view: ViewState;
  readonly editor: EditorState;
  readonly history: InputHistory;
  /** What may follow; for a moment still the one for the input before. */
  readonly completion: Completion | undefined;
  /** Where the word begins whose list was closed. */
  readonly dismissed: number | undefined;
  readonly search: HistorySearch | undefined;
  /** Undefined while vim mode is off. */
  readonly vim: VimState | undefined;
  readonly dialog: DialogState | undefined;
  readonly pager: PagerState | undefined;
  readonly flash: { readonly level: Level; readonly text: string } | undefined;
  /** What a second Ctrl+C or Esc does: they were pressed once with nothing to clear or cancel. */
  readonly armed: "quit" | "undo" | undefined;
}

export const emptyScreen: Screen = {
  view: emptyView,
  editor: emptyEditor,
  history: emptyHistory,
  completion: undefined,
  dismissed: undefined,
  search: undefined,
  vim: undefined,
  dialog: undefined,
  pager: undefined,
  flash: undefined,
  armed: undefined,
};

/** Takes over a changed view: the dialog belongs to the first open request. */
export function withView(screen: Screen, view: ViewState): Screen {
  const request = view.requests[0];
  const same = screen.dialog?.request.id === request?.id;
  const dialog = same ? screen.dialog : request === undefined ? undefined : openDialog(request);
  return { ...screen, view, dialog };
}

/** What accepting a suggestion would add behind the caret, and a hint to what follows. */
export function ghostOf(screen: Screen): { readonly text: string; readonly hint: string } {
  const { completion, editor } = screen;
  const best = completion?.items[completion.selected ?? 0];
  if (completion !== undefined && best !== undefined && isFresh(completion, editor)) {
    const typed = editor.text.slice(best.from, editor.cursor);
    const rest = best.text.toLowerCase().startsWith(typed.toLowerCase()) ? best.text.slice(typed.length) : "";
    const hint = best.hint === undefined || editor.cursor < editor.text.length ? "" : ` ${best.hint}`;
    return { text: rest, hint: rest === "" && typed !== best.text ? "" : hint };
  }
  return { text: historyGhost(screen.history, editor), hint: "" };
}

/** The list under the input, when there is one to choose from. */
export function listOf({ completion }: Screen): Completion | undefined {
  return completion !== undefined && hasChoice(completion) ? completion : undefined;
}
