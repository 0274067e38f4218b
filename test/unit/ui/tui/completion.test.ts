import { expect, test } from "vitest";
import type { Suggestion } from "../../../../src/protocol/conversation.ts";
import { moveSelection, openCompletion, refreshCompletion } from "../../../../ui/tui/completion.ts";
import { edit, emptyEditor } from "../../../../ui/tui/editor-state.ts";

const typed = edit(emptyEditor, { type: "insert", text: "@src/" });
const items = (...texts: string[]): Suggestion[] => texts.map((text) => ({ text, from: 0 }));
const first = openCompletion(typed, items("@src/a", "@src/b"));

test("a longer list takes the place of the first one, its best row marked", () => {
  const now = refreshCompletion(first, typed, items("@src/new", "@src/a", "@src/b"));
  expect(now).toEqual(openCompletion(typed, items("@src/new", "@src/a", "@src/b")));
});

test("a row that was marked stays marked; where it is gone the list stays as it is", () => {
  const moved = first && moveSelection(first, 1);
  expect(refreshCompletion(moved, typed, items("@src/new", "@src/a", "@src/b"))?.selected).toBe(2);
  expect(refreshCompletion(moved, typed, items("@src/new"))).toEqual(moved);
});

test("a list for other input says nothing about this one", () => {
  const earlier = openCompletion(edit(emptyEditor, { type: "insert", text: "@sr" }), items("@src/a", "@src/b"));
  const moved = earlier && moveSelection(earlier, 1);
  expect(refreshCompletion(moved, typed, items("@src/a", "@src/b"))?.selected).toBe(0);
});
