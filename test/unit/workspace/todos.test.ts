import fc from "fast-check";
import { expect, test } from "vitest";
import { createTodoList, parseTodos, renderTodos, TODO_STATUSES, type Todos } from "../../../src/workspace/todos.ts";

test("a list renders with counts, summary and numbered items", () => {
  const todos: Todos = {
    summary: "Ship it",
    items: [
      { content: "build", status: "completed" },
      { content: "test", status: "in_progress" },
      { content: "tag", status: "pending" },
    ],
  };
  expect(renderTodos(todos)).toBe(
    "Todo List (1 pending, 1 in_progress, 1 completed):\n\n**Summary:** Ship it\n\n1. [completed] build\n2. [in_progress] test\n3. [pending] tag",
  );
  expect(renderTodos({ summary: "", items: todos.items.slice(2) })).toBe(
    "Todo List (1 pending, 0 in_progress, 0 completed):\n\n1. [pending] tag",
  );
  expect(renderTodos({ summary: "Only this", items: [] })).toBe("**Summary:** Only this");
  expect(renderTodos({ summary: "", items: [] })).toBe("No todos.");
});

test("what a person edited is read back, and other lines are ignored", () => {
  const text = "# my list\n\n  **Summary:**  Go \n1. [pending]  a \r\nnote\n7. [completed] [x] b\n- [ ] c\n";
  expect(parseTodos(text)).toEqual({
    summary: "Go",
    items: [
      { content: "a", status: "pending" },
      { content: "[x] b", status: "completed" },
    ],
  });
});

test("an unknown status word is an error that names the known ones", () => {
  expect(() => parseTodos("1. [done] a")).toThrow(
    'unknown status "done" in "1. [done] a": use pending, in_progress, completed',
  );
});

test("every list survives rendering and parsing", () => {
  const line = fc
    .string({ minLength: 1 })
    .map((text) => text.replace(/[\r\n]/g, "").trim())
    .filter((text) => text !== "");
  const item = fc.record({ content: line, status: fc.constantFrom(...TODO_STATUSES) });
  fc.assert(
    fc.property(fc.record({ summary: fc.oneof(fc.constant(""), line), items: fc.array(item) }), (todos) => {
      expect(parseTodos(renderTodos(todos))).toEqual(todos);
    }),
  );
});

test("replacing the list tells who listens", () => {
  const heard: Todos[] = [];
  const list = createTodoList(undefined, (now) => heard.push(now));
  list.replace({ summary: "s", items: [{ content: "a", status: "pending" }] });
  expect(heard).toEqual([{ summary: "s", items: [{ content: "a", status: "pending" }] }]);
  expect({ summary: list.summary, items: list.items }).toEqual(heard[0]);
});
