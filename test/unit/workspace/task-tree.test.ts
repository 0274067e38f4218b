import fc from "fast-check";
import { expect, test } from "vitest";
import { sessionTaskStore } from "../../../src/workspace/task-store.ts";
import {
  isReady,
  nextChild,
  replay,
  TASK_STATUSES,
  type TaskRecord,
  type TreeTask,
} from "../../../src/workspace/task-tree.ts";

const at = "2026-01-01T00:00:00.000Z";

test("records make tasks, and what they say last counts", () => {
  const records: TaskRecord[] = [
    { op: "create", at, id: "at-00000001", title: "Root", set: { assignee: "me" } },
    { op: "create", at, id: "at-00000001.1", title: "Part", set: {} },
    { op: "update", at: "later", id: "at-00000001.1", set: { status: "completed", facts: ["one"] } },
    { op: "update", at: "later", id: "at-00000001", set: { assignee: "" } },
    { op: "update", at, id: "at-99999999", set: { title: "of no task" } },
    { op: "create", at, id: "at-00000002.1", title: "of no parent", set: {} },
  ];
  expect([...replay(records).values()]).toEqual([
    { id: "at-00000001", title: "Root", status: "pending", created: at, updated: "later" },
    { id: "at-00000001.1", title: "Part", status: "completed", facts: ["one"], created: at, updated: "later" },
  ]);
});

test("a child's number is never used twice", () => {
  expect(nextChild("at-00000001", ["at-00000001", "at-00000001.1", "at-00000001.3", "at-00000001.1.7"])).toBe(
    "at-00000001.4",
  );
});

test("a task is ready when it is pending and its dependencies and parts are completed", () => {
  const task = (id: string, status: TreeTask["status"], deps?: string[]): [string, TreeTask] => [
    id,
    { id, title: id, status, created: at, updated: at, ...(deps && { deps }) },
  ];
  const all = new Map([
    task("at-00000001", "pending"),
    task("at-00000001.1", "completed"),
    task("at-00000001.2", "pending", ["at-00000001.1"]),
    task("at-00000002", "pending", ["at-00000001.2"]),
    task("at-00000003", "pending", ["at-0000000f"]),
    task("at-00000004", "blocked"),
  ]);
  const ready = [...all.values()].filter((one) => isReady(one, all)).map(({ id }) => id);
  expect(ready).toEqual(["at-00000001.2"]);
});

/** The same store with the least cleverness: an array, looked through every time. */
interface Model {
  readonly id: string;
  status: string;
  deps: readonly string[];
}

const readyInModel = (model: readonly Model[]) =>
  model
    .filter(({ status }) => status === "pending")
    .filter(({ deps }) => deps.every((dep) => model.find(({ id }) => id === dep)?.status === "completed"))
    .filter(({ id }) =>
      model.every(({ id: other, status }) => {
        const isPart = other.startsWith(`${id}.`) && !other.slice(id.length + 1).includes(".");
        return !isPart || status === "completed";
      }),
    )
    .map(({ id }) => id);

const step = fc.oneof(
  fc.record({
    op: fc.constant("create" as const),
    parent: fc.option(fc.nat()),
    deps: fc.array(fc.nat(), { maxLength: 2 }),
  }),
  fc.record({ op: fc.constant("status" as const), task: fc.nat(), status: fc.constantFrom(...TASK_STATUSES) }),
  fc.record({ op: fc.constant("deps" as const), task: fc.nat(), deps: fc.array(fc.nat(), { maxLength: 3 }) }),
);

test("whatever is created and changed, the store agrees with a plain list about what is ready and what became so", () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      let next = 0;
      const store = sessionTaskStore({
        now: () => new Date(at),
        newId: () => `at-${(++next).toString(16).padStart(8, "0")}`,
      });
      const model: Model[] = [];
      const pick = (seed: number) => model[seed % Math.max(1, model.length)]?.id;
      for (const one of steps) {
        const before = readyInModel(model);
        if (one.op === "create") {
          const parentId = one.parent === null ? undefined : pick(one.parent);
          const deps = one.deps.map(pick).filter((id) => id !== undefined);
          const { id } = await store.create({ title: "t", deps, ...(parentId !== undefined && { parentId }) });
          expect(model.some((task) => task.id === id)).toBe(false);
          model.push({ id, status: "pending", deps });
        } else {
          const id = pick(one.task);
          if (id === undefined) continue;
          const task = model.find((known) => known.id === id)!;
          if (one.op === "status") {
            const { nowReady, changed } = await store.update(id, { status: one.status });
            expect(changed).toEqual(task.status === one.status ? [] : ["status"]);
            task.status = one.status;
            expect(nowReady).toEqual(
              expect.arrayContaining(readyInModel(model).filter((now) => !before.includes(now))),
            );
            expect(nowReady.every((now) => !before.includes(now))).toBe(true);
          } else {
            const deps = one.deps.map(pick).filter((dep) => dep !== undefined);
            const makesCircle = deps.some((dep) => reaches(model, dep, id));
            const update = store.update(id, { deps });
            if (makesCircle) await expect(update).rejects.toThrow("cannot depend on");
            else {
              await update;
              task.deps = deps;
            }
          }
        }
      }
      const listed = await store.list({});
      expect(listed.map(({ id, status, deps = [] }) => ({ id, status, deps })).sort(byId)).toEqual(
        [...model].sort(byId),
      );
      expect((await store.list({ readyOnly: true })).map(({ id }) => id).sort()).toEqual(readyInModel(model).sort());
    }),
    { numRuns: 60 },
  ));

function reaches(model: readonly Model[], from: string, to: string): boolean {
  if (from === to) return true;
  return model.find(({ id }) => id === from)!.deps.some((dep) => reaches(model, dep, to));
}
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
