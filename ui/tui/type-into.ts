import { type EditorState, edit } from "./editor-state.ts";
import type { Key } from "./key-decoder.ts";
import { actionOf, type Binding, isEditing } from "./keymap.ts";

/** Line editing away from the prompt: its keys without those that mean more than editing. */
export function typeInto(editor: EditorState, key: Key, bindings?: readonly Binding[]): EditorState {
  if (key.name === "paste") return edit(editor, { type: "paste", text: key.text ?? "" });
  if (key.text !== undefined) return edit(editor, { type: "insert", text: key.text });
  const action = actionOf(key, editor.text === "", bindings);
  switch (action) {
    case undefined:
      return editor;
    case "right-or-accept":
      return edit(editor, { type: "right" });
    case "up":
    case "down":
      return edit(editor, { type: action, width: 1_000 });
    case "quit-or-delete":
      return edit(editor, { type: "delete-right" });
    default:
      return isEditing(action) ? edit(editor, { type: action }) : editor;
  }
}
