/**
 * Vim's normal and insert mode over the editor's state. Commands: `[count] motion`, `[count] operator [count] motion`,
 * and single letters, as in Vim's reference manual (https://vimhelp.org/index.txt.html). Pure.
 */
import { type EditorState, edit } from "./editor-state.ts";
import { before, behind, lineEnd, lineStart } from "./editor-text.ts";
import { type Key, keyName } from "./key-decoder.ts";
import { typeInto } from "./type-into.ts";
import { firstNonBlank, kindAt, type Motion, moveBy } from "./vim-motions.ts";

export interface VimState {
  readonly mode: "insert" | "normal";
  /** What was typed of a command that is not complete. */
  readonly pending: string;
  readonly register: { readonly text: string; readonly lines: boolean };
  /** The last change, as it was typed: what `.` does again. */
  readonly change: readonly Key[];
  /** The change under way, while its insert lasts. */
  readonly recording: readonly Key[] | undefined;
  /** How many steps could be undone before the insert: it becomes one step. */
  readonly undoDepth: number | undefined;
}

export const emptyVim: VimState = {
  mode: "insert",
  pending: "",
  register: { text: "", lines: false },
  change: [],
  recording: undefined,
  undoDepth: undefined,
};

export interface VimStep {
  readonly vim: VimState;
  readonly editor: EditorState;
  /** The key is not vim's: it means what it means without vim. */
  readonly passed: boolean;
}

export function vimKey(vim: VimState, editor: EditorState, key: Key): VimStep {
  return vim.mode === "insert" ? insertKey(vim, editor, key) : normalKey(vim, editor, key);
}

function insertKey(vim: VimState, editor: EditorState, key: Key): VimStep {
  if (keyName(key) !== "escape") {
    const recording = vim.recording && [...vim.recording, key];
    return { vim: { ...vim, recording }, editor, passed: true };
  }
  const { recording, undoDepth } = vim;
  const change = recording === undefined ? vim.change : [...recording, key];
  const left = editor.cursor === lineStart(editor.text, editor.cursor) ? editor : edit(editor, { type: "left" });
  const first = undoDepth === undefined ? undefined : editor.undo[undoDepth];
  const undo = first === undefined ? editor.undo : editor.undo.slice(0, (undoDepth ?? 0) + 1);
  return {
    vim: { ...vim, mode: "normal", pending: "", change, recording: undefined, undoDepth: undefined },
    editor: { ...left, undo },
    passed: false,
  };
}

const COMMAND =
  /^(?<count>[1-9]\d*)?(?:(?<operator>[dcy])(?<more>[1-9]\d*)?)?(?<motion>gg|[hjklwbeG0^$]|[dcy])$|^(?<times>[1-9]\d*)?(?<letter>[xXDCsSpPuiIaAoO.]|\x12|r[\s\S]+)$/u;
const INCOMPLETE = /^(?:[1-9]\d*)?(?:[dcy](?:[1-9]\d*)?)?g?$|^(?:[1-9]\d*)?r$/;

function normalKey(vim: VimState, editor: EditorState, key: Key): VimStep {
  const name = keyName(key);
  const typed = name === "ctrl+r" ? "\x12" : name === "backspace" ? "h" : key.name === "paste" ? undefined : key.text;
  const calm = { ...vim, pending: "" };
  if (typed === undefined) return { vim: calm, editor, passed: name !== "escape" || vim.pending === "" };
  const pending = vim.pending + typed;
  // Behind another digit, 0 is a digit and no motion.
  const parsed = /\d0$/.test(pending) ? undefined : COMMAND.exec(pending)?.groups;
  if (parsed === undefined) {
    return { vim: INCOMPLETE.test(pending) ? { ...vim, pending } : calm, editor, passed: false };
  }
  const keys = [...pending].map((text): Key => ({ name: text, text, ctrl: false, alt: false, shift: false }));
  const { letter, operator, motion } = parsed;
  if (letter !== undefined) return singleLetter(calm, editor, letter, numberOf(parsed["times"]), keys);
  const count = product(numberOf(parsed["count"]), numberOf(parsed["more"]));
  // A lone operator: the pattern takes it for a motion.
  if (operator === undefined && "dcy".includes(motion ?? ""))
    return { vim: { ...vim, pending }, editor, passed: false };
  if (operator === undefined) return go(calm, editor, motion as Motion, count);
  return operate(calm, editor, operator, motion ?? "", count, keys);
}

