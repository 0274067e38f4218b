/** Asks the conversation what may follow, and keeps the answer only while it still fits what is typed. */
import type { Conversation, Suggestion } from "../../src/protocol/conversation.ts";
import { refreshCompletion } from "./completion.ts";
import type { Stage } from "./stage.ts";

/**
 * For the input as it is now. Until the answer is there the old list stays, so that nothing flickers; `onChange` when it
 * has come.
 */
export function askCompletion(stage: Stage, conversation: Conversation | undefined, onChange: () => void): void {
  const { editor, history } = stage.screen;
  const { text: line, cursor } = editor;
  const wanted = line.startsWith("/") || /@[^\n]*$/.test(line.slice(Math.max(0, cursor - 500), cursor));
  if (!wanted || history.at !== undefined || conversation === undefined) {
    stage.change({ completion: undefined, dismissed: undefined });
    return;
  }
  const show = (items: readonly Suggestion[]) => {
    const { screen } = stage;
    if (screen.editor.text !== line || screen.editor.cursor !== cursor) return;
    // A list that was closed stays closed for the word it was closed for.
    const dismissed = items[0] !== undefined && items[0].from === screen.dismissed ? screen.dismissed : undefined;
    stage.change({
      dismissed,
      completion: dismissed === undefined ? refreshCompletion(screen.completion, screen.editor, items) : undefined,
    });
    onChange();
  };
  conversation.suggest(line, cursor, show).then(show, () => stage.change({ completion: undefined }));
}
