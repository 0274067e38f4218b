import { fork } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileTaskStore } from "../../../src/workspace/task-store.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "aura-tasks-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = () => fileTaskStore(dir, { now: () => new Date("2026-01-02T03:04:05.000Z") });
const namesIn = (folder: string) => readdir(join(dir, ".aether-tasks", folder));

test("a tree is one file, in its folder for active or completed trees, and read back by another process", async () => {
  const store = open();
  const root = await store.create({ title: "Root" });
  const part = await store.create({ title: "Part", parentId: root.id });
  expect(await namesIn("active")).toEqual([`${root.id}.jsonl`]);
  await store.update(root.id, { status: "completed" });
  expect(await namesIn("active")).toEqual([`${root.id}.jsonl`]);
  await store.update(part.id, { status: "completed", summary: "done" });
  expect([await namesIn("active"), await namesIn("completed")]).toEqual([[], [`${root.id}.jsonl`]]);
  expect(await open().list({ treeId: part.id })).toEqual([
    { ...root, status: "completed", ready: false },
    { ...part, status: "completed", summary: "done", ready: false },
  ]);
  await open().create({ title: "More", parentId: root.id });
  expect([await namesIn("active"), await namesIn("completed")]).toEqual([[`${root.id}.jsonl`], []]);
});

test("a line that a crash cut off loses only itself, and the next change stands on a line of its own", async () => {
  const store = open();
  const root = await store.create({ title: "Root" });
  await appendFile(join(dir, ".aether-tasks", "active", `${root.id}.jsonl`), '{"op":"update","id":"');
  expect((await open().find(root.id)).task).toEqual(root);
  await open().update(root.id, { title: "New" });
  expect((await open().find(root.id)).task.title).toBe("New");
});

test("what is in a file of another tree, or is no record, is passed over", async () => {
  const store = open();
  const root = await store.create({ title: "Root" });
  const file = join(dir, ".aether-tasks", "active", `${root.id}.jsonl`);
  const foreign = { op: "create", at: "x", id: "at-00000000", title: "Foreign", set: {} };
  await appendFile(file, `null\n[]\n{"op":"delete"}\n${JSON.stringify(foreign)}\n`);
  expect(await open().list({})).toEqual([{ ...root, ready: true }]);
});

test("two that create parts of one task at once never give two of them the same id", async () => {
  const root = await open().create({ title: "Root" });
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, at) => open().create({ title: `Part ${at}`, parentId: root.id })),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(8);
  expect((await open().find(root.id)).children).toHaveLength(8);
});

test("a process killed during task_update loses nothing it was told is done", async () => {
  const root = await open().create({ title: "Root" });
  const program = new URL("../../helpers/updating-tasks.ts", import.meta.url);
  for (let round = 0; round < 4; round++) {
    const child = fork(program, [dir, root.id], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const told: number[] = [];
    const enough = new Promise<void>((resolve) => {
      child.on("message", (count: number) => {
        told.push(count);
        // In the midst of the next one, which began as soon as this was told.
        if (told.length === 5 + round * 3) resolve();
      });
    });
    await enough;
    child.kill("SIGKILL");
    await once(child, "exit");
    const { task } = await open().find(root.id);
    expect(Number(task.summary)).toBeGreaterThanOrEqual(told.at(-1)!);
    const lines = (await readFile(join(dir, ".aether-tasks", "active", `${root.id}.jsonl`), "utf8")).split("\n");
    expect(lines.filter((line) => line.startsWith("{")).length).toBeGreaterThan(told.length);
  }
  expect((await open().update(root.id, { status: "completed" })).changed).toEqual(["status"]);
});
