/** Asks to allow one call: what it does, the whole of it, what each answer would remember, and why this asks. */
import { reveal } from "../../src/text/neutralise.ts";
import { expandTabs } from "../../src/text/width.ts";
import { wrapText } from "../../src/text/wrap.ts";
import * as wording from "../view/wording.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import type { ApprovalState } from "./dialog-state.ts";
import { diffLines } from "./diff.ts";
import { editorBox } from "./editor-box.ts";
import { clampScroll } from "./scroll.ts";
import { clipLine, type Line, paint, span, wrapLine } from "./spans.ts";

export function approvalBox(state: ApprovalState, frame: DialogFrame): DialogView {
  const { width, theme } = frame;
  const foot = state.feedback === undefined ? answerLines(state, width) : [];
  const advice = state.feedback === undefined ? undefined : editorBox({ editor: state.feedback, ghost: "", placeholder: "what should it do instead?" }, width, 3, theme);
  const footRows = advice === undefined ? foot.length : advice.lines.length + 1;
  const room = Math.max(1, frame.height - footRows - 1);
  const body = bodyLines(state, width);
  const scrolls = body.length > room;
  const visible = scrolls ? Math.max(1, room - 1) : room;
  const top = clampScroll(state.scroll, body.length, visible);
  const shown = body.slice(top, top + visible);
  if (scrolls) shown.push([span(`lines ${top + 1}-${top + shown.length} of ${body.length}  ↑↓ scroll`, "faint")]);
  const rule: Line = [span("─".repeat(width), "border")];
  const upper = [...shown, rule].map((line) => paint(line, theme));
  const title = `${wording.approvalTitle(state.request)}${frame.waiting > 1 ? ` (1 of ${frame.waiting})` : ""}`;
  if (advice === undefined) {
    const lines = [...upper, ...foot.map((line) => paint(line, theme))];
    return { box: { title, lines, caret: undefined }, page: Math.max(1, visible - 1), help: "esc deny • e deny and say why • ↑↓ pgup pgdn home end scroll" };
  }
  const label = paint([span("Deny, and tell the model:", "warn")], theme);
  const row = upper.length + 1 + (advice.caret?.row ?? 0);
  const caret = { row, column: advice.caret?.column ?? 0 };
  return { box: { title, lines: [...upper, label, ...advice.lines], caret }, page: 1, help: "enter deny with this advice • esc back" };
}

/** Everything a person judges by; it scrolls when it is long. */
function bodyLines(state: ApprovalState, width: number): Line[] {
  const { request } = state;
  const about: Line[] = wrapText(reveal(request.about).replace(/\s+/g, " ").trim(), width).map((row) => [span(row, "faint")]);
  const detail = wrapText(expandTabs(reveal(request.detail)), width).map((row): Line => [{ ...span(row), bold: true }]);
  const preview = request.preview;
  const diff = preview?.diff === undefined ? [] : [[], ...diffLines(preview.diff, width, true)];
  return [...about, ...detail, ...diff];
}

function answerLines(state: ApprovalState, width: number): Line[] {
  const { request } = state;
  const why = clipLine([span(`why: ${wording.because(request.because)}`, "faint")], width);
  const pattern = request.pattern;
  const saved: Line[] =
    pattern === undefined
      ? wrapLine([span(`only this once: ${wording.noPattern(request)}`, "warn")], width)
      : wrapLine([span("s p g allow "), span(reveal(pattern), "accent"), span(" from now on")], width, [span("  ")]);
  const keys: Line = [
    ...key("a", "Allow", true),
    ...key("s", "Session", pattern !== undefined),
    ...key("p", "Project", pattern !== undefined),
    ...key("g", "Global", pattern !== undefined),
    ...key("d", "Deny", true),
  ];
  const note = state.note === undefined ? [] : wrapLine([span(state.note, "error")], width);
  return [why, ...saved, ...note, ...wrapLine(keys, width)];
}

function key(letter: string, word: string, possible: boolean): Line {
  return possible ? [span(`[${letter}]`, "accent"), span(` ${word}  `)] : [span(`[${letter}] ${word}  `, "faint")];
}
