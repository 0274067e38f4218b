/** Asks the conversation what may follow, and keeps the answer only while it still fits what is typed. */
import type { Conversation } from "../../src/protocol/conversation.ts";
import { plainText } from "./editor-state.ts";
import type { Stage } from "./stage.ts";

/** Sets the suggestion for the input as it is now; `onChange` when one came. */
export function complete(stage: Stage, conversation: Conversation | undefined, onChange: () => void): void {
  const { editor } = stage.screen;
  const line = plainText(editor);
  const wanted = line.startsWith("/") || /(^|\s)@\S*$/.test(line.slice(0, editor.cursor));
  if (!wanted || editor.pastes.length > 0 || conversation === undefined) return;
  const { cursor } = editor;
  conversation.suggest(line, cursor).then(
    ([best]) => {
      if (plainText(stage.screen.editor) !== line || stage.screen.editor.cursor !== cursor) return;
      stage.change({ suggestion: best === undefined ? undefined : { line, cursor, best } });
      onChange();
    },
    () => undefined,
  );
}
