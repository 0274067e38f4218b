import { expect, test } from "vitest";
import { todoCreate } from "../../../src/tools/todo-create.ts";
import { todoList } from "../../../src/tools/todo-list.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

test("items start a list whose first one is in progress", async () => {
  const project = memoryProject();
  expect(await project.run(todoCreate, { items: [{ content: "a" }, { content: "b" }] })).toBe(
    "Created 2 tasks. First task is now in_progress.",
  );
  expect(project.access.todos.items).toEqual([
    { content: "a", status: "in_progress" },
    { content: "b", status: "pending" },
  ]);
});

test("a summary keeps the items, items keep the summary, both replace both", async () => {
  const project = memoryProject();
  await project.run(todoCreate, { items: [{ content: "a" }] });
  expect(await project.run(todoCreate, { summary: "goal" })).toBe("Summary: goal");
  await project.run(todoCreate, { items: [{ content: "b" }] });
  expect(await project.run(todoList, {})).toBe(
    "Todo List (0 pending, 1 in_progress, 0 completed):\n\n**Summary:** goal\n\n1. [in_progress] b",
  );
  expect(await project.run(todoCreate, { summary: "new", items: [{ content: "c" }] })).toBe(
    "Created 1 tasks. First task is now in_progress.\n\nSummary: new",
  );
});

test("nothing at all is refused", async () => {
  await expect(memoryProject().run(todoCreate, {})).rejects.toThrow("must provide summary or items (or both)");
});

test("the tools that change the list do not run beside others", () => {
  expect([todoCreate.parallel, todoList.parallel ?? true]).toEqual([false, true]);
});
