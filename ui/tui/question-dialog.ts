import { neutralise } from "../../src/text/neutralise.ts";
import { wrapText } from "../../src/text/wrap.ts";
import * as wording from "../view/wording.ts";
import type { QuestionState } from "./dialog-state.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import { editorBox } from "./editor-box.ts";
import type { EditorState } from "./editor-state.ts";
import { clipLine, type Line, paint, span } from "./spans.ts";

/** One question of the model at a time: options, or an answer in one's own words. */
export function questionBox(state: QuestionState, frame: DialogFrame): DialogView {
  const { width, theme } = frame;
  const question = state.request.questions[state.index] ?? { text: "", options: [], multiSelect: false };
  const onFree = state.selected === question.options.length;
  const free = editorBox(
    {
      editor: question.secret ? masked(state.other) : state.other,
      ghost: "",
      placeholder: question.options.length > 0 ? "something else…" : "your answer",
    },
    width - 4,
    2,
    theme,
  );
  const text = wrapText(neutralise(question.text), width)
    .slice(0, Math.max(1, frame.height - 3))
    .map((row): Line => [{ ...span(row), bold: true }]);
  const options = question.options.map((option, index): Line => {
    const chosen = index === state.selected;
    const box = question.multiSelect ? (state.checked.includes(index) ? "[x] " : "[ ] ") : `${index + 1}. `;
    const about = option.description === undefined ? [] : [span(`  ${neutralise(option.description)}`, "faint")];
    return clipLine(
      [
        span(chosen ? "❯ " : "  ", "accent"),
        span(box + neutralise(option.label), chosen ? "accent" : "text"),
        ...about,
      ],
      width,
    );
  });
  const room = Math.max(1, frame.height - text.length - free.lines.length);
  const top = Math.max(
    0,
    Math.min(options.length - room, Math.min(state.selected, options.length - 1) - Math.floor(room / 2)),
  );
  const upper = [...text, ...options.slice(top, top + room)].map((line) => paint(line, theme));
  const mark = paint([span(onFree ? "❯ ✎ " : "  ✎ ", "accent")], theme);
  const lower = free.lines.map((line, index) => (index === 0 ? mark : "    ") + line);
  const caret =
    onFree && free.caret !== undefined
      ? { row: upper.length + free.caret.row, column: free.caret.column + 4 }
      : undefined;
  const count = state.request.questions.length;
  const from = wording.questionTitle(state.request);
  const place = `${state.index + 1} of ${count}`;
  const title = count === 1 ? from : state.request.from === undefined ? `Question ${place}` : `${from} (${place})`;
  const help = question.multiSelect
    ? "space choose • enter confirm • esc no answer"
    : "enter choose • 1-9 choose • esc no answer";
  return { box: { title, lines: [...upper, ...lower], caret }, page: room, help };
}

/** A key or password is not shown, only how much of it there is. */
function masked(editor: EditorState): EditorState {
  return { ...editor, text: editor.text.replace(/[^\n]/g, "•") };
}
