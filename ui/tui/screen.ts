/** The whole screen as a value: what is shown and typed. What a key does is in `press.ts`, how it looks in `frame.ts`. */

import type { Suggestion } from "../../src/protocol/conversation.ts";
import type { Level } from "../../src/protocol/event.ts";
import { emptyView, type ViewState } from "../view/view-state.ts";
import { type DialogState, openDialog } from "./dialog-state.ts";
import { type EditorState, emptyEditor, plainText } from "./editor-state.ts";
import { emptyHistory, historyGhost, type InputHistory } from "./input-history.ts";
import type { PagerState } from "./pager.ts";

export interface Screen {
  readonly view: ViewState;
  readonly editor: EditorState;
  readonly history: InputHistory;
  /** The best completion for exactly this input. */
  readonly suggestion: { readonly line: string; readonly cursor: number; readonly best: Suggestion } | undefined;
  readonly dialog: DialogState | undefined;
  readonly pager: PagerState | undefined;
  readonly flash: { readonly level: Level; readonly text: string } | undefined;
  /** Ctrl+C was pressed once with nothing to clear or cancel. */
  readonly armed: boolean;
}

export const emptyScreen: Screen = {
  view: emptyView,
  editor: emptyEditor,
  history: emptyHistory,
  suggestion: undefined,
  dialog: undefined,
  pager: undefined,
  flash: undefined,
  armed: false,
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
  const text = plainText(screen.editor);
  const { suggestion, editor } = screen;
  if (
    suggestion !== undefined &&
    suggestion.line === text &&
    suggestion.cursor === editor.cursor &&
    editor.pastes.length === 0
  ) {
    const typed = text.slice(suggestion.best.from, editor.cursor);
    const whole = suggestion.best.text;
    const rest = whole.toLowerCase().startsWith(typed.toLowerCase()) ? whole.slice(typed.length) : "";
    const hint = suggestion.best.hint === undefined || editor.cursor < text.length ? "" : ` ${suggestion.best.hint}`;
    return { text: rest, hint };
  }
  return { text: historyGhost(screen.history, editor), hint: "" };
}
