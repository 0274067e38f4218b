import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { withLock } from "../system/file-lock.ts";
import {
  circleIn,
  isReady,
  isTaskId,
  nextChild,
  parentOf,
  replay,
  type TaskChange,
  type TaskDetails,
  type TaskRecord,
  type TaskStatus,
  type TreeTask,
  treeOf,
} from "./task-tree.ts";
import { createTurnstile } from "./turnstile.ts";

export interface TaskQuery {
  readonly assignee?: string;
  readonly status?: TaskStatus;
  readonly treeId?: string;
  readonly readyOnly?: boolean;
}

/** Trees of tasks. All methods throw Error with a message for the model when a task or a dependency is not there. */
export interface TaskStore {
  create(task: TaskDetails & { readonly title: string; readonly parentId?: string }): Promise<TreeTask>;
  find(
    id: string,
  ): Promise<{ readonly task: TreeTask; readonly children: readonly TreeTask[]; readonly ready: boolean }>;
  list(query: TaskQuery): Promise<readonly (TreeTask & { readonly ready: boolean })[]>;
  /** `changed` names the fields that are different now; `nowReady` the tasks this made ready. */
  update(
    id: string,
    change: TaskChange,
  ): Promise<{ readonly task: TreeTask; readonly changed: readonly string[]; readonly nowReady: readonly string[] }>;
}

/** Where the records of trees are kept. Every method sees and leaves whole records. */
interface Shelf {
  /** All records of all trees. */
  read(): Promise<TaskRecord[]>;
  append(record: TaskRecord, tasks: ReadonlyMap<string, TreeTask>): Promise<void>;
  /** Nobody else writes while this runs. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

export interface TaskStoreOptions {
  readonly now: () => Date;
  /** A new root id, for tests. */
  readonly newId?: () => string;
}

/** Kept as long as the session. */
export function sessionTaskStore(options: TaskStoreOptions): TaskStore {
  const records: TaskRecord[] = [];
  return createStore(
    {
      read: async () => records,
      append: async (record) => void records.push(record),
      exclusively: createTurnstile(),
    },
    options,
  );
}

/**
 * One JSONL file a tree below `<dir>/.aether-tasks`: in `active` until every task of it is completed, then in
 * `completed`. A record is one line, written and synced before anybody is told; a line that was cut off by a crash is
 * passed over and ended by the next one.
 * @param dir absolute
 */
export function fileTaskStore(dir: string, options: TaskStoreOptions): TaskStore {
  const home = join(dir, ".aether-tasks");
  const inTurn = createTurnstile();
  return createStore(
    {
      read: () => readTrees(home),
      append: (record, tasks) => appendToTree(home, record, tasks),
      exclusively: (work) => inTurn(() => withLock(join(home, "tasks"), work)),
    },
    options,
  );
}

function createStore(shelf: Shelf, { now, newId = randomId }: TaskStoreOptions): TaskStore {
  const load = async () => replay(await shelf.read());
  /** Records one change and gives the tasks before and after it. */
  const record = async (make: (tasks: ReadonlyMap<string, TreeTask>) => TaskRecord) =>
    shelf.exclusively(async () => {
      const records = [...(await shelf.read())];
      const before = replay(records);
      const made = make(before);
      const after = replay([...records, made]);
      await shelf.append(made, after);
      return { before, after, id: made.id };
    });
  return {
    async create({ title, parentId, ...set }) {
      const { after, id } = await record((tasks) => {
        if (parentId !== undefined) mustKnow(tasks, parentId, "parent");
        const id = parentId === undefined ? freshId(tasks, newId) : nextChild(parentId, tasks.keys());
        checkDeps(id, set.deps, tasks);
        return { op: "create", at: now().toISOString(), id, title: checkedTitle(title), set };
      });
      return after.get(id)!;
    },
    async find(id) {
      const tasks = await load();
      const task = mustKnow(tasks, id, "task");
      const children = [...tasks.values()].filter((other) => parentOf(other.id) === id);
      return { task, children, ready: isReady(task, tasks) };
    },
    async list({ assignee, status, treeId, readyOnly }) {
      const tasks = await load();
      return [...tasks.values()]
        .filter((task) => assignee === undefined || task.assignee === assignee)
        .filter((task) => status === undefined || task.status === status)
        .filter((task) => treeId === undefined || treeOf(task.id) === treeOf(treeId))
        .map((task) => ({ ...task, ready: isReady(task, tasks) }))
        .filter(({ ready }) => !readyOnly || ready);
    },
    async update(id, set) {
      const { before, after } = await record((tasks) => {
        mustKnow(tasks, id, "task");
        checkDeps(id, set.deps, tasks);
        if (set.title !== undefined) checkedTitle(set.title);
        return { op: "update", at: now().toISOString(), id, set };
      });
      const [old, task] = [before.get(id)!, after.get(id)!];
      return {
        task,
        changed: Object.keys(set).filter((field) => !isSame(fieldOf(old, field), fieldOf(task, field))),
        nowReady: [...after.values()]
          .filter((other) => isReady(other, after) && !isReady(before.get(other.id)!, before))
          .map((other) => other.id),
      };
    },
  };
}

