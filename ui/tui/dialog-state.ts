/** The open dialog as a value, and what a key does to it. Pure. */
import type { Answer, Request, RequestOf } from "../../src/protocol/request.ts";
import type { Scope } from "../../src/protocol/verdict.ts";
import { allowing, offersOf } from "../view/offer-words.ts";
import { noPattern, offersScope } from "../view/wording.ts";
import { type DiffRow, diffRows } from "./diff-rows.ts";
import { type EditorState, edit, emptyEditor, plainText } from "./editor-state.ts";
import { type Key, keyName } from "./key-decoder.ts";
import { type Binding, KEYMAP } from "./keymap.ts";
import { keyShown, type PlaceAction, placeAction } from "./place-keys.ts";
import { type ScrollState, scrollBy, scrollTop } from "./scroll.ts";
import { typeInto } from "./type-into.ts";

export interface ApprovalState {
  readonly kind: "approval";
  readonly request: RequestOf<"approval">;
  /** The preview's diff, read once. */
  readonly diff: readonly DiffRow[];
  readonly scroll: ScrollState;
  /** Which of the offered patterns an answer would remember. */
  readonly chosen: number;
  /** In place of the call: why this asks and what each answer means. */
  readonly explaining: boolean;
  /** The advice being written to the model; undefined until `e`. */
  readonly feedback: EditorState | undefined;
  /** Why the last key was refused. */
  readonly note: string | undefined;
}

export interface PickState {
  readonly kind: "pick";
  readonly request: RequestOf<"pick">;
  readonly filter: EditorState;
  readonly selected: number;
}

export interface QuestionState {
  readonly kind: "question";
  readonly request: RequestOf<"question">;
  /** Which question is shown. */
  readonly index: number;
  /** The row under the cursor; the one behind the options is free text. */
  readonly selected: number;
  readonly checked: readonly number[];
  readonly other: EditorState;
  readonly answers: readonly (readonly string[])[];
}

export interface EditState {
  readonly kind: "edit";
  readonly request: RequestOf<"edit">;
  readonly editor: EditorState;
}

export interface ReviewState {
  readonly kind: "review";
  readonly request: RequestOf<"review">;
  readonly scroll: ScrollState;
  /** What is being written back; undefined until `c`. */
  readonly comment: EditorState | undefined;
}

export type DialogState = ApprovalState | PickState | QuestionState | EditState | ReviewState;

/** What a key led to: a changed dialog, or its answer. */
export type DialogStep = { readonly state: DialogState } | { readonly answer: Answer };

export function openDialog(request: Request): DialogState {
  switch (request.kind) {
    case "approval":
      return {
        kind: "approval",
        request,
        diff: request.preview?.diff === undefined ? [] : diffRows(request.preview.diff),
        scroll: scrollTop,
        // Whoever does not choose remembers the least.
        chosen: 0,
        explaining: false,
        feedback: undefined,
        note: undefined,
      };
    case "pick": {
      const current = request.items.findIndex((item) => item.current === true);
      return { kind: "pick", request, filter: emptyEditor, selected: Math.max(0, current) };
    }
    case "question":
      return { kind: "question", request, index: 0, selected: 0, checked: [], other: emptyEditor, answers: [] };
    case "edit":
      return { kind: "edit", request, editor: edit(emptyEditor, { type: "set", text: request.text }) };
    case "review":
      return { kind: "review", request, scroll: scrollTop, comment: undefined };
  }
}

/** `page` is how many rows a page key scrolls. */
export function dialogKey(state: DialogState, key: Key, page: number, bindings?: readonly Binding[]): DialogStep {
  const pressed: Pressed = { key, page, bindings };
  switch (state.kind) {
    case "approval":
      return state.feedback === undefined ? approvalKey(state, pressed) : feedbackKey(state, state.feedback, pressed);
    case "pick":
      return pickKey(state, pressed);
    case "question":
      return questionKey(state, pressed);
    case "edit":
      return editKey(state, pressed);
    case "review":
      return state.comment === undefined ? reviewKey(state, pressed) : commentKey(state, state.comment, pressed);
  }
}

