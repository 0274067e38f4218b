/** What a key does: a changed screen, and effects for the outside. Pure. */
import type { Intent } from "../../src/protocol/intent.ts";
import { isFresh, isWholeCommand, moveSelection, takeItem } from "./completion.ts";
import { dialogKey, type dismissal } from "./dialog-state.ts";
import { atEdge } from "./editor-layout.ts";
import {
  afterSending,
  type EditorAction,
  type EditorState,
  edit,
  MOST_EXPANDED,
  pasteAtCursor,
  plainText,
} from "./editor-state.ts";
import { openSearch, searchKey } from "./history-search.ts";
import { imageDirectives } from "./image-paths.ts";
import { browse, remember } from "./input-history.ts";
import { type Key, keyName } from "./key-decoder.ts";
import { type Action, actionOf, type Binding } from "./keymap.ts";
import { defaultKeys, type Keys } from "./keys.ts";
import { keysTable } from "./keys-table.ts";
import { openPager, type PagerState, pagerKey } from "./pager.ts";
import { placeAction } from "./place-keys.ts";
import { ghostOf, listOf, type Screen } from "./screen.ts";
import { vimKey } from "./vim.ts";

export type Effect =
  | { readonly type: "send"; readonly intent: Intent /** Answer in the flash line. */; readonly quiet?: boolean }
  | { readonly type: "remember"; readonly text: string }
  /** The pager shows a part of what is in this file. */
  | { readonly type: "read-output"; readonly file: string }
  | { readonly type: "quit" | "redraw" | "suspend" | "arm" | "edit-outside" };

/** Longer input is earlier input only until the process ends. */
const MOST_REMEMBERED = 100_000;

export interface Pressed {
  readonly screen: Screen;
  readonly effects: readonly Effect[];
}

export interface PressContext {
  /** Cells of an editor row. */
  readonly width: number;
  /** Rows a page key scrolls. */
  readonly page: number;
  /** The dialog was on the screen before this key was pressed. */
  readonly dialogSeen: boolean;
  /** Those of the table when nobody changed them. */
  readonly keys?: Keys;
}

export function press(screen: Screen, key: Key, context: PressContext): Pressed {
  const { bindings } = context.keys ?? defaultKeys;
  if (screen.pager !== undefined) return keyToPager(screen, screen.pager, key, context);
  if (screen.dialog !== undefined && context.dialogSeen) {
    const { dialog } = screen;
    // A long text is searched where every long text is.
    const searches = dialog.kind === "review" && dialog.comment === undefined;
    if (searches && placeAction(key, ["review"], bindings) === "search-text") {
      const pager = openPager(dialog.request.title, dialog.request.text);
      return only({ ...screen, pager: { ...pager, prompt: { sign: "/", typed: "" } } });
    }
    const step = dialogKey(dialog, key, context.page, bindings);
    if ("state" in step) return only({ ...screen, dialog: step.state });
    return answered(screen, step.answer);
  }
  return editorKey(screen, key, context);
}

function answered(screen: Screen, answer: ReturnType<typeof dismissal>): Pressed {
  const id = screen.dialog?.request.id ?? "";
  // Gone at once, so that a second key cannot answer twice; `request-closed` follows.
  const requests = screen.view.requests.filter((request) => request.id !== id);
  const next: Screen = { ...screen, dialog: undefined, view: { ...screen.view, requests } };
  return { screen: next, effects: [{ type: "send", intent: { type: "answer", requestId: id, answer } }] };
}

function keyToPager(screen: Screen, pager: PagerState, key: Key, { page, keys = defaultKeys }: PressContext): Pressed {
  return only({ ...screen, pager: pagerKey(pager, key, page, keys.bindings) });
}

function editorKey(screen: Screen, key: Key, context: PressContext): Pressed {
  const { bindings } = context.keys ?? defaultKeys;
  let calm: Screen = { ...screen, flash: undefined, armed: undefined };
  if (screen.search !== undefined) return searching(calm, screen.search, key, bindings);
  if (screen.vim !== undefined && !(listOf(screen) !== undefined && keyName(key) === "escape")) {
    const step = vimKey(screen.vim, screen.editor, key);
    if (!step.passed) return edited({ ...calm, vim: step.vim }, step.editor);
    calm = { ...calm, vim: step.vim };
    // Letters in normal mode type nothing: k and j at an edge are up and down.
    const edge = step.vim.mode === "normal" ? VIM_EDGES[keyName(key)] : undefined;
    if (edge !== undefined) return perform(calm, edge, screen.armed, context);
  }
  if (key.name === "paste") return pasted(calm, key.text ?? "");
  if (key.text !== undefined && !key.ctrl && !key.alt) return typed(calm, { type: "insert", text: key.text });
  const action = actionOf(key, screen.editor.text === "", bindings);
  if (action === undefined) return only(screen);
  return chosen(calm, action) ?? perform(calm, action, screen.armed, context);
}

