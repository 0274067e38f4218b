import { expect, test } from "vitest";
import type { TodoItem } from "../../../../src/protocol/todos.ts";
import { todoLines } from "../../../../ui/tui/todo-panel.ts";
import { todoSentence } from "../../../../ui/view/wording.ts";

const items: TodoItem[] = [
  { content: "one", status: "completed" },
  { content: "two", status: "pending" },
  { content: "three", status: "in_progress" },
  { content: "four", status: "pending" },
  { content: "five", status: "pending" },
];
const words = (height: number, list = items, columns = 30) =>
  todoLines(list, columns, height).map((line) => line.map((part) => part.text).join(""));

test("what is being done comes first, then what is next, and the rest is counted", () => {
  expect(words(4)).toEqual(["todo 1/5", "  ▶ three", "  ○ two", "  … 2 more"]);
  expect(words(6)).toEqual(["todo 1/5", "  ▶ three", "  ○ two", "  ○ four", "  ○ five"]);
});

test("little room leaves one line, no room none, and finished work nothing", () => {
  expect([words(1), words(0), words(6, [{ content: "x", status: "completed" }]), words(6, [])]).toEqual([
    ["todo 1/5 ▶ three"],
    [],
    [],
    [],
  ]);
  expect(words(2, items, 12)).toEqual(["todo 1/5 ▶ …"]);
});

test("a line renderer hears how far the todos are", () => {
  expect([todoSentence(items), todoSentence(items.slice(0, 2)), todoSentence([])]).toEqual([
    "Todos: 1 of 5 done. Now: three",
    "Todos: 1 of 2 done.",
    undefined,
  ]);
});
