import { defineTool } from "../toolkit/tool.ts";

export const todoCreate = defineTool({
  name: "TodoCreate",
  description: "Starts a todo list, or replaces its items or summary. The first item becomes in_progress.",
  usage: "For work of three or more steps.",
  input: {
    type: "object",
    properties: {
      summary: { type: "string", description: "The goal, in a sentence" },
      items: {
        type: "array",
        items: { type: "object", properties: { content: { type: "string", minLength: 1 } }, required: ["content"] },
      },
    },
  },
  parallel: false,
  sandboxable: false,
  changes: "nothing",

  async run({ summary = "", items = [] }, { todos }) {
    if (summary === "" && items.length === 0) throw new Error("must provide summary or items (or both)");
    todos.replace({
      summary: summary || todos.summary,
      items:
        items.length === 0
          ? todos.items
          : items.map(({ content }, index) => ({ content, status: index === 0 ? "in_progress" : "pending" })),
    });
    const parts: string[] = [];
    if (items.length > 0) parts.push(`Created ${items.length} tasks. First task is now in_progress.`);
    if (summary !== "") parts.push(`Summary: ${summary}`);
    return parts.join("\n\n");
  },
});
