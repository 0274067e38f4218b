/** Asks to allow one call: what it does, the whole of it, what each answer would remember, and why this asks. */
import { reveal } from "../../src/text/neutralise.ts";
import { displayWidth, expandTabs, fitWidth } from "../../src/text/width.ts";
import { wrapText } from "../../src/text/wrap.ts";
import { explainApproval } from "../view/approval-words.ts";
import { offersOf, patternText } from "../view/offer-words.ts";
import { previewLines } from "../view/preview-words.ts";
import * as wording from "../view/wording.ts";
import type { ApprovalState } from "./dialog-state.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import { diffLines } from "./diff.ts";
import { diffColumns, SIDE_BY_SIDE_WIDTH } from "./diff-columns.ts";
import { editorBox } from "./editor-box.ts";
import { offerLines, savedLines } from "./offer-lines.ts";
import type { PlaceAction } from "./place-keys.ts";
import { ruleLine } from "./rule-line.ts";
import { clampScroll } from "./scroll.ts";
import { clipLine, type Line, lineWidth, paint, span, wrapLine } from "./spans.ts";

/** With fewer lines than this the reason moves into the scrolling part, so that the answers are always in sight. */
const ROOMY = 12;
/** Answers that need more than this share of the box are told in short, and in full in the scrolling part. */
const ANSWER_SHARE = 0.5;
/** With fewer lines than this only the call and the keys are shown. */
const CRAMPED = 4;

export function approvalBox(state: ApprovalState, frame: DialogFrame): DialogView {
  const { width, theme } = frame;
  const full = answerLines(state, frame);
  const roomy = frame.height >= ROOMY && full.length <= ANSWER_SHARE * frame.height;
  const advice =
    state.feedback &&
    editorBox(
      { editor: state.feedback, ghost: "", placeholder: "what should it do instead?" },
      width,
      frame.height >= ROOMY ? 3 : 1,
      theme,
    );
  if (frame.height < CRAMPED && advice === undefined && !state.explaining) return crampedBox(state, frame);
  const answers = state.explaining ? keyLines(state, frame).slice(0, 2) : roomy ? full : shortAnswers(state, frame);
  const foot = advice === undefined ? answers : [];
  const visible = Math.max(1, frame.height - 1 - (advice === undefined ? foot.length : advice.lines.length + 1));
  const body = state.explaining ? explanation(state, frame) : callLines(state, frame, roomy);
  const top = clampScroll(state.scroll, body.length, visible);
  const shown = body.slice(top, top + visible);
  const upper = [...shown, ruleLine(top, shown.length, body.length, width)].map((line) => paint(line, theme));
  const title = `${wording.approvalTitle(state.request)}${frame.waiting > 1 ? ` (1 of ${frame.waiting})` : ""}`;
  if (advice === undefined) {
    const lines = [...upper, ...foot.map((line) => paint(line, theme))];
    return { box: { title, lines, caret: undefined }, page: Math.max(1, visible - 1), help: helpLine(state, frame) };
  }
  const label = paint([span("Deny, and tell the model:", "warn")], theme);
  const caret = { row: upper.length + 1 + (advice.caret?.row ?? 0), column: advice.caret?.column ?? 0 };
  return {
    box: { title, lines: [...upper, label, ...advice.lines], caret },
    page: 1,
    help: "enter deny with this advice • esc back",
  };
}

/** What else can be pressed, in fewer words where they do not fit. */
function helpLine(state: ApprovalState, { width, keyOf }: DialogFrame): string {
  const which = offersOf(state.request).length > 1 ? [`${keyOf("next-pattern")} other pattern`] : [];
  const why = `${keyOf("explain")} ${state.explaining ? "back" : "why"}`;
  const deny = `${keyOf("dismiss")} deny`;
  const advise = `${keyOf("deny-with-advice")} deny and say why`;
  const forms = [
    [deny, advise, why, ...which, "↑↓ pgup pgdn home end scroll"],
    [deny, advise, why, ...which, "↑↓ scroll"],
    [deny, why, ...which, "↑↓ scroll"],
  ];
  const texts = forms.map((form) => form.join(" • "));
  return texts.find((text) => displayWidth(text) <= width) ?? texts.at(-1) ?? "";
}

/** A window of a few lines: as much of the call as fits, and the keys, in the title where there is no other line. */
function crampedBox(state: ApprovalState, frame: DialogFrame): DialogView {
  const { request } = state;
  const offer = offersOf(request)[state.chosen];
  const possible = ANSWERS.filter(([, scope]) => scope === "deny" || wording.offersScope(offer, scope));
  const keys = possible.map(([action]) => frame.keyOf(action)).join("/");
  const visible = Math.max(1, frame.height - 1);
  // A pattern that was chosen is shown before it can be remembered; the narrowest is the call itself.
  const chosen = state.chosen > 0 ? savedLines(state, frame, false) : [];
  const body = [...chosen, ...callLines(state, frame, false)];
  const shown = body.slice(clampScroll(state.scroll, body.length, visible)).slice(0, visible);
  const foot = frame.height > 1 ? [clipLine([span(keys, "accent")], frame.width)] : [];
  const room = frame.width - displayWidth(keys) - 1;
  const title = frame.height > 1 ? wording.approvalTitle(request) : `${fitWidth(request.tool, room)} ${keys}`;
  return {
    box: { title, lines: [...shown, ...foot].map((line) => paint(line, frame.theme)), caret: undefined },
    page: visible,
    help: "",
  };
}