interface Pressed {
  readonly key: Key;
  readonly page: number;
  readonly bindings: readonly Binding[] | undefined;
}

/** What closing the dialog without a choice means: a refusal, or nothing chosen. */
export function dismissal(state: DialogState): Answer {
  return state.kind === "approval" ? { kind: "approval", value: { allow: false } } : { kind: state.kind, value: null };
}

const SCOPES: Readonly<Partial<Record<PlaceAction, Scope>>> = {
  "allow-once": "once",
  "allow-session": "session",
  "allow-project": "project",
  "allow-global": "global",
};

const PATTERNS: readonly (PlaceAction | undefined)[] = ["first-pattern", "second-pattern", "third-pattern"];

function approvalKey(state: ApprovalState, { key, page, bindings }: Pressed): DialogStep {
  const action = placeAction(key, ["approval", "dialog"], bindings);
  const scope = action && SCOPES[action];
  const { request } = state;
  const offers = offersOf(request);
  const offer = offers[state.chosen];
  if (scope !== undefined) {
    if (offersScope(offer, scope)) return { answer: { kind: "approval", value: allowing(request, scope, offer) } };
    const keys = (["allow-once", "allow-session"] as const).map((one) => `"${keyShown(one, bindings ?? KEYMAP)}"`);
    const possible = offer === undefined ? `only ${keys[0]} is` : `only ${keys.join(" and ")} are`;
    return { state: { ...state, note: `${possible} possible: ${noPattern(request, offer)}` } };
  }
  const choice = action === "next-pattern" ? (state.chosen + 1) % Math.max(1, offers.length) : PATTERNS.indexOf(action);
  // With one pattern there is nothing to choose.
  if (offers.length > 1 && offers[choice] !== undefined)
    return { state: { ...state, chosen: choice, note: undefined } };
  if (action === "deny" || action === "dismiss") return { answer: dismissal(state) };
  if (action === "deny-with-advice") return { state: { ...state, feedback: emptyEditor, note: undefined } };
  if (action === "explain") return { state: { ...state, explaining: !state.explaining, scroll: scrollTop } };
  // No other key decides anything, Enter least of all.
  return { state: { ...state, scroll: scrollBy(state.scroll, action, page) } };
}

function feedbackKey(state: ApprovalState, feedback: EditorState, { key, bindings }: Pressed): DialogStep {
  const action = placeAction(key, ["dialog"], bindings);
  if (action === "dismiss") return { state: { ...state, feedback: undefined } };
  if (action !== "confirm") return { state: { ...state, feedback: typeInto(feedback, key, bindings) } };
  const text = plainText(feedback).trim();
  return { answer: { kind: "approval", value: text === "" ? { allow: false } : { allow: false, feedback: text } } };
}

