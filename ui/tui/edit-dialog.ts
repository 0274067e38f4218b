import { neutralise } from "../../src/text/neutralise.ts";
import type { EditState } from "./dialog-state.ts";
import type { DialogFrame, DialogView } from "./dialog-view.ts";
import { editorBox } from "./editor-box.ts";

/** A text to change, for example the todo list. */
export function editBox(state: EditState, frame: DialogFrame): DialogView {
  const box = editorBox({ editor: state.editor, ghost: "", placeholder: "" }, frame.width, frame.height, frame.theme);
  return {
    box: { ...box, title: neutralise(state.request.title) },
    page: frame.height,
    help: "enter save • alt+enter new line • esc leave unchanged",
  };
}