/** Everything a person judges by; it scrolls when it is long. */
function callLines(state: ApprovalState, frame: DialogFrame, roomy: boolean): Line[] {
  const { width } = frame;
  const { request } = state;
  const about: Line[] = wrapText(reveal(request.about).replace(/\s+/g, " ").trim(), width).map((row) => [
    span(row, "faint"),
  ]);
  const detail = wrapText(expandTabs(reveal(request.detail)), width).map((row): Line => [{ ...span(row), bold: true }]);
  const diff = width >= SIDE_BY_SIDE_WIDTH ? diffColumns(state.diff, width) : diffLines(state.diff, width, true);
  const rest = roomy ? [] : [[], ...savedInFull(state, frame), ...why(state, width)];
  const known = previewRows(request, width);
  const change = [...known, ...(diff.length > 0 ? [[], ...diff] : [])];
  // Where little fits, what is being allowed comes first: nobody should answer before having seen it.
  return roomy ? [...about, ...detail, ...change] : [...detail, ...change, [], ...about, ...rest];
}

/** What trying or reading a command told of it. */
function previewRows({ preview }: ApprovalState["request"], width: number): Line[] {
  const lines = preview === undefined ? [] : previewLines(preview);
  const rows = lines.flatMap(({ tone, text }) =>
    wrapLine([span(expandTabs(text), PREVIEW_TONES[tone])], width, [span("    ")]),
  );
  return rows.length > 0 ? [[], ...rows] : [];
}

const PREVIEW_TONES = { head: "accent", added: "added", removed: "removed", plain: undefined, note: "faint" } as const;

/** What `?` shows. */
function explanation(state: ApprovalState, { width, keyOf }: DialogFrame): Line[] {
  return explainApproval(state.request, state.chosen).flatMap(({ topic, text }) => {
    const action = ACTIONS[topic];
    const head = action === undefined ? (topic === "" ? "  " : `${topic}: `) : `[${keyOf(action)}] `;
    return wrapLine([span(head, "accent"), span(text)], width, [span("    ")]);
  });
}

/** What the short answers leave out of what would be remembered. */
function savedInFull(state: ApprovalState, frame: DialogFrame): Line[] {
  if (offersOf(state.request).length > 1) return offerLines(state, frame);
  return savedLines(state, frame, false).length === 1 ? [] : savedLines(state, frame, true);
}

function why(state: ApprovalState, width: number): Line[] {
  return wrapLine([span(`why: ${wording.because(state.request.because)}`, "faint")], width);
}

/** The answers with all that can be said about them. */
function answerLines(state: ApprovalState, frame: DialogFrame): Line[] {
  const { width } = frame;
  const note = state.note === undefined ? [] : wrapLine([span(state.note, "error")], width);
  const [offer, ...others] = offersOf(state.request);
  if (others.length > 0) return [...why(state, width), ...offerLines(state, frame), ...note, ...keyLines(state, frame)];
  if (offer !== undefined && state.diff.length === 0)
    return [...why(state, width), ...choices(state, offer.pattern, frame), ...note];
  return [...why(state, width), ...savedLines(state, frame, true), ...note, ...keyLines(state, frame)];
}

/** The answers in at most four lines. */
function shortAnswers(state: ApprovalState, frame: DialogFrame): Line[] {
  const { width } = frame;
  const told =
    state.note === undefined ? savedLines(state, frame, false) : wrapLine([span(state.note, "error")], width);
  const head = told.length <= 2 ? told : [told[0] ?? [], [...clipLine(told[1] ?? [], width - 1), span("…", "faint")]];
  return [...head, ...keyLines(state, frame).slice(0, 2)];
}

/** Without a diff there is room to say what each answer means. */
function choices({ request }: ApprovalState, pattern: string, { width, keyOf }: DialogFrame): Line[] {
  const [offer] = offersOf(request);
  const lines = ANSWERS.filter(([, scope]) => scope === "deny" || wording.offersScope(offer, scope)).map(
    ([action, scope]): Line => [
      span(`[${keyOf(action)}] `, "accent"),
      span(scope === "deny" ? "deny" : wording.scopeMeaning(scope, patternText(pattern))),
    ],
  );
  const only: Line[] = request.sessionOnly ? [[span(`not saved: ${wording.noPattern(request)}`, "faint")]] : [];
  return [...lines, ...only].flatMap((line) => wrapLine(line, width, [span("    ")]));
}

const ANSWERS = [
  ["allow-once", "once", "Allow"],
  ["allow-session", "session", "Session"],
  ["allow-project", "project", "Project"],
  ["allow-global", "global", "Global"],
  ["deny", "deny", "Deny"],
] as const;

/** What the topics of an explanation are answered by. */
const ACTIONS: Readonly<Record<string, PlaceAction>> = {
  a: "allow-once",
  s: "allow-session",
  p: "allow-project",
  g: "allow-global",
  d: "deny",
  e: "deny-with-advice",
  1: "first-pattern",
  2: "second-pattern",
  3: "third-pattern",
};

/** The keys, an answer never torn apart; what is not possible is faint. */
function keyLines({ request, chosen }: ApprovalState, { width, keyOf }: DialogFrame): Line[] {
  const offer = offersOf(request)[chosen];
  const lines: Line[] = [[]];
  for (const [action, scope, word] of ANSWERS) {
    const letter = keyOf(action);
    const possible = scope === "deny" || wording.offersScope(offer, scope);
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
