import { expect, test } from "vitest";
import { todoProgress } from "../../../src/tools/todo-progress.ts";
import type { TodoStatus } from "../../../src/workspace/todos.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

function projectWith(...statuses: TodoStatus[]) {
  const project = memoryProject();
  const items = statuses.map((status, index) => ({ content: `task ${"abc"[index]}`, status }));
  project.access.todos.replace({ summary: "", items });
  const progress = (...updates: [index: number, status: TodoStatus][]) =>
    project.run(todoProgress, { updates: updates.map(([index, status]) => ({ index, status })) });
  return { progress, statuses: () => project.access.todos.items.map((item) => item.status) };
}

test("completing a task starts the next pending one", async () => {
  const { progress, statuses } = projectWith("in_progress", "pending", "pending");
  expect(await progress([1, "completed"])).toBe(
    'Task 1 completed.\nTask 2 now in_progress: "task b"\nStatus: 1 pending, 1 in_progress, 1 completed.',
  );
  expect(statuses()).toEqual(["completed", "in_progress", "pending"]);
});

test("a task started explicitly is named, and nothing else is started", async () => {
  const { progress } = projectWith("in_progress", "pending", "pending");
  expect(await progress([1, "completed"], [3, "in_progress"])).toBe(
    'Task 1 completed.\nTask 3 now in_progress: "task c"\nStatus: 1 pending, 1 in_progress, 1 completed.',
  );
});

test("the last completion says so", async () => {
  const { progress } = projectWith("completed", "in_progress");
  expect(await progress([2, "completed"])).toBe(
    "Task 2 completed.\nAll tasks completed!\nStatus: 0 pending, 0 in_progress, 2 completed.",
  );
});

test("an update that starts nothing reports what is", async () => {
  const { progress } = projectWith("in_progress", "completed");
  expect(await progress([2, "pending"])).toBe("Status: 1 pending, 1 in_progress, 0 completed.");
});

test("updates apply in order, so that the last word on a task counts", async () => {
  const { progress, statuses } = projectWith("in_progress", "pending");
  await progress([2, "in_progress"], [1, "completed"], [2, "completed"], [2, "pending"]);
  expect(statuses()).toEqual(["completed", "in_progress"]);
});

test("two tasks in progress are rejected whole", async () => {
  const { progress, statuses } = projectWith("in_progress", "pending", "pending");
  await expect(progress([3, "completed"], [2, "in_progress"])).rejects.toThrow(
    'update REJECTED: only one task may be in_progress. Currently in progress: task 1 ("task a"). Nothing was applied.',
  );
  expect(statuses()).toEqual(["in_progress", "pending", "pending"]);
});

test("an index out of range applies nothing, and no list is an error", async () => {
  const { progress, statuses } = projectWith("in_progress", "pending");
  await expect(progress([1, "completed"], [3, "completed"])).rejects.toThrow(
    "index 3 is out of range: valid indexes are 1 to 2",
  );
  expect(statuses()).toEqual(["in_progress", "pending"]);
  await expect(projectWith().progress([1, "completed"])).rejects.toThrow("no todo list exists - use TodoCreate first");
  expect(todoProgress.parallel).toBe(false);
});
