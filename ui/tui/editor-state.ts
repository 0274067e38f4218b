/** The input line as a value: text, cursor and everything keys do to them. Pure. */
import { rowAway } from "./editor-layout.ts";
import {
  ATOM,
  ATOM_LENGTH,
  ATOMS,
  before,
  behind,
  cleaned,
  FIRST_ATOM,
  lineEnd,
  lineStart,
  snap,
  wordLeft,
  wordRight,
} from "./editor-text.ts";

export interface EditorState {
  /** A pasted block is one atom: a single private-use character that `pastes` explains. */
  readonly text: string;
  /** UTF-16 offset in `text`, always between graphemes. */
  readonly cursor: number;
  readonly pastes: readonly Paste[];
  readonly killed: readonly string[];
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
  /** What the last action was, where the next one continues it. */
  readonly after: "insert" | "kill" | "yank" | "move" | undefined;
  /** Length of the text the last yank put in. */
  readonly yanked: number;
}

export interface Paste {
  readonly text: string;
  /** `[pasted 214 lines]`; counted once, a paste may be megabytes. */
  readonly label: string;
}

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

export type EditorAction =
  | { readonly type: "insert"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "replace"; readonly from: number; readonly text: string }
  /** Any range; the cursor goes behind the new text, or to `cursor`. */
  | {
      readonly type: "splice";
      readonly from: number;
      readonly to: number;
      readonly text: string;
      readonly cursor?: number;
    }
  | { readonly type: "move-to"; readonly cursor: number }
  | { readonly type: "set"; readonly text: string }
  | { readonly type: "up" | "down"; readonly width: number }
  | { readonly type: SimpleAction };

export type SimpleAction =
  | "newline"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "text-start"
  | "text-end"
  | "delete-left"
  | "delete-right"
  | "kill-word-left"
  | "kill-word-right"
  | "kill-line-left"
  | "kill-line-right"
  | "yank"
  | "yank-earlier"
  | "transpose"
  | "undo"
  | "redo"
  | "expand-paste"
  | "clear";

export const emptyEditor: EditorState = {
  text: "",
  cursor: 0,
  pastes: [],
  killed: [],
  undo: [],
  redo: [],
  after: undefined,
  yanked: 0,
};

/** A paste with more lines or characters than this becomes an atom. */
const ATOM_LINES = 5;
const ATOM_CHARS = 800;
/** A paste larger than this stays an atom: every key would lay it all out. */
export const MOST_EXPANDED = 50_000;
const UNDO_DEPTH = 200;
const KILL_DEPTH = 20;
export function edit(state: EditorState, action: EditorAction): EditorState {
  switch (action.type) {
    case "insert":
      return insert(state, action.text, "insert");
    case "paste":
      return paste(state, action.text);
    case "newline":
      return insert(state, "\n", "insert");
    case "replace":
      return splice(state, action.from, state.cursor, cleaned(action.text), undefined);
    case "splice": {
      const done = splice(state, action.from, action.to, cleaned(action.text), undefined);
      return action.cursor === undefined ? done : { ...done, cursor: snap(done.text, action.cursor) };
    }
    case "move-to":
      return move(state, snap(state.text, Math.max(0, Math.min(state.text.length, action.cursor))));
    case "expand-paste":
      return expandPaste(state);
    case "set":
      return splice({ ...state, cursor: state.text.length }, 0, state.text.length, cleaned(action.text), undefined);
    case "clear":
      return splice(state, 0, state.text.length, "", undefined);
    case "left":
      return move(state, before(state.text, state.cursor));
    case "right":
      return move(state, behind(state.text, state.cursor));
    case "word-left":
      return move(state, wordLeft(state.text, state.cursor));
    case "word-right":
      return move(state, wordRight(state.text, state.cursor));
    case "line-start":
      return move(state, lineStart(state.text, state.cursor));
    case "line-end":
      return move(state, lineEnd(state.text, state.cursor));
    case "text-start":
      return move(state, 0);
    case "text-end":
      return move(state, state.text.length);
    case "up":
      return move(state, rowAway(state, -1, action.width));
    case "down":
      return move(state, rowAway(state, 1, action.width));
    case "delete-left":
      return splice(state, before(state.text, state.cursor), state.cursor, "", undefined);
    case "delete-right":
      return splice(state, state.cursor, behind(state.text, state.cursor), "", undefined);
    case "kill-word-left":
      return kill(state, wordLeft(state.text, state.cursor), state.cursor);
    case "kill-word-right":
      return kill(state, state.cursor, wordRight(state.text, state.cursor));
    case "kill-line-left":
      return kill(state, lineStart(state.text, state.cursor), state.cursor);
    case "kill-line-right":
      return killLineRight(state);
    case "yank":
      return yank(state);
    case "yank-earlier":
      return yankEarlier(state);
    case "transpose":
      return transpose(state);
    case "undo":
      return travel(state, "undo", "redo");
    case "redo":
      return travel(state, "redo", "undo");
  }
}

/** The text as it is sent: pasted blocks in full. */
export function plainText(state: EditorState): string {
  return state.text.replace(ATOMS, (atom) => pasteOf(state, atom).text);
}

