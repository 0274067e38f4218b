import { defineTool } from "../toolkit/tool.ts";
import { renderTodos } from "../workspace/todos.ts";

export const todoList = defineTool({
  name: "TodoList",
  description: "Shows the todo list.",
  input: { type: "object", properties: {} },
  sandboxable: false,
  changes: "nothing",

  run: async (_input, { todos }) => renderTodos(todos),
});