const randomId = () => `at-${randomBytes(4).toString("hex")}`;

function freshId(tasks: ReadonlyMap<string, TreeTask>, newId: () => string): string {
  for (let id = newId(); ; id = newId()) if (!tasks.has(id)) return id;
}

function mustKnow(tasks: ReadonlyMap<string, TreeTask>, id: string, what: string): TreeTask {
  const task = tasks.get(id);
  if (!task) throw new Error(`there is no ${what} "${id}"; task_list shows the tasks there are`);
  return task;
}

function checkDeps(id: string, deps: readonly string[] | undefined, tasks: ReadonlyMap<string, TreeTask>): void {
  for (const dep of deps ?? []) mustKnow(tasks, dep, "task to depend on:");
  const circle = circleIn(id, deps ?? [], tasks);
  if (circle !== undefined) throw new Error(`"${id}" cannot depend on "${circle}", which depends on it`);
}

function checkedTitle(title: string): string {
  if (title.trim() === "") throw new Error("a task needs a title");
  return title;
}

const fieldOf = (task: TreeTask, field: string): unknown => (task as unknown as Record<string, unknown>)[field];
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const FOLDERS = ["active", "completed"] as const;

async function readTrees(home: string): Promise<TaskRecord[]> {
  const records: TaskRecord[] = [];
  const seen = new Set<string>();
  for (const folder of FOLDERS)
    for (const name of await namesIn(join(home, folder))) {
      // A crash between copying and removing would leave two; the active one is never older.
      if (!name.endsWith(".jsonl") || seen.has(name)) continue;
      seen.add(name);
      const tree = basename(name, ".jsonl");
      for (const line of (await readFile(join(home, folder, name), "utf8")).split("\n")) {
        const record = readRecord(line);
        if (record && treeOf(record.id) === tree) records.push(record);
      }
    }
  return records;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Undefined for a line that is damaged or says nothing we know. */
function readRecord(line: string): TaskRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<TaskRecord> | null;
    const isWhole = typeof record?.id === "string" && isTaskId(record.id) && typeof record.at === "string";
    if (!isWhole || typeof record.set !== "object" || record.set === null) return undefined;
    if (record.op === "update") return record as TaskRecord;
    return record.op === "create" && typeof record.title === "string" ? (record as TaskRecord) : undefined;
  } catch {
    return undefined;
  }
}

async function appendToTree(home: string, record: TaskRecord, tasks: ReadonlyMap<string, TreeTask>): Promise<void> {
  const tree = treeOf(record.id);
  const places = { active: join(home, "active", `${tree}.jsonl`), completed: join(home, "completed", `${tree}.jsonl`) };
  await mkdir(join(home, "active"), { recursive: true });
  const isActive = (await namesIn(join(home, "active"))).includes(`${tree}.jsonl`);
  const isFiled = !isActive && (await namesIn(join(home, "completed"))).includes(`${tree}.jsonl`);
  await appendLine(isFiled ? places.completed : places.active, JSON.stringify(record));
  const isDone = [...tasks.values()].every((task) => treeOf(task.id) !== tree || task.status === "completed");
  if (isDone === isFiled) return;
  await mkdir(join(home, "completed"), { recursive: true });
  await (isDone ? rename(places.active, places.completed) : rename(places.completed, places.active));
}

async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, "a+", 0o600);
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    // What a crash cut off stays a line of its own, which nobody reads.
    const start = size > 0 && last[0] !== 0x0a ? "\n" : "";
    await file.appendFile(`${start}${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
