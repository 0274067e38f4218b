/** The open dialog as a value, and what a key does to it. Pure. */
import type { Answer, Request, RequestOf } from "../../src/protocol/request.ts";
import type { Scope } from "../../src/protocol/verdict.ts";
import { noPattern, offersScope } from "../view/wording.ts";
import { type DiffRow, diffRows } from "./diff-rows.ts";
import { type EditorState, edit, emptyEditor, plainText } from "./editor-state.ts";
import type { Key } from "./key-decoder.ts";
import { keyName } from "./keymap.ts";
import { type ScrollState, scrollKey, scrollTop } from "./scroll.ts";
import { typeInto } from "./type-into.ts";

export interface ApprovalState {
  readonly kind: "approval";
  readonly request: RequestOf<"approval">;
  /** The preview's diff, read once. */
  readonly diff: readonly DiffRow[];
  readonly scroll: ScrollState;
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

export type DialogState = ApprovalState | PickState | QuestionState | EditState;

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
  }
}

/** `page` is how many rows a page key scrolls. */
export function dialogKey(state: DialogState, key: Key, page: number): DialogStep {
  switch (state.kind) {
    case "approval":
      return state.feedback === undefined ? approvalKey(state, key, page) : feedbackKey(state, state.feedback, key);
    case "pick":
      return pickKey(state, key, page);
    case "question":
      return questionKey(state, key);
    case "edit":
      return editKey(state, key);
  }
}

/** What closing the dialog without a choice means: a refusal, or nothing chosen. */
export function dismissal(state: DialogState): Answer {
  return state.kind === "approval" ? { kind: "approval", value: { allow: false } } : { kind: state.kind, value: null };
}

const SCOPES: Readonly<Record<string, Scope>> = { a: "once", s: "session", p: "project", g: "global" };

function approvalKey(state: ApprovalState, key: Key, page: number): DialogStep {
  const name = keyName(key);
  const scope = SCOPES[name];
  if (scope !== undefined) {
    if (offersScope(state.request, scope)) return { answer: { kind: "approval", value: { allow: true, scope } } };
    const possible = state.request.pattern === undefined ? 'only "a" is' : 'only "a" and "s" are';
    return { state: { ...state, note: `${possible} possible: ${noPattern(state.request)}` } };
  }
  if (name === "d" || isDismissal(key)) return { answer: dismissal(state) };
  if (name === "e") return { state: { ...state, feedback: emptyEditor, note: undefined } };
  if (name === "?") return { state: { ...state, explaining: !state.explaining, scroll: scrollTop } };
  // No other key decides anything, Enter least of all.
  return { state: { ...state, scroll: scrollKey(state.scroll, key, page) } };
}

function feedbackKey(state: ApprovalState, feedback: EditorState, key: Key): DialogStep {
  if (isDismissal(key)) return { state: { ...state, feedback: undefined } };
  if (keyName(key) !== "enter") return { state: { ...state, feedback: typeInto(feedback, key) } };
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

function pickKey(state: PickState, key: Key, page: number): DialogStep {
  const items = filteredItems(state);
  const last = items.length - 1;
  const to = (selected: number): DialogStep => ({ state: { ...state, selected } });
  switch (keyName(key)) {
    case "up":
    case "ctrl+p":
      return to(state.selected <= 0 ? Math.max(0, last) : state.selected - 1);
    case "down":
    case "ctrl+n":
      return to(state.selected >= last ? 0 : state.selected + 1);
    case "pageup":
      return to(Math.max(0, state.selected - page));
    case "pagedown":
      return to(Math.max(0, Math.min(last, state.selected + page)));
    case "enter": {
      const item = items[state.selected];
      return item === undefined ? { state } : { answer: { kind: "pick", value: item.id } };
    }
  }
  if (isDismissal(key)) return { answer: dismissal(state) };
  const filter = typeInto(state.filter, key);
  return { state: filter.text === state.filter.text ? state : { ...state, filter, selected: 0 } };
}

function questionKey(state: QuestionState, key: Key): DialogStep {
  const question = state.request.questions[state.index];
  if (question === undefined || isDismissal(key)) return { answer: dismissal(state) };
  const free = question.options.length;
  const name = keyName(key);
  if (name === "up" || name === "down") {
    const rows = free + 1;
    return { state: { ...state, selected: (state.selected + (name === "up" ? rows - 1 : 1)) % rows } };
  }
  if (name === "enter") return confirmQuestion(state);
  if (state.selected === free) return { state: { ...state, other: typeInto(state.other, key) } };
  const digit = /^[1-9]$/.test(name) ? Number(name) - 1 : undefined;
  if (digit !== undefined && digit < free) {
    return question.multiSelect
      ? { state: toggle({ ...state, selected: digit }, digit) }
      : confirmQuestion({ ...state, selected: digit });
  }
  if (name === "space" && question.multiSelect) return { state: toggle(state, state.selected) };
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

function editKey(state: EditState, key: Key): DialogStep {
  if (isDismissal(key)) return { answer: dismissal(state) };
  if (keyName(key) === "enter") return { answer: { kind: "edit", value: plainText(state.editor) } };
  return { state: { ...state, editor: typeInto(state.editor, key) } };
}

function isDismissal(key: Key): boolean {
  const name = keyName(key);
  return name === "escape" || name === "ctrl+c";
}
