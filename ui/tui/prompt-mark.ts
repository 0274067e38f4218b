import type { Item } from "../view/view-state.ts";

/** The lines of an item; in front of a prompt that a person typed stands `mark`, which takes no cells. */
export function markPrompt(item: Item, painted: readonly string[], mark: string): readonly string[] {
  if (mark === "" || item.kind !== "prompt" || item.synthetic) return painted;
  const head = painted.findIndex((line) => line !== "");
  return head < 0 ? painted : painted.with(head, mark + (painted[head] ?? ""));
}
