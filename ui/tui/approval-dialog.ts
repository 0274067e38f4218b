/** Asks to allow one call: what it does, the whole of it, what each answer would remember, and why this asks. */
import { reveal } from "../../src/text/neutralise.ts";
import { expandTabs } from "../../src/text/width.ts";
import { wrapText } from "../../src/text/wrap.ts";
import * as wording from "../view/wording.ts";
import type { ApprovalState } from "./dialog-state.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import { diffLines } from "./diff.ts";
import { editorBox } from "./editor-box.ts";
import { clampScroll } from "./scroll.ts";
import { clipLine, type Line, paint, span, wrapLine } from "./spans.ts";

/** With fewer lines than this the reason moves into the scrolling part, so that the answers are always in sight. */
const ROOMY = 12;

export function approvalBox(state: ApprovalState, frame: DialogFrame): DialogView {
  const { width, theme } = frame;
  const roomy = frame.height >= ROOMY;
  const advice =
    state.feedback &&
    editorBox(
      { editor: state.feedback, ghost: "", placeholder: "what should it do instead?" },
      width,
      roomy ? 3 : 1,
      theme,
    );
  const foot = advice === undefined ? answerLines(state, width, roomy) : [];
  const visible = Math.max(1, frame.height - 1 - (advice === undefined ? foot.length : advice.lines.length + 1));
  const body = roomy ? bodyLines(state, width) : [...bodyLines(state, width), [], ...why(state, width)];
  const top = clampScroll(state.scroll, body.length, visible);
  const shown = body.slice(top, top + visible);
  const upper = [...shown, ruleLine(top, shown.length, body.length, width)].map((line) => paint(line, theme));
  const title = `${wording.approvalTitle(state.request)}${frame.waiting > 1 ? ` (1 of ${frame.waiting})` : ""}`;
  if (advice === undefined) {
    const lines = [...upper, ...foot.map((line) => paint(line, theme))];
    return {
      box: { title, lines, caret: undefined },
      page: Math.max(1, visible - 1),
      help: "esc deny • e deny and say why • ↑↓ pgup pgdn home end scroll",
    };
  }
  const label = paint([span("Deny, and tell the model:", "warn")], theme);
  const caret = { row: upper.length + 1 + (advice.caret?.row ?? 0), column: advice.caret?.column ?? 0 };
  return {
    box: { title, lines: [...upper, label, ...advice.lines], caret },
    page: 1,
    help: "enter deny with this advice • esc back",
  };
}

/** The line between what is judged and the answers; it says when there is more to see. */
function ruleLine(top: number, shown: number, total: number, width: number): Line {
  const place = shown >= total ? "" : ` lines ${top + 1}-${top + shown} of ${total} ↑↓ `;
  return clipLine(
    [span("──", "border"), span(place, "warn"), span("─".repeat(Math.max(0, width - 2 - place.length)), "border")],
    width,
  );
}

/** Everything a person judges by; it scrolls when it is long. */
function bodyLines(state: ApprovalState, width: number): Line[] {
  const { request } = state;
  const about: Line[] = wrapText(reveal(request.about).replace(/\s+/g, " ").trim(), width).map((row) => [
    span(row, "faint"),
  ]);
  const detail = wrapText(expandTabs(reveal(request.detail)), width).map((row): Line => [{ ...span(row), bold: true }]);
  const preview = request.preview;
  const diff = preview?.diff === undefined ? [] : [[], ...diffLines(preview.diff, width, true)];
  return [...about, ...detail, ...diff];
}

function why(state: ApprovalState, width: number): Line[] {
  return wrapLine([span(`why: ${wording.because(state.request.because)}`, "faint")], width);
}

function answerLines(state: ApprovalState, width: number, roomy: boolean): Line[] {
  const { pattern, sessionOnly } = state.request;
  const saved: Line[] =
    pattern === undefined
      ? wrapLine([span(`only this once: ${wording.noPattern(state.request)}`, "warn")], width)
      : wrapLine(
          [span(sessionOnly ? "s allows " : "s p g allow "), span(reveal(pattern), "accent"), span(" from now on")],
          width,
          [span("  ")],
        );
  const keys: Line = ANSWERS.flatMap(([letter, scope, word]) =>
    key(letter, word, scope === "deny" || wording.offersScope(state.request, scope)),
  );
  const note = state.note === undefined ? [] : wrapLine([span(state.note, "error")], width);
  if (!roomy) return [...(note.length > 0 ? note : saved).slice(0, 2), ...wrapLine(keys, width).slice(0, 2)];
  const { preview, pattern: offered } = state.request;
  if (offered !== undefined && preview?.diff === undefined)
    return [...why(state, width), ...choices(state, offered, width), ...note];
  return [...why(state, width), ...saved, ...note, ...wrapLine(keys, width)];
}

/** Without a diff there is room to say what each answer means. */
function choices({ request }: ApprovalState, pattern: string, width: number): Line[] {
  const lines = ANSWERS.filter(([, scope]) => scope === "deny" || wording.offersScope(request, scope)).map(
    ([letter, scope]): Line => [
      span(`[${letter}] `, "accent"),
      span(scope === "deny" ? "deny" : wording.scopeMeaning(scope, reveal(pattern))),
    ],
  );
  const only: Line[] = request.sessionOnly ? [[span(`not saved: ${wording.noPattern(request)}`, "faint")]] : [];
  return [...lines, ...only].flatMap((line) => wrapLine(line, width, [span("    ")]));
}

const ANSWERS = [
  ["a", "once", "Allow"],
  ["s", "session", "Session"],
  ["p", "project", "Project"],
  ["g", "global", "Global"],
  ["d", "deny", "Deny"],
] as const;

function key(letter: string, word: string, possible: boolean): Line {
  return possible ? [span(`[${letter}]`, "accent"), span(` ${word}  `)] : [span(`[${letter}] ${word}  `, "faint")];
}
