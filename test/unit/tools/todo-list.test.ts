import { expect, test } from "vitest";
import { todoList } from "../../../src/tools/todo-list.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

test("an empty list says so", async () => {
  expect(await memoryProject().run(todoList, {})).toBe("No todos.");
});
