/** What the prompt shows: the input, or the search in earlier input, and the list under it. Pure. */
import type { Choice } from "./choice-list.ts";
import { isFresh } from "./completion.ts";
import type { EditorView } from "./editor-box.ts";
import { searchMatches } from "./history-search.ts";
import { ghostOf, listOf, type Screen } from "./screen.ts";

export interface PromptView extends EditorView {
  readonly choices: readonly Choice[];
  readonly selected: number | undefined;
  readonly help: string;
}

const PLACEHOLDER = "Type your message...";
const HELP = "enter send • alt+enter new line • tab mode • shift+tab agent • /help";
const BUSY_HELP = "esc cancel • enter queue • ctrl+o output • /help";

export function promptView(screen: Screen): PromptView {
  if (screen.search !== undefined) return searchView(screen, screen.search);
  const ghost = ghostOf(screen);
  const list = listOf(screen);
  const normal = screen.vim?.mode === "normal" ? `vim normal ${screen.vim.pending}• ` : "";
  const view = { editor: screen.editor, ghost: ghost.text + ghost.hint, placeholder: PLACEHOLDER };
  if (list === undefined) {
    const { queue, status } = screen.view;
    const waiting = queue.length > 0 && screen.editor.text === "" ? "↑ edit queued • ctrl+u drop it • " : "";
    const help = status?.busy ? `${waiting}${BUSY_HELP}` : HELP;
    return { ...view, choices: [], selected: undefined, help: normal + help };
  }
  const selected = isFresh(list, screen.editor) ? list.selected : undefined;
  const enter = selected === undefined ? "enter send" : "enter take";
  const place = list.items.length > 1 ? `${(list.selected ?? 0) + 1}/${list.items.length} • ` : "";
  return {
    ...view,
    choices: list.items.map(({ text, label, about }) => ({
      label: label ?? text,
      ...(about !== undefined && { about }),
    })),
    selected,
    help: `${normal}${place}tab complete • ${enter} • ↑↓ choose • esc close`,
  };
}

function searchView(screen: Screen, search: NonNullable<Screen["search"]>): PromptView {
  const matches = searchMatches(screen.history, search);
  const count = matches.length === 0 ? "nothing found" : `${search.selected + 1}/${matches.length}`;
  return {
    editor: search.query,
    ghost: "",
    placeholder: "Search earlier input...",
    choices: matches.map((label) => ({ label })),
    selected: search.selected,
    help: `${count} • enter take • alt+r earlier • ↑↓ choose • esc back`,
  };
}
