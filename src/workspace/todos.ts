export type TodoStatus = "pending" | "in_progress" | "completed";
export interface TodoItem {
  readonly content: string;
  readonly status: TodoStatus;
}

/** The list behind the three Todo tools, `/todo` and the todo panel. */
export interface TodoList {
  readonly summary: string;
  readonly items: readonly TodoItem[];
  replace(next: { readonly summary: string; readonly items: readonly TodoItem[] }): void;
}