const VIM_EDGES: Readonly<Record<string, Action>> = { j: "down", k: "up" };

/** The list under the input has these keys first; undefined when the key means what it always means. */
function chosen(screen: Screen, action: Action): Pressed | undefined {
  const list = listOf(screen);
  if (list === undefined) return undefined;
  // A list that is about to be replaced is not to be taken from.
  if (!isFresh(list, screen.editor)) return action === "accept-or-next-mode" ? only(screen) : undefined;
  const without = { ...screen, completion: undefined };
  switch (action) {
    case "up":
    case "down":
      return only({ ...screen, completion: moveSelection(list, action === "up" ? -1 : 1) });
    case "cancel":
      return only({ ...without, dismissed: list.items[0]?.from });
    case "accept-or-next-mode":
      return edited(without, takeItem(screen.editor, list));
    case "send": {
      if (list.selected === undefined) return undefined;
      const taken = edited(without, takeItem(screen.editor, list));
      return isWholeCommand(list) ? send(taken.screen) : taken;
    }
    default:
      return undefined;
  }
}

function searching(
  screen: Screen,
  search: NonNullable<Screen["search"]>,
  key: Key,
  bindings: readonly Binding[],
): Pressed {
  const step = searchKey(search, screen.history, key, bindings);
  if (step.type === "search") return only({ ...screen, search: step.search });
  const left = { ...screen, search: undefined };
  if (step.type === "leave") return only(left);
  return edited(left, edit(screen.editor, { type: "set", text: step.text }));
}

/** A dropped picture becomes its directive; undo gives the path back. */
function pasted(screen: Screen, text: string): Pressed {
  const images = imageDirectives(text);
  const { cursor } = screen.editor;
  const plain = typed(screen, { type: "paste", text });
  return images === undefined ? plain : typed(plain.screen, { type: "replace", from: cursor, text: images });
}

function perform(screen: Screen, action: Action, armed: Screen["armed"], context: PressContext): Pressed {
  const status = screen.view.status;
  switch (action) {
    case "send":
      return send(screen, context.keys);
    case "accept-or-next-mode":
      return accept(screen) ?? sendIntent(screen, { type: "cycle", what: "mode" });
    case "next-agent":
      return sendIntent(screen, { type: "cycle", what: "agent" });
    case "right-or-accept":
      return (
        (screen.editor.cursor === screen.editor.text.length ? accept(screen) : undefined) ??
        typed(screen, { type: "right" })
      );
    case "up":
    case "down":
      return upDown(screen, action, context.width);
    case "cancel":
      return status?.busy ? sendIntent(screen, { type: "cancel" }) : goBack(screen, armed, context);
    case "interrupt":
      return interrupt(screen, armed);
    case "quit-or-delete":
      return screen.editor.text === ""
        ? { screen, effects: [{ type: "quit" }] }
        : typed(screen, { type: "delete-right" });
    case "show-output": {
      const last = screen.view.lastOutput;
      if (last === undefined) return only({ ...screen, flash: { level: "info", text: "no call has finished yet" } });
      const pager = openPager(last.title, last.text, last.look);
      const effects: Effect[] = last.file === undefined ? [] : [{ type: "read-output", file: last.file }];
      return { screen: { ...screen, pager }, effects };
    }
    case "toggle-verbose":
      return quietly(screen, `/verbose ${status?.verbose ? "off" : "on"}`);
    case "toggle-think":
      return quietly(screen, `/think ${status?.think === "off" ? "on" : "off"}`);
    case "cycle-think":
      return sendIntent(screen, { type: "cycle", what: "think" });
    case "toggle-auto":
      return quietly(screen, `/auto ${status?.auto ? "off" : "on"}`);
    case "toggle-sandbox":
      return quietly(screen, `/sandbox ${status?.sandbox === "none" ? "on" : "off"}`);
    case "search-history":
      return only({ ...screen, search: openSearch(screen.editor), completion: undefined });
    case "edit-outside":
      return { screen: { ...screen, completion: undefined }, effects: [{ type: "edit-outside" }] };
    case "drop-queued": {
      const last = screen.view.queue.at(-1);
      if (last === undefined) return only(screen);
      const flash = { level: "info" as const, text: "dropped the last queued message" };
      return sendIntent({ ...unqueued(screen), flash }, { type: "drop-queued", text: last });
    }
    case "expand-paste":
      return expandPaste(screen);
    case "redraw":
      return { screen, effects: [{ type: "redraw" }] };
    case "suspend":
      return { screen, effects: [{ type: "suspend" }] };
    default:
      return typed(screen, { type: action });
  }
}

/** An edit; leaving a browsed entry changed makes it the draft. */
function typed(screen: Screen, action: EditorAction): Pressed {
  return edited(screen, edit(screen.editor, action));
}

function edited(screen: Screen, editor: EditorState): Pressed {
  const history =
    editor.text === screen.editor.text ? screen.history : { ...screen.history, at: undefined, draft: undefined };
  return only({ ...screen, editor, history });
}