/** The pasted block at the cursor, else the last one. */
export function pasteAtCursor(state: EditorState): { readonly at: number; readonly text: string } | undefined {
  const atoms = [...state.text.matchAll(ATOMS)];
  const near =
    atoms.find(({ index }) => index === state.cursor || index + ATOM_LENGTH === state.cursor) ?? atoms.at(-1);
  return near === undefined ? undefined : { at: near.index, text: pasteOf(state, near[0]).text };
}

/** Another text in one step back; a large one as a pasted block. */
export function replaceAll(state: EditorState, text: string): EditorState {
  if (text.length <= MOST_EXPANDED) return edit(state, { type: "set", text });
  const pasted = edit(edit(state, { type: "clear" }), { type: "paste", text });
  return { ...pasted, undo: [...state.undo, { text: state.text, cursor: state.cursor }].slice(-UNDO_DEPTH) };
}

/** An emptied editor that keeps what can still be put back. */
export function afterSending(state: EditorState): EditorState {
  const needed = state.killed.some((text) => ATOM.test(text));
  return { ...emptyEditor, killed: state.killed, pastes: needed ? state.pastes : [] };
}

function pasteOf({ pastes }: EditorState, atom: string): Paste {
  return pastes[(atom.codePointAt(0) ?? 0) - FIRST_ATOM] ?? { text: "", label: "" };
}

function atomLabel(text: string): string {
  const lines = countLines(text);
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${text.length} characters]`;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function move(state: EditorState, cursor: number): EditorState {
  return { ...state, cursor, after: "move" };
}

/** Replaces a range; the cursor ends behind the new text. */
function splice(state: EditorState, from: number, to: number, text: string, after: EditorState["after"]): EditorState {
  if (from === to && text === "") return after === "insert" ? state : { ...state, after };
  // A run of typed characters is one step back, up to the next word.
  const joins = after === "insert" && state.after === "insert" && !/\s/.test(text);
  const undo = joins ? state.undo : [...state.undo, { text: state.text, cursor: state.cursor }].slice(-UNDO_DEPTH);
  const joined = state.text.slice(0, from) + text + state.text.slice(to);
  const cursor = snap(joined, from + text.length);
  return { ...state, text: joined, cursor, undo, redo: [], after, yanked: 0 };
}

function insert(state: EditorState, text: string, after: EditorState["after"]): EditorState {
  if (ATOM.test(text)) return insertAtom(state, text);
  return splice(state, state.cursor, state.cursor, cleaned(text), after);
}

function paste(state: EditorState, pasted: string): EditorState {
  const text = pasted.replace(/\r\n?/g, "\n");
  const large = text.length > ATOM_CHARS || countLines(text) > ATOM_LINES;
  return large || ATOM.test(text)
    ? insertAtom(state, text)
    : splice(state, state.cursor, state.cursor, cleaned(text), undefined);
}

function insertAtom(state: EditorState, text: string): EditorState {
  const atom = String.fromCodePoint(FIRST_ATOM + state.pastes.length);
  const kept = { ...state, pastes: [...state.pastes, { text, label: atomLabel(text) }] };
  return splice(kept, state.cursor, state.cursor, atom, undefined);
}

function expandPaste(state: EditorState): EditorState {
  const paste = pasteAtCursor(state);
  if (paste === undefined || paste.text.length > MOST_EXPANDED) return state;
  return splice(state, paste.at, paste.at + ATOM_LENGTH, cleaned(paste.text), undefined);
}

function kill(state: EditorState, from: number, to: number): EditorState {
  const text = state.text.slice(from, to);
  if (text === "") return { ...state, after: "kill" };
  const [last = "", ...earlier] = state.killed;
  // Kills in a row collect into one entry, on the side they were made.
  const joined =
    state.after === "kill" ? [from < state.cursor ? text + last : last + text, ...earlier] : [text, ...state.killed];
  return { ...splice(state, from, to, "", "kill"), killed: joined.slice(0, KILL_DEPTH) };
}

function killLineRight(state: EditorState): EditorState {
  const end = lineEnd(state.text, state.cursor);
  return kill(state, state.cursor, end === state.cursor ? Math.min(state.text.length, end + 1) : end);
}

function yank(state: EditorState): EditorState {
  const text = state.killed[0];
  if (text === undefined) return state;
  return { ...splice(state, state.cursor, state.cursor, text, "yank"), yanked: text.length };
}

function yankEarlier(state: EditorState): EditorState {
  const [first, ...rest] = state.killed;
  if (state.after !== "yank" || first === undefined || rest[0] === undefined) return state;
  const from = Math.max(0, state.cursor - state.yanked);
  const killed = [...rest, first];
  return { ...splice(state, from, state.cursor, rest[0], "yank"), killed, yanked: rest[0].length };
}

function transpose(state: EditorState): EditorState {
  const middle = state.cursor === lineEnd(state.text, state.cursor) ? before(state.text, state.cursor) : state.cursor;
  const from = before(state.text, middle);
  const to = behind(state.text, middle);
  const swapped = state.text.slice(middle, to) + state.text.slice(from, middle);
  if (from === middle || middle === to || swapped.includes("\n")) return state;
  return splice({ ...state, cursor: to }, from, to, swapped, undefined);
}

function travel(state: EditorState, from: "undo" | "redo", to: "undo" | "redo"): EditorState {
  const target = state[from].at(-1);
  if (target === undefined) return { ...state, after: undefined };
  const here = { text: state.text, cursor: state.cursor };
  return {
    ...state,
    ...target,
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], here],
    after: undefined,
    yanked: 0,
  };
}
