import { approvalBox } from "./approval-dialog.ts";
import type { DialogState } from "./dialog-state.ts";
import { editBox } from "./edit-dialog.ts";
import type { Highlighter } from "./highlight.ts";
import type { Box } from "./panel.ts";
import { pickBox } from "./pick-dialog.ts";
import type { PlaceAction } from "./place-keys.ts";
import { questionBox } from "./question-dialog.ts";
import { reviewBox } from "./review-dialog.ts";
import type { Line } from "./spans.ts";
import type { Theme } from "./theme.ts";

export interface DialogFrame {
  /** Cells inside the box. */
  readonly width: number;
  /** Lines inside the box, at least one. */
  readonly height: number;
  /** How many requests wait, this one included. */
  readonly waiting: number;
  readonly theme: Theme;
  readonly highlighter: Highlighter | undefined;
  /** What a person would press for an action here, for example `a`. */
  readonly keyOf: (action: PlaceAction) => string;
  /** Lays out Markdown. */
  readonly markdown: (source: string, width: number) => readonly Line[];
}

export interface DialogView {
  readonly box: Box;
  /** Rows a page key scrolls. */
  readonly page: number;
  readonly help: string;
}

/** The open dialog, clamped to the frame it is given. */
export function dialogView(state: DialogState, frame: DialogFrame): DialogView {
  switch (state.kind) {
    case "approval":
      return approvalBox(state, frame);
    case "pick":
      return pickBox(state, frame);
    case "question":
      return questionBox(state, frame);
    case "edit":
      return editBox(state, frame);
    case "review":
      return reviewBox(state, frame);
  }
}
