/** What a key does: a changed screen, and effects for the outside. Pure. */
import type { Intent } from "../../src/protocol/intent.ts";
import { dialogKey, type dismissal } from "./dialog-state.ts";
import { atEdge, type EditorAction, edit, emptyEditor, plainText } from "./editor-state.ts";
import { browse, remember } from "./input-history.ts";
import type { Key } from "./key-decoder.ts";
import { type Action, actionOf, keyName } from "./keymap.ts";
import { openPager } from "./pager.ts";
import { ghostOf, type Screen } from "./screen.ts";
import { scrollKey } from "./scroll.ts";

export type Effect =
  | { readonly type: "send"; readonly intent: Intent /** Answer in the flash line. */; readonly quiet?: boolean }
  | { readonly type: "remember"; readonly text: string }
  | { readonly type: "quit" | "redraw" | "suspend" | "arm" };

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
}

export function press(screen: Screen, key: Key, context: PressContext): Pressed {
  if (screen.pager !== undefined) return pagerKey(screen, screen.pager, key, context.page);
  if (screen.dialog !== undefined && context.dialogSeen) {
    const step = dialogKey(screen.dialog, key, context.page);
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

function pagerKey(screen: Screen, pager: NonNullable<Screen["pager"]>, key: Key, page: number): Pressed {
  const name = keyName(key);
  if (name === "escape" || name === "q" || name === "ctrl+c" || name === "ctrl+o")
    return only({ ...screen, pager: undefined });
  const moved = name === "space" ? { ...key, name: "pagedown" } : name === "b" ? { ...key, name: "pageup" } : key;
  const { text: _typed, ...plain } = moved;
  return only({ ...screen, pager: { ...pager, scroll: scrollKey(pager.scroll, plain, page) } });
}

function editorKey(screen: Screen, key: Key, context: PressContext): Pressed {
  const calm: Screen = { ...screen, flash: undefined, armed: false };
  if (key.name === "paste") return typed(calm, { type: "paste", text: key.text ?? "" });
  if (key.text !== undefined && !key.ctrl && !key.alt) return typed(calm, { type: "insert", text: key.text });
  const action = actionOf(key, screen.editor.text === "");
  return action === undefined ? only(screen) : perform(calm, action, screen.armed, context);
}

function perform(screen: Screen, action: Action, armed: boolean, context: PressContext): Pressed {
  const status = screen.view.status;
  switch (action) {
    case "send":
      return send(screen);
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
      return status?.busy ? sendIntent(screen, { type: "cancel" }) : only(screen);
    case "interrupt":
      return interrupt(screen, armed);
    case "quit-or-delete":
      return screen.editor.text === ""
        ? { screen, effects: [{ type: "quit" }] }
        : typed(screen, { type: "delete-right" });
    case "show-output": {
      const last = screen.view.lastOutput;
      if (last === undefined) return only({ ...screen, flash: { level: "info", text: "no call has finished yet" } });
      const file = last.file === undefined ? "" : `\n\n(the whole output is in ${last.file})`;
      return only({ ...screen, pager: openPager(last.title, last.text + file) });
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
  const editor = edit(screen.editor, action);
  const history =
    editor.text === screen.editor.text ? screen.history : { ...screen.history, at: undefined, draft: undefined };
  return only({ ...screen, editor, history });
}

function send(screen: Screen): Pressed {
  const { editor } = screen;
  // A backslash before Enter continues the line, for terminals that cannot tell Alt+Enter.
  if (editor.cursor === editor.text.length && editor.text.endsWith("\\")) {
    return typed({ ...screen, editor: edit(editor, { type: "delete-left" }) }, { type: "newline" });
  }
  const text = plainText(editor);
  if (text.trim() === "") return only(screen);
  const command = text.startsWith("/");
  const intent: Intent = command ? { type: "command", line: text.trim() } : { type: "prompt", text };
  const next: Screen = {
    ...screen,
    editor: { ...emptyEditor, killed: editor.killed },
    history: remember(screen.history, text),
  };
  return {
    screen: next,
    effects: [
      { type: "remember", text },
      { type: "send", intent },
    ],
  };
}

function accept(screen: Screen): Pressed | undefined {
  const ghost = ghostOf(screen);
  if (ghost.text === "") return undefined;
  const from = screen.suggestion?.best.from;
  const line =
    screen.suggestion?.line === plainText(screen.editor) && screen.suggestion.cursor === screen.editor.cursor;
  if (line && from !== undefined)
    return typed(screen, { type: "replace", from, text: screen.suggestion?.best.text ?? "" });
  return typed(screen, { type: "insert", text: ghost.text });
}

function upDown(screen: Screen, action: "up" | "down", width: number): Pressed {
  const by = action === "up" ? -1 : 1;
  if (!atEdge(screen.editor, by, width)) return typed(screen, { type: action, width });
  // What is queued can still be changed: it comes back into the editor.
  if (by < 0 && screen.editor.text === "" && screen.view.queue.length > 0) {
    const text = screen.view.queue.join("\n");
    const editor = edit(screen.editor, { type: "set", text });
    return sendIntent({ ...screen, editor }, { type: "drop-queued" });
  }
  const browsed = browse(screen.history, screen.editor, by);
  return browsed === undefined ? typed(screen, { type: action, width }) : only({ ...screen, ...browsed });
}

/** Ctrl+C: clear the input, cancel the turn, then twice to quit. An open dialog had the key before. */
function interrupt(screen: Screen, armed: boolean): Pressed {
  if (screen.editor.text !== "") {
    return only({
      ...screen,
      editor: edit(screen.editor, { type: "clear" }),
      history: { ...screen.history, at: undefined, draft: undefined },
    });
  }
  if (screen.view.status?.busy) return sendIntent(screen, { type: "cancel" });
  if (armed) return { screen, effects: [{ type: "quit" }] };
  const flash = { level: "info" as const, text: "press ctrl+c again to quit" };
  return { screen: { ...screen, armed: true, flash }, effects: [{ type: "arm" }] };
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
