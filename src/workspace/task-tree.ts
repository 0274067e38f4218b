/** The tasks of one kind of work as a tree (other-systems 1.8). Pure: records in, tasks out. */

export const TASK_STATUSES = ["pending", "inProgress", "completed", "blocked"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What may be written down about a task besides its title. */
export interface TaskDetails {
  readonly description?: string;
  readonly assignee?: string;
  /** Ids of tasks, in any tree, that must be completed before this one is ready. */
  readonly deps?: readonly string[];
  readonly summary?: string;
  readonly decisions?: readonly string[];
  readonly facts?: readonly string[];
  readonly nextSteps?: readonly string[];
  readonly blockers?: readonly string[];
  readonly filesRead?: readonly string[];
  readonly resources?: readonly string[];
}

export interface TreeTask extends TaskDetails {
  /** `at-` and 8 hexadecimal digits, then `.1`, `.2` for each level below. */
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  /** ISO 8601. */
  readonly created: string;
  readonly updated: string;
}

/** What one line of a tree's file says; the file is these in the order they happened. */
export type TaskRecord =
  | {
      readonly op: "create";
      readonly at: string;
      readonly id: string;
      readonly title: string;
      readonly set: TaskDetails;
    }
  | { readonly op: "update"; readonly at: string; readonly id: string; readonly set: TaskChange };

/** Fields that are replaced whole; a list that is empty and a text that is empty take the field away. */
export type TaskChange = TaskDetails & { readonly title?: string; readonly status?: TaskStatus };

/** The tree a task is in: the id of its root. */
export const treeOf = (id: string): string => id.replace(/\..*$/s, "");

export const parentOf = (id: string): string | undefined =>
  id.includes(".") ? id.slice(0, id.lastIndexOf(".")) : undefined;

export const isTaskId = (text: string): boolean => /^at-[0-9a-f]{8}(?:\.[1-9]\d*)*$/.test(text);

/** The tasks that records describe, by id, parents before their children. A record about no known task is left out. */
export function replay(records: Iterable<TaskRecord>): Map<string, TreeTask> {
  const tasks = new Map<string, TreeTask>();
  for (const record of records) {
    const before = tasks.get(record.id);
    if (record.op === "create") {
      const parent = parentOf(record.id);
      if (before || (parent !== undefined && !tasks.has(parent))) continue;
      const { id, title, at } = record;
      tasks.set(id, withoutEmpty({ id, title, status: "pending", created: at, updated: at, ...record.set }));
    } else if (before) tasks.set(record.id, withoutEmpty({ ...before, ...record.set, updated: record.at }));
  }
  return tasks;
}

/** The id a new child of `parent` gets: numbers are never used twice. */
export function nextChild(parent: string, tasks: Iterable<string>): string {
  let last = 0;
  for (const id of tasks) if (parentOf(id) === parent) last = Math.max(last, Number(id.slice(parent.length + 1)));
  return `${parent}.${last + 1}`;
}

/**
 * Whether work on a task may begin: it is pending, all it depends on is completed, and so are its children. A
 * dependency nobody knows is not completed.
 */
export function isReady(task: TreeTask, all: ReadonlyMap<string, TreeTask>): boolean {
  if (task.status !== "pending") return false;
  const isDone = (id: string) => all.get(id)?.status === "completed";
  if (!(task.deps ?? []).every(isDone)) return false;
  for (const id of all.keys()) if (parentOf(id) === task.id && !isDone(id)) return false;
  return true;
}

/** The dependency that would make a circle if `task` depended on `deps`; undefined when none would. */
export function circleIn(
  task: string,
  deps: readonly string[],
  all: ReadonlyMap<string, TreeTask>,
): string | undefined {
  return deps.find((dep) => {
    const seen = new Set<string>();
    const waiting = [dep];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (id === task) return true;
      if (seen.has(id)) continue;
      seen.add(id);
      waiting.push(...(all.get(id)?.deps ?? []));
    }
    return false;
  });
}

function withoutEmpty(task: TreeTask): TreeTask {
  const kept = Object.entries(task).filter(
    ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  // Title and status are never empty: the store refuses that.
  return Object.fromEntries(kept) as unknown as TreeTask;
}
