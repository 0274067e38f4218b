import { defineTool } from "../toolkit/tool.ts";
import { countTodos, TODO_STATUSES, type TodoItem, type TodoStatus } from "../workspace/todos.ts";

interface Update {
  readonly index: number;
  readonly status: TodoStatus;
}

export const todoProgress = defineTool({
  name: "TodoProgress",
  description: "Changes the status of todo items. When none is in progress the next pending one is started.",
  input: {
    type: "object",
    properties: {
      updates: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            index: { type: "integer", minimum: 1, description: "From 1" },
            status: { type: "string", enum: TODO_STATUSES },
          },
          required: ["index", "status"],
        },
      },
    },
    required: ["updates"],
  },
  parallel: false,
  sandboxable: false,
  changes: "nothing",

  async run({ updates }, { todos }) {
    checkIndexes(updates, todos.items);
    const items = withUpdates(todos.items, updates);
    refuseSeveralInProgress(items, todos.items);
    const promoted = items.some((item) => item.status === "in_progress")
      ? -1
      : items.findIndex((item) => item.status === "pending");
    const next = items.map((item, index): TodoItem => (index === promoted ? { ...item, status: "in_progress" } : item));
    todos.replace({ summary: todos.summary, items: next });
    return report(updates, next, promoted);
  },
});

function checkIndexes(updates: readonly Update[], items: readonly TodoItem[]) {
  if (items.length === 0) throw new Error("no todo list exists - use TodoCreate first");
  const wrong = updates.find(({ index }) => index < 1 || index > items.length);
  if (wrong) throw new Error(`index ${wrong.index} is out of range: valid indexes are 1 to ${items.length}`);
}

function withUpdates(items: readonly TodoItem[], updates: readonly Update[]): TodoItem[] {
  const next = [...items];
  for (const { index, status } of updates) next[index - 1] = { ...next[index - 1]!, status };
  return next;
}

function refuseSeveralInProgress(next: readonly TodoItem[], now: readonly TodoItem[]) {
  if (next.filter((item) => item.status === "in_progress").length < 2) return;
  const current = now.flatMap(({ status, content }, index) =>
    status === "in_progress" ? [`task ${index + 1} ("${content}")`] : [],
  );
  const which = current.length === 0 ? "none" : current.join(", ");
  throw new Error(
    `update REJECTED: only one task may be in_progress. Currently in progress: ${which}. Nothing was applied.`,
  );
}

function report(updates: readonly Update[], items: readonly TodoItem[], promoted: number): string {
  const indexesOf = (status: TodoStatus) => [
    ...new Set(updates.filter((update) => update.status === status).map((update) => update.index)),
  ];
  const completed = indexesOf("completed").filter((index) => items[index - 1]?.status === "completed");
  const started =
    promoted >= 0
      ? [promoted + 1]
      : indexesOf("in_progress").filter((index) => items[index - 1]?.status === "in_progress");
  return [
    ...completed.map((index) => `Task ${index} completed.`),
    ...started.map((index) => `Task ${index} now in_progress: "${items[index - 1]?.content}"`),
    ...(items.every((item) => item.status === "completed") ? ["All tasks completed!"] : []),
    `Status: ${countTodos(items)}.`,
  ].join("\n");
}