/** At the first and last line, up and down are the history's. */
function go(vim: VimState, editor: EditorState, motion: Motion, count: number | undefined): VimStep {
  const { cursor } = moveBy(editor.text, editor.cursor, motion, count);
  const stays = cursor === editor.cursor && (motion === "j" || motion === "k");
  if (stays) return { vim, editor, passed: true };
  return settled(vim, edit(editor, { type: "move-to", cursor }));
}

function operate(
  vim: VimState,
  editor: EditorState,
  operator: string,
  motion: string,
  count: number | undefined,
  keys: readonly Key[],
): VimStep {
  const { text, cursor } = editor;
  if ("dcy".includes(motion)) {
    if (motion !== operator) return { vim, editor, passed: false };
    const last = moveBy(text, cursor, "j", (count ?? 1) - 1).cursor;
    return overLines(vim, editor, operator, cursor, (count ?? 1) > 1 ? last : cursor, keys);
  }
  // `cw` on a word changes to its end and leaves the blank behind it.
  const meant = operator === "c" && motion === "w" && kindAt(text, cursor) !== 0 ? "e" : (motion as Motion);
  const onEnd = meant === "e" && motion === "w" && kindAt(text, behind(text, cursor)) !== kindAt(text, cursor);
  const target =
    onEnd && (count ?? 1) === 1 ? { cursor, reach: "inclusive" as const } : moveBy(text, cursor, meant, count);
  if (target.reach === "lines") {
    if (target.cursor === cursor && (motion === "j" || motion === "k")) return { vim, editor, passed: false };
    return overLines(vim, editor, operator, cursor, target.cursor, keys);
  }
  const from = Math.min(cursor, target.cursor);
  let to = Math.max(cursor, target.cursor);
  if (target.reach === "inclusive" && to < lineEnd(text, to)) to = behind(text, to);
  // A word motion that leaves the line stops at the end of the last word it passed.
  if (motion === "w" && text.slice(from, to).includes("\n") && to === firstNonBlank(text, to))
    to = Math.max(lineEnd(text, cursor), lastContent(text, from, to));
  return over(vim, editor, operator, from, to, keys);
}

/** The end of the last line of a range that has anything but blanks on it. */
function lastContent(text: string, from: number, to: number): number {
  return from + text.slice(from, to).replace(/\s+$/, "").length;
}

function over(
  vim: VimState,
  editor: EditorState,
  operator: string,
  from: number,
  to: number,
  keys: readonly Key[],
): VimStep {
  const register = { text: editor.text.slice(from, to), lines: false };
  if (operator === "y") return settled({ ...vim, register }, edit(editor, { type: "move-to", cursor: from }));
  const cut = from === to ? editor : edit(editor, { type: "splice", from, to, text: "", cursor: from });
  const next = from === to ? vim : { ...vim, register };
  return operator === "c" ? insertAt(next, cut, from, keys, editor) : settled({ ...next, change: keys }, cut);
}

function overLines(
  vim: VimState,
  editor: EditorState,
  operator: string,
  one: number,
  other: number,
  keys: readonly Key[],
): VimStep {
  const { text } = editor;
  const from = lineStart(text, Math.min(one, other));
  const to = lineEnd(text, Math.max(one, other));
  const register = { text: `${text.slice(from, to)}\n`, lines: true };
  const next = { ...vim, register };
  if (operator === "y") return settled(next, edit(editor, { type: "move-to", cursor: Math.min(one, other) }));
  if (operator === "c") {
    const emptied = from === to ? editor : edit(editor, { type: "splice", from, to, text: "", cursor: from });
    return insertAt(next, emptied, from, keys, editor);
  }
  // The last line goes with the line feed before it.
  const whole = to < text.length ? { from, to: to + 1 } : { from: Math.max(0, from - 1), to };
  if (whole.from === whole.to) return { vim: next, editor, passed: false };
  const cut = edit(editor, { type: "splice", ...whole, text: "", cursor: whole.from });
  const cursor = firstNonBlank(cut.text, Math.min(from, cut.text.length));
  return settled({ ...next, change: keys }, edit(cut, { type: "move-to", cursor }));
}