function expandPaste(screen: Screen): Pressed {
  const paste = pasteAtCursor(screen.editor);
  if (paste === undefined) return only(screen);
  if (paste.text.length <= MOST_EXPANDED) return typed(screen, { type: "expand-paste" });
  const flash = { level: "info" as const, text: "too long to show here: ctrl+g opens it in your editor" };
  return only({ ...screen, flash });
}

/** Without the last queued message; `queue-changed` follows. */
function unqueued(screen: Screen): Screen {
  return { ...screen, view: { ...screen.view, queue: screen.view.queue.slice(0, -1) } };
}

function send(screen: Screen, keys: Keys = defaultKeys): Pressed {
  const { editor } = screen;
  // A backslash before Enter continues the line, for terminals that cannot tell Alt+Enter.
  if (editor.cursor === editor.text.length && editor.text.endsWith("\\")) {
    return typed({ ...screen, editor: edit(editor, { type: "delete-left" }) }, { type: "newline" });
  }
  const whole = plainText(editor);
  if (whole.trim() === "") return only(screen);
  const command = whole.startsWith("/");
  const text = command ? whole.trim() : whole;
  const intent: Intent = command ? { type: "command", line: text } : { type: "prompt", text };
  const next: Screen = {
    ...screen,
    editor: afterSending(editor),
    history: remember(screen.history, text),
    completion: undefined,
    dismissed: undefined,
    vim: screen.vim && { ...screen.vim, mode: "insert", pending: "", recording: undefined },
  };
  // The keys are this front end's own.
  if (/^\/help\s+keys\s*$/i.test(text)) {
    const pager = openPager("Keys", keysTable(keys.bindings, keys.mode, keys.problems));
    return { screen: { ...next, pager }, effects: [{ type: "remember", text }] };
  }
  // A pasted log is worth sending, but not worth reading again at every start.
  const kept: Effect[] = text.length > MOST_REMEMBERED ? [] : [{ type: "remember", text }];
  return { screen: next, effects: [...kept, { type: "send", intent }] };
}

function accept(screen: Screen): Pressed | undefined {
  const ghost = ghostOf(screen);
  const { completion, editor } = screen;
  if (ghost.text === "") return undefined;
  if (completion !== undefined && isFresh(completion, editor)) return edited(screen, takeItem(editor, completion));
  return typed(screen, { type: "insert", text: ghost.text });
}

function upDown(screen: Screen, action: "up" | "down", width: number): Pressed {
  const by = action === "up" ? -1 : 1;
  if (!atEdge(screen.editor, by, width)) return typed(screen, { type: action, width });
  // What is queued can still be changed: it comes back into the editor.
  if (by < 0 && screen.editor.text === "" && screen.view.queue.length > 0) {
    const text = screen.view.queue.at(-1) ?? "";
    const editor = edit(screen.editor, { type: "set", text });
    return sendIntent({ ...unqueued(screen), editor }, { type: "drop-queued", text });
  }
  const browsed = browse(screen.history, screen.editor, by);
  return browsed === undefined ? typed(screen, { type: action, width }) : only({ ...screen, ...browsed });
}

/** Ctrl+C: clear the input, cancel the turn, then twice to quit. An open dialog had the key before. */
function interrupt(screen: Screen, armed: Screen["armed"]): Pressed {
  if (screen.editor.text !== "") {
    return only({
      ...screen,
      editor: edit(screen.editor, { type: "clear" }),
      history: { ...screen.history, at: undefined, draft: undefined },
    });
  }
  if (screen.view.status?.busy) return sendIntent(screen, { type: "cancel" });
  if (armed === "quit") return { screen, effects: [{ type: "quit" }] };
  return arm(screen, "quit", "press ctrl+c again to quit");
}

/** Esc with nothing to cancel or clear: twice to go back to before an earlier prompt. */
function goBack(screen: Screen, armed: Screen["armed"], { keys = defaultKeys }: PressContext): Pressed {
  if (screen.editor.text !== "") return only(screen);
  if (armed === "undo") return sendIntent(screen, { type: "command", line: "/undo" });
  const key = keys.bindings.find(({ action }) => action === "cancel")?.keys[0] ?? "";
  const name = key === "escape" ? "esc" : key;
  return arm(screen, "undo", `press ${name} again to go back to before an earlier prompt`);
}

function arm(screen: Screen, armed: Screen["armed"], text: string): Pressed {
  return { screen: { ...screen, armed, flash: { level: "info", text } }, effects: [{ type: "arm" }] };
}

function quietly(screen: Screen, line: string): Pressed {
  return { screen, effects: [{ type: "send", intent: { type: "command", line }, quiet: true }] };
}

function sendIntent(screen: Screen, intent: Intent): Pressed {
  return { screen, effects: [{ type: "send", intent }] };
}

function only(screen: Screen): Pressed {
  return { screen, effects: [] };
}
