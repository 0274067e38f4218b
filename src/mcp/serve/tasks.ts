import { resolve } from "node:path";
import { defineTool } from "../../toolkit/tool.ts";
import { fileTaskStore, sessionTaskStore, type TaskStore } from "../../workspace/task-store.ts";
import { TASK_STATUSES, type TaskStatus } from "../../workspace/task-tree.ts";
import { readArguments } from "./read-arguments.ts";
import type { ServedServer, ServedTool, ServeHost } from "./served-server.ts";

/** A tree of tasks: kept below `--dir`, or as long as the session (other-systems 1.8). */
export function tasksServer(args: readonly string[], _input: unknown, host: ServeHost): ServedServer {
  const { options } = readArguments("tasks", args, { "--dir": "value" });
  const dir = options["--dir"];
  const clock = { now: host.now };
  const store = dir === undefined ? sessionTaskStore(clock) : fileTaskStore(resolve(host.cwd, dir), clock);
  const present: readonly ServedTool[] = [
    { tool: createTask(store), structured: true },
    { tool: getTask(store), structured: true, readOnly: true },
    { tool: listTasks(store), structured: true, readOnly: true },
    { tool: updateTask(store), structured: true },
  ];
  return { name: "tasks", tools: () => ({ present, absent: [] }) };
}

const texts = (description: string) =>
  ({ type: "array", items: { type: "string", minLength: 1 }, description }) as const;
const status = { type: "string", enum: TASK_STATUSES } as const;

const createTask = (store: TaskStore) =>
  defineTool({
    name: "task_create",
    description: "Creates a task, or a part of one. Its id is in the answer.",
    input: {
      type: "object",
      properties: {
        title: { type: "string", minLength: 1 },
        description: { type: "string" },
        parentId: { type: "string", minLength: 1, description: "makes it a part of that task" },
        assignee: { type: "string" },
        deps: texts("ids of tasks to be completed first"),
      },
      required: ["title"],
      additionalProperties: false,
    },
    parallel: false,
    sandboxable: false,
    run: async (input) => json({ task: await store.create(given(input)) }),
  });

const getTask = (store: TaskStore) =>
  defineTool({
    name: "task_get",
    description: "Shows a task, its parts and whether work on it may begin.",
    input: {
      type: "object",
      properties: { id: { type: "string", minLength: 1 } },
      required: ["id"],
      additionalProperties: false,
    },
    sandboxable: false,
    run: async ({ id }) => json(await store.find(id)),
  });

const listTasks = (store: TaskStore) =>
  defineTool({
    name: "task_list",
    description: "Lists tasks. A task is ready when it is pending and all it depends on, its parts too, is completed.",
    input: {
      type: "object",
      properties: {
        assignee: { type: "string" },
        status,
        treeId: { type: "string", minLength: 1, description: "only the tree of this task" },
        readyOnly: { type: "boolean" },
      },
      additionalProperties: false,
    },
    sandboxable: false,
    async run(input) {
      const tasks = await store.list(given(input) as typeof input & { status?: TaskStatus });
      return json({ tasks, count: tasks.length });
    },
  });

const updateTask = (store: TaskStore) =>
  defineTool({
    name: "task_update",
    description:
      "Changes a task; lists are replaced whole. Answers what changed and which tasks became ready because of it.",
    input: {
      type: "object",
      properties: {
        id: { type: "string", minLength: 1 },
        title: { type: "string", minLength: 1 },
        description: { type: "string" },
        status,
        assignee: { type: "string" },
        deps: texts("ids of tasks to be completed first"),
        summary: { type: "string" },
        decisions: texts("what was decided"),
        facts: texts("what was found out"),
        nextSteps: texts("what is to be done next"),
        blockers: texts("what is in the way"),
        filesRead: texts("paths"),
        resources: texts("paths or addresses"),
      },
      required: ["id"],
      additionalProperties: false,
    },
    parallel: false,
    sandboxable: false,
    async run({ id, ...change }) {
      const set = given(change) as typeof change & { status?: TaskStatus };
      if (Object.keys(set).length === 0) throw new Error("nothing to change was given");
      return json(await store.update(id, set));
    },
  });

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Without what is undefined. */
function given<T extends object>(input: T): T {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
}
