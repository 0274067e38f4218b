export type TodoStatus = "pending" | "in_progress" | "completed";

export interface TodoItem {
  readonly content: string;
  readonly status: TodoStatus;
}

/** What the model has set out to do. */
export interface Todos {
  readonly summary: string;
  readonly items: readonly TodoItem[];
}
