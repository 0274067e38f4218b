import type { TodoItem, TodoStatus, Todos } from "../protocol/todos.ts";

export type { TodoItem, TodoStatus, Todos };

export const TODO_STATUSES = ["pending", "in_progress", "completed"] as const satisfies readonly TodoStatus[];

/** The list behind the three Todo tools, `/todo` and the todo panel. */
export interface TodoList extends Todos {
  replace(next: Todos): void;
}

/** A list that starts with `todos` and tells `changed` after every replacement. */
export function createTodoList(
  todos: Todos = { summary: "", items: [] },
  changed: (now: Todos) => void = () => undefined,
): TodoList {
  let now = todos;
  return {
    get summary() {
      return now.summary;
    },
    get items() {
      return now.items;
    },
    replace(next) {
      now = { summary: next.summary, items: [...next.items] };
      changed(now);
    },
  };
}

/** `p pending, i in_progress, c completed`. */
export function countTodos(items: readonly TodoItem[]): string {
  const count = (status: TodoStatus) => items.filter((item) => item.status === status).length;
  return TODO_STATUSES.map((status) => `${count(status)} ${status}`).join(", ");
}

/** The text of TodoList and of `/todo edit` (aura 2.13). */
export function renderTodos({ summary, items }: Todos): string {
  if (summary === "" && items.length === 0) return "No todos.";
  const parts: string[] = [];
  if (items.length > 0) parts.push(`Todo List (${countTodos(items)}):`);
  if (summary !== "") parts.push(`**Summary:** ${summary}`);
  if (items.length > 0) parts.push(items.map((item, i) => `${i + 1}. [${item.status}] ${item.content}`).join("\n"));
  return parts.join("\n\n");
}

/** Reads what `renderTodos` wrote and a person edited; other lines are ignored. Throws on an unknown status word. */
export function parseTodos(text: string): Todos {
  let summary = "";
  const items: TodoItem[] = [];
  for (const line of text.split(/\r?\n/)) {
    const summaryText = /^\s*\*\*Summary:\*\*(.*)$/.exec(line)?.[1];
    if (summaryText !== undefined) summary = summaryText.trim();
    const item = /^\s*\d+\.\s*\[([^\]]*)\](.*)$/.exec(line);
    if (item) items.push({ status: parseStatus(item[1] ?? "", line), content: (item[2] ?? "").trim() });
  }
  return { summary, items };
}

function parseStatus(word: string, line: string): TodoStatus {
  const status = TODO_STATUSES.find((known) => known === word.trim());
  if (!status) throw new Error(`unknown status "${word}" in "${line.trim()}": use ${TODO_STATUSES.join(", ")}`);
  return status;
}
