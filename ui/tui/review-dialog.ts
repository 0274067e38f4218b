/** A text to read and approve, or to send back with a word: its Markdown laid out, the answers always below it. */
import { neutralise } from "../../src/text/neutralise.ts";
import type { ReviewState } from "./dialog-state.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import { editorBox } from "./editor-box.ts";
import { ruleLine } from "./rule-line.ts";
import { clampScroll } from "./scroll.ts";
import { clipLine, type Line, paint, span } from "./spans.ts";

/** Rows of the comment, in a box that has room for them. */
const COMMENT_ROWS = 5;
const ROOMY = 14;

export function reviewBox(state: ReviewState, frame: DialogFrame): DialogView {
  const { width, height, theme, keyOf } = frame;
  const comment =
    state.comment &&
    editorBox(
      { editor: state.comment, ghost: "", placeholder: "what should be different?" },
      width,
      height >= ROOMY ? COMMENT_ROWS : 1,
      theme,
    );
  const foot = comment === undefined ? 1 : comment.lines.length + 1;
  const body = frame.markdown(state.request.text, width);
  const visible = Math.max(1, height - 1 - foot);
  const top = clampScroll(state.scroll, body.length, visible);
  const shown = body.slice(top, top + visible);
  const upper = [...shown, ruleLine(top, shown.length, body.length, width)].map((line) => paint(line, theme));
  const waiting = frame.waiting > 1 ? ` (1 of ${frame.waiting})` : "";
  const title = `${neutralise(state.request.title).replace(/\s+/g, " ").trim()}${waiting}`;
  if (comment === undefined)
    return {
      box: { title, lines: [...upper, paint(clipLine(answers(keyOf), width), theme)], caret: undefined },
      page: Math.max(1, visible - 1),
      help: `${keyOf("dismiss")} not approved • ${keyOf("search-text")} search • ↑↓ pgup pgdn home end scroll`,
    };
  const label = paint([span("Not approved, and tell the model:", "warn")], theme);
  const caret = { row: upper.length + 1 + (comment.caret?.row ?? 0), column: comment.caret?.column ?? 0 };
  return {
    box: { title, lines: [...upper, label, ...comment.lines], caret },
    page: 1,
    help: "enter send the comment • alt+enter new line • esc back",
  };
}

const answers = (keyOf: DialogFrame["keyOf"]): Line => [
  span(`[${keyOf("approve-text")}]`, "accent"),
  span(" Approve  "),
  span(`[${keyOf("deny-text")}]`, "accent"),
  span(" Deny  "),
  span(`[${keyOf("comment-text")}]`, "accent"),
  span(" Comment"),
];