/** The items that match the filter: every word of it occurs in the label, description or group. */
export function filteredItems(state: PickState): RequestOf<"pick">["items"] {
  const words = plainText(state.filter)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return state.request.items;
  return state.request.items.filter((item) => {
    const text = `${item.label} ${item.description ?? ""} ${item.preview ?? ""} ${item.group ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function pickKey(state: PickState, { key, page, bindings }: Pressed): DialogStep {
  const items = filteredItems(state);
  const last = items.length - 1;
  const to = (selected: number): DialogStep => ({ state: { ...state, selected } });
  switch (placeAction(key, ["list", "dialog"], bindings)) {
    case "previous-item":
      return to(state.selected <= 0 ? Math.max(0, last) : state.selected - 1);
    case "next-item":
      return to(state.selected >= last ? 0 : state.selected + 1);
    case "items-up":
      return to(Math.max(0, state.selected - page));
    case "items-down":
      return to(Math.max(0, Math.min(last, state.selected + page)));
    case "confirm": {
      const item = items[state.selected];
      return item === undefined ? { state } : { answer: { kind: "pick", value: item.id } };
    }
    case "dismiss":
      return { answer: dismissal(state) };
  }
  const filter = typeInto(state.filter, key, bindings);
  return { state: filter.text === state.filter.text ? state : { ...state, filter, selected: 0 } };
}

function questionKey(state: QuestionState, { key, bindings }: Pressed): DialogStep {
  const question = state.request.questions[state.index];
  const action = placeAction(key, ["question", "dialog"], bindings);
  if (question === undefined || action === "dismiss") return { answer: dismissal(state) };
  const free = question.options.length;
  if (action === "previous-option" || action === "next-option") {
    const rows = free + 1;
    return { state: { ...state, selected: (state.selected + (action === "previous-option" ? rows - 1 : 1)) % rows } };
  }
  if (action === "confirm") return confirmQuestion(state);
  if (state.selected === free) return { state: { ...state, other: typeInto(state.other, key, bindings) } };
  const name = keyName(key);
  const digit = /^[1-9]$/.test(name) ? Number(name) - 1 : undefined;
  if (digit !== undefined && digit < free) {
    return question.multiSelect
      ? { state: toggle({ ...state, selected: digit }, digit) }
      : confirmQuestion({ ...state, selected: digit });
  }
  if (action === "check-option" && question.multiSelect) return { state: toggle(state, state.selected) };
  return { state };
}

function toggle(state: QuestionState, option: number): QuestionState {
  const checked = state.checked.includes(option)
    ? state.checked.filter((other) => other !== option)
    : [...state.checked, option];
  return { ...state, checked };
}

function confirmQuestion(state: QuestionState): DialogStep {
  const question = state.request.questions[state.index];
  const options = question?.options ?? [];
  const written = plainText(state.other).trim();
  const onFree = state.selected === options.length;
  const chosen = question?.multiSelect
    ? [
        ...options.filter((_, at) => state.checked.includes(at)).map((option) => option.label),
        ...(written === "" ? [] : [written]),
      ]
    : onFree
      ? [written].filter((text) => text !== "")
      : [options[state.selected]?.label ?? ""];
  // Enter on nothing answers nothing.
  if (chosen.length === 0) return { state };
  const answers = [...state.answers, chosen];
  if (answers.length === state.request.questions.length) return { answer: { kind: "question", value: answers } };
  return { state: { ...state, index: state.index + 1, selected: 0, checked: [], other: emptyEditor, answers } };
}

function editKey(state: EditState, { key, bindings }: Pressed): DialogStep {
  const action = placeAction(key, ["dialog"], bindings);
  if (action === "dismiss") return { answer: dismissal(state) };
  if (action === "confirm") return { answer: { kind: "edit", value: plainText(state.editor) } };
  return { state: { ...state, editor: typeInto(state.editor, key, bindings) } };
}

function reviewKey(state: ReviewState, { key, page, bindings }: Pressed): DialogStep {
  const action = placeAction(key, ["review", "dialog"], bindings);
  if (action === "approve-text") return { answer: { kind: "review", value: { approved: true } } };
  if (action === "deny-text") return { answer: { kind: "review", value: { approved: false } } };
  if (action === "comment-text") return { state: { ...state, comment: emptyEditor } };
  if (action === "dismiss") return { answer: dismissal(state) };
  // No other key decides anything, Enter least of all.
  return { state: { ...state, scroll: scrollBy(state.scroll, action, page) } };
}

function commentKey(state: ReviewState, comment: EditorState, { key, bindings }: Pressed): DialogStep {
  const action = placeAction(key, ["dialog"], bindings);
  if (action === "dismiss") return { state: { ...state, comment: undefined } };
  if (action !== "confirm") return { state: { ...state, comment: typeInto(comment, key, bindings) } };
  const feedback = plainText(comment).trim();
  // Enter on nothing sends nothing back.
  return feedback === "" ? { state } : { answer: { kind: "review", value: { approved: false, feedback } } };
}
