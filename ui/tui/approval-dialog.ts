/** Asks to allow one call: what it does, the whole of it, what each answer would remember, and why this asks. */
import { reveal } from "../../src/text/neutralise.ts";
import { expandTabs } from "../../src/text/width.ts";
import { wrapText } from "../../src/text/wrap.ts";
import { explainApproval, patternText } from "../view/approval-words.ts";
import * as wording from "../view/wording.ts";
import type { ApprovalState } from "./dialog-state.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import { diffLines } from "./diff.ts";
import { diffColumns, SIDE_BY_SIDE_WIDTH } from "./diff-columns.ts";
import { editorBox } from "./editor-box.ts";
import { clampScroll } from "./scroll.ts";
import { clipLine, type Line, lineWidth, paint, span, wrapLine } from "./spans.ts";

/** With fewer lines than this the reason moves into the scrolling part, so that the answers are always in sight. */
const ROOMY = 12;
/** Answers that need more than this share of the box are told in short, and in full in the scrolling part. */
const ANSWER_SHARE = 0.5;

export function approvalBox(state: ApprovalState, frame: DialogFrame): DialogView {
  const { width, theme } = frame;
  const full = answerLines(state, width);
  const roomy = frame.height >= ROOMY && full.length <= ANSWER_SHARE * frame.height;
  const advice =
    state.feedback &&
    editorBox(
      { editor: state.feedback, ghost: "", placeholder: "what should it do instead?" },
      width,
      frame.height >= ROOMY ? 3 : 1,
      theme,
    );
  const foot = advice !== undefined ? [] : roomy && !state.explaining ? full : shortAnswers(state, width);
  const visible = Math.max(1, frame.height - 1 - (advice === undefined ? foot.length : advice.lines.length + 1));
  const body = state.explaining ? explanation(state, width) : callLines(state, width, roomy);
  const top = clampScroll(state.scroll, body.length, visible);
  const shown = body.slice(top, top + visible);
  const upper = [...shown, ruleLine(top, shown.length, body.length, width)].map((line) => paint(line, theme));
  const title = `${wording.approvalTitle(state.request)}${frame.waiting > 1 ? ` (1 of ${frame.waiting})` : ""}`;
  if (advice === undefined) {
    const lines = [...upper, ...foot.map((line) => paint(line, theme))];
    return {
      box: { title, lines, caret: undefined },
      page: Math.max(1, visible - 1),
      help: `esc deny • e deny and say why • ? ${state.explaining ? "back" : "why"} • ↑↓ pgup pgdn home end scroll`,
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
function callLines(state: ApprovalState, width: number, roomy: boolean): Line[] {
  const { request } = state;
  const about: Line[] = wrapText(reveal(request.about).replace(/\s+/g, " ").trim(), width).map((row) => [
    span(row, "faint"),
  ]);
  const detail = wrapText(expandTabs(reveal(request.detail)), width).map((row): Line => [{ ...span(row), bold: true }]);
  const diff = width >= SIDE_BY_SIDE_WIDTH ? diffColumns(state.diff, width) : diffLines(state.diff, width, true);
  const fits = saved(state, width, false).length === 1;
  const rest = roomy ? [] : [[], ...(fits ? [] : saved(state, width, true)), ...why(state, width)];
  const change = diff.length > 0 ? [[], ...diff] : [];
  // Where little fits, what is being allowed comes first: nobody should answer before having seen it.
  return roomy ? [...about, ...detail, ...change] : [...detail, ...change, [], ...about, ...rest];
}

/** What `?` shows. */
function explanation(state: ApprovalState, width: number): Line[] {
  return explainApproval(state.request).flatMap(({ topic, text }) => {
    const head = topic.length === 1 ? `[${topic}] ` : `${topic}: `;
    return wrapLine([span(head, "accent"), span(text)], width, [span("    ")]);
  });
}

function why(state: ApprovalState, width: number): Line[] {
  return wrapLine([span(`why: ${wording.because(state.request.because)}`, "faint")], width);
}

/** The pattern that answers would remember; `told` says for how long. */
function saved({ request }: ApprovalState, width: number, told: boolean): Line[] {
  const { pattern, sessionOnly } = request;
  return pattern === undefined
    ? wrapLine([span(`only this once: ${wording.noPattern(request)}`, "warn")], width)
    : wrapLine(
        [
          span(sessionOnly ? "s allows " : "s p g allow "),
          span(patternText(pattern), "accent"),
          ...(told ? [span(sessionOnly ? " until this session ends" : " from now on")] : []),
        ],
        width,
        [span("  ")],
      );
}

/** The answers with all that can be said about them. */
function answerLines(state: ApprovalState, width: number): Line[] {
  const note = state.note === undefined ? [] : wrapLine([span(state.note, "error")], width);
  const { pattern } = state.request;
  if (pattern !== undefined && state.diff.length === 0)
    return [...why(state, width), ...choices(state, pattern, width), ...note];
  return [...why(state, width), ...saved(state, width, true), ...note, ...keyLines(state, width)];
}

/** The answers in at most four lines. */
function shortAnswers(state: ApprovalState, width: number): Line[] {
  const told = state.note === undefined ? saved(state, width, false) : wrapLine([span(state.note, "error")], width);
  const head = told.length <= 2 ? told : [told[0] ?? [], [...clipLine(told[1] ?? [], width - 1), span("…", "faint")]];
  return [...head, ...keyLines(state, width).slice(0, 2)];
}

/** Without a diff there is room to say what each answer means. */
function choices({ request }: ApprovalState, pattern: string, width: number): Line[] {
  const lines = ANSWERS.filter(([, scope]) => scope === "deny" || wording.offersScope(request, scope)).map(
    ([letter, scope]): Line => [
      span(`[${letter}] `, "accent"),
      span(scope === "deny" ? "deny" : wording.scopeMeaning(scope, patternText(pattern))),
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

/** The keys, an answer never torn apart; what is not possible is faint. */
function keyLines({ request }: ApprovalState, width: number): Line[] {
  const lines: Line[] = [[]];
  for (const [letter, scope, word] of ANSWERS) {
    const possible = scope === "deny" || wording.offersScope(request, scope);
    const last = lines.at(-1) ?? [];
    const item: Line = possible
      ? [span(`[${letter}]`, "accent"), span(` ${word}`)]
      : [span(`[${letter}] ${word}`, "faint")];
    if (last.length === 0) lines[lines.length - 1] = item;
    else if (lineWidth(last) + 2 + lineWidth(item) > width) lines.push(item);
    else lines[lines.length - 1] = [...last, span("  "), ...item];
  }
  return lines;
}