function singleLetter(
  vim: VimState,
  editor: EditorState,
  letter: string,
  count: number | undefined,
  keys: readonly Key[],
): VimStep {
  const { text, cursor } = editor;
  const times = count ?? 1;
  const right = moveBy(text, cursor, "l", times).cursor;
  switch (letter[0]) {
    case "x":
      return over(vim, editor, "d", cursor, right, keys);
    case "X":
      return over(vim, editor, "d", moveBy(text, cursor, "h", times).cursor, cursor, keys);
    case "s":
      return over(vim, editor, "c", cursor, right, keys);
    case "S":
      return operate(vim, editor, "c", "c", count, keys);
    case "D":
      return over(vim, editor, "d", cursor, lineEnd(text, cursor), keys);
    case "C":
      return over(vim, editor, "c", cursor, lineEnd(text, cursor), keys);
    case "r":
      return replace(vim, editor, letter.slice(1), times, keys);
    case "p":
    case "P":
      return put(vim, editor, letter === "p", times, keys);
    case "u":
    case "\x12":
      return settled(vim, travelBy(editor, times, letter === "u" ? "undo" : "redo"));
    case "i":
      return insertAt(vim, editor, cursor, keys);
    case "I":
      return insertAt(vim, editor, firstNonBlank(text, cursor), keys);
    case "a":
      return insertAt(vim, editor, cursor < lineEnd(text, cursor) ? behind(text, cursor) : cursor, keys);
    case "A":
      return insertAt(vim, editor, lineEnd(text, cursor), keys);
    case "o":
    case "O": {
      const at = letter === "o" ? lineEnd(text, cursor) : lineStart(text, cursor);
      const opened = edit(editor, {
        type: "splice",
        from: at,
        to: at,
        text: "\n",
        cursor: letter === "o" ? at + 1 : at,
      });
      return insertAt(vim, opened, opened.cursor, keys, editor);
    }
    default:
      return again(vim, editor, times);
  }
}

function replace(vim: VimState, editor: EditorState, by: string, times: number, keys: readonly Key[]): VimStep {
  const from = editor.cursor;
  let to = from;
  for (let done = 0; done < times; done++) {
    if (to >= lineEnd(editor.text, from)) return { vim, editor, passed: false };
    to = behind(editor.text, to);
  }
  const replaced = edit(editor, { type: "splice", from, to, text: by.repeat(times) });
  return settled({ ...vim, change: keys }, edit(replaced, { type: "left" }));
}

function put(vim: VimState, editor: EditorState, behindCursor: boolean, times: number, keys: readonly Key[]): VimStep {
  const { text, cursor } = editor;
  const { register } = vim;
  if (register.text === "") return { vim, editor, passed: false };
  const next = { ...vim, change: keys };
  if (!register.lines) {
    const at = behindCursor && cursor < lineEnd(text, cursor) ? behind(text, cursor) : cursor;
    const done = edit(editor, { type: "splice", from: at, to: at, text: register.text.repeat(times) });
    return settled(next, edit(done, { type: "left" }));
  }
  const lines = register.text.repeat(times);
  const end = lineEnd(text, cursor);
  const at = behindCursor ? Math.min(text.length, end + 1) : lineStart(text, cursor);
  const isLast = behindCursor && end === text.length;
  const put = isLast ? `\n${lines.slice(0, -1)}` : lines;
  const done = edit(editor, { type: "splice", from: at, to: at, text: put, cursor: isLast ? at + 1 : at });
  return settled(next, edit(done, { type: "move-to", cursor: firstNonBlank(done.text, done.cursor) }));
}

/** Into insert mode; `original` is the editor before the command changed it. */
function insertAt(
  vim: VimState,
  editor: EditorState,
  cursor: number,
  keys: readonly Key[],
  original: EditorState = editor,
): VimStep {
  return {
    vim: { ...vim, mode: "insert", recording: keys, undoDepth: original.undo.length },
    editor: edit(editor, { type: "move-to", cursor }),
    passed: false,
  };
}

function again(vim: VimState, editor: EditorState, times: number): VimStep {
  let step: VimStep = { vim, editor, passed: false };
  for (let done = 0; done < times; done++) {
    for (const key of vim.change) {
      const next = vimKey(step.vim, step.editor, key);
      // What is typed in insert mode is not vim's own: here nobody else does it.
      step = next.passed && step.vim.mode === "insert" ? { ...next, editor: typeInto(next.editor, key) } : next;
    }
  }
  return { ...step, vim: { ...step.vim, change: vim.change }, passed: false };
}

/** In normal mode the cursor stands on a character, not behind the line. */
function settled(vim: VimState, editor: EditorState): VimStep {
  const { text, cursor } = editor;
  const start = lineStart(text, cursor);
  const end = lineEnd(text, cursor);
  const on = cursor === end && end > start ? before(text, cursor) : cursor;
  return { vim, editor: on === cursor ? editor : edit(editor, { type: "move-to", cursor: on }), passed: false };
}

function travelBy(editor: EditorState, times: number, type: "undo" | "redo"): EditorState {
  let now = editor;
  for (let done = 0; done < times; done++) now = edit(now, { type });
  return now;
}

const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Math.min(Number(digits), 9_999));

function product(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 1) * (b ?? 1);
}
