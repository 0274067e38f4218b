/** What may follow the text before the cursor, as a list to choose from. Pure. */
import type { Suggestion } from "../../src/protocol/conversation.ts";
import { type EditorState, edit } from "./editor-state.ts";

export interface Completion {
  /** The input it was made for. */
  readonly line: string;
  readonly cursor: number;
  readonly items: readonly Suggestion[];
  /** The marked row: what Enter takes. Without one Enter sends the message. */
  readonly selected: number | undefined;
}

/** A list for this input; undefined when there is nothing to add. */
export function openCompletion(editor: EditorState, items: readonly Suggestion[]): Completion | undefined {
  const { text: line, cursor } = editor;
  const first = items[0];
  if (first === undefined) return undefined;
  const exact = items.some(({ text, label, from }) => [text, label, `@${label}`].includes(line.slice(from, cursor)));
  const selected = !exact && meansCompletion(line, cursor, first.from) ? 0 : undefined;
  return { line, cursor, items, selected };
}

/** The list with what was found since; a row that the person marked stays marked. */
export function refreshCompletion(
  before: Completion | undefined,
  editor: EditorState,
  items: readonly Suggestion[],
): Completion | undefined {
  const now = openCompletion(editor, items);
  if (now === undefined || before === undefined || !isFresh(before, editor)) return now;
  if (before.selected === undefined || before.selected === openCompletion(editor, before.items)?.selected) return now;
  const marked = before.items[before.selected]?.text;
  const at = items.findIndex(({ text }) => text === marked);
  return at < 0 ? before : { ...now, selected: at };
}

/**
 * Whether what is typed can hardly be a finished message: half a command, an open bracket, half a path. Anything else
 * may be meant as it stands, and Enter must send it.
 */
function meansCompletion(line: string, cursor: number, from: number): boolean {
  if (cursor < line.length) return false;
  if (from === 0 && line.startsWith("/")) return true;
  const typed = line.slice(from);
  return typed.startsWith("@") ? /[/.]/.test(typed) : /@\w+\[$/.test(line.slice(0, from));
}

/** Whether it was made for the input as it is now. */
export function isFresh(completion: Completion, editor: EditorState): boolean {
  return completion.line === editor.text && completion.cursor === editor.cursor;
}

/** Whether there is a choice to show: not when the only one is typed already. */
export function hasChoice({ line, cursor, items }: Completion): boolean {
  return items.length > 1 || items[0]?.text !== line.slice(items[0]?.from, cursor);
}

export function moveSelection(completion: Completion, by: -1 | 1): Completion {
  const count = completion.items.length;
  const from = completion.selected ?? (by > 0 ? -1 : count);
  return { ...completion, selected: (from + by + count) % count };
}

/** Puts the marked item, else the first, in the place of what was typed. */
export function takeItem(editor: EditorState, { items, selected, line, cursor }: Completion): EditorState {
  const item = items[selected ?? 0];
  if (item === undefined) return editor;
  const isCommand = item.from === 0 && line.startsWith("/");
  const room = isCommand && item.hint !== undefined && cursor === line.length ? " " : "";
  return edit(editor, { type: "replace", from: item.from, text: item.text + room });
}

/** Whether taking the item makes a whole command that can be sent. */
export function isWholeCommand({ items, selected, line }: Completion): boolean {
  const item = items[selected ?? 0];
  return (
    item?.from === 0 && line.startsWith("/") && !line.includes(" ") && (item.hint === undefined || item.hint[0] === "[")
  );
}
