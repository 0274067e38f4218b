import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newSessionId } from "../../../src/sessions/session-id.ts";
import { continueLog, createLog } from "../../../src/sessions/session-log.ts";
import { encodeRecord, type SessionRecord } from "../../../src/sessions/session-record.ts";
import { openSessions, type SessionStore } from "../../../src/sessions/session-store.ts";
import { prompt, reply } from "../../helpers/messages.ts";

let dir: string;
let store: SessionStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "aura-store-"));
  store = openSessions(dir);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const CREATED = "2026-01-02T03:04:05.000Z";
/** `age`: seconds before a fixed time. */
function save(id: string, age: number, more: readonly SessionRecord[] = [], cwd = "/project"): void {
  const records: SessionRecord[] = [
    { type: "header", version: 1, id, cwd, created: CREATED },
    { type: "message", message: prompt("u1", `  ask ${id}\nand more`) },
    ...more,
  ];
  const file = join(dir, `${id}.jsonl`);
  writeFileSync(file, records.map(encodeRecord).join(""));
  utimesSync(file, 2_000_000_000 - age, 2_000_000_000 - age);
}
const updated = (age: number) => (2_000_000_000 - age) * 1000;

test("Sessions are listed newest first with name, title and first prompt; what is no session becomes a warning", () => {
  save("old-1", 300);
  save("new-1", 100, [
    { type: "title", title: "draft" },
    {
      type: "message",
      message: prompt("u2", '{"type":"title","title":"not this"}\n{"type":"name","name":"nor this"}'),
    },
    { type: "title", title: "final" },
    { type: "name", name: "mine" },
  ]);
  writeFileSync(join(dir, "bad-1.jsonl"), "not a session\n");
  const first = store.list();
  expect(first).toEqual({
    sessions: [
      {
        id: "new-1",
        name: "mine",
        title: "final",
        cwd: "/project",
        created: CREATED,
        updated: updated(100),
        firstPrompt: "ask new-1",
      },
      { id: "old-1", cwd: "/project", created: CREATED, updated: updated(300), firstPrompt: "ask old-1" },
    ],
    warnings: [`${join(dir, "bad-1.jsonl")} is not a session log; it is left out`],
  });
  expect(store.list()).toEqual(first);
});

test("The index is disposable: deleted, torn or outdated, the list is the same", () => {
  save("a-1", 200);
  save("b-1", 100);
  const before = store.list();
  const index = join(dir, "index.json");
  rmSync(index);
  expect(store.list()).toEqual(before);
  writeFileSync(index, readFileSync(index).subarray(0, 40));
  expect(store.list()).toEqual(before);
  save("a-1", 50, [{ type: "title", title: "grown" }]);
  rmSync(join(dir, "b-1.jsonl"));
  expect(store.list().sessions).toMatchObject([{ id: "a-1", title: "grown", updated: updated(50) }]);
});

test("A folder that does not exist has no sessions, and listing does not make it", () => {
  const nowhere = join(dir, "nowhere");
  expect(openSessions(nowhere).list()).toEqual({ sessions: [], warnings: [] });
  expect(existsSync(nowhere)).toBe(false);
});

test("A session is found by id, name, short id or a unique beginning", () => {
  save("260101-101010-abcdef", 30, [{ type: "name", name: "Fix-Login" }]);
  save("260101-101010-abcxyz", 20);
  save("260102-101010-qqqqqq", 10);
  const find = (wanted: string) => {
    const found = store.find(wanted);
    return found.kind === "found" ? found.session.id : found.message;
  };
  expect(find("260101-101010-abcdef")).toBe("260101-101010-abcdef");
  expect(find("fix-login")).toBe("260101-101010-abcdef");
  expect(find("fix")).toBe("260101-101010-abcdef");
  expect(find("abcxyz")).toBe("260101-101010-abcxyz");
  expect(find("260102")).toBe("260102-101010-qqqqqq");
  expect(find("260101")).toBe('ambiguous prefix "260101" matches 2 sessions');
  expect(find("nope")).toBe('no session matching "nope"');
  expect(find("")).toBe('no session matching ""');
});

test("The latest session is the newest of this folder, else the newest of all", () => {
  save("a-1", 30, [], "/here");
  save("b-1", 20, [], "/here");
  save("c-1", 10, [], "/there");
  expect(store.latest("/here")?.id).toBe("b-1");
  expect(store.latest("/nowhere")?.id).toBe("c-1");
});

test("A fork has its own id and title, the same messages, and no name", async () => {
  save("a-1", 30, [
    { type: "name", name: "mine" },
    { type: "title", title: "Work" },
    { type: "message", message: reply("a1", "yes") },
  ]);
  expect(await store.fork("a-1", { id: "f-1", created: "2026-02-02T00:00:00.000Z" })).toEqual({
    id: "f-1",
    title: "Fork of Work",
  });
  expect(await store.read("f-1")).toMatchObject({
    id: "f-1",
    cwd: "/project",
    created: "2026-02-02T00:00:00.000Z",
    forkedFrom: "a-1",
    title: "Fork of Work",
    messages: [{ id: "u1" }, { id: "a1" }],
    warnings: [],
  });
  expect((await store.read("f-1")).name).toBeUndefined();
  expect(await store.read("a-1")).toMatchObject({ name: "mine", title: "Work" });
  await expect(store.fork("a-1", { id: "f-1", created: CREATED })).rejects.toThrow("EEXIST");
});

test("Naming keeps the id, joins words, and refuses what is taken or no name", async () => {
  save("a-1", 30);
  save("b-1", 20, [{ type: "name", name: "taken" }]);
  expect(store.rename("a-1", "  fix   the login ")).toEqual({ kind: "free", name: "fix-the-login" });
  expect(await store.read("a-1")).toMatchObject({ id: "a-1", name: "fix-the-login", warnings: [] });
  expect(store.rename("a-1", "fix-the-login").kind).toBe("free");
  const refusal = (name: string) => {
    const check = store.rename("a-1", name);
    return check.kind === "refused" ? check.reason : "";
  };
  expect(refusal("Taken")).toBe('another session is named "Taken"');
  expect(refusal("b-1")).toBe('another session is named "b-1"');
  expect(refusal(" ")).toBe("a session name cannot be empty");
  for (const bad of ["a/b", "a\\b", "..", "a..b"])
    expect(refusal(bad)).toBe(`a session name cannot hold "/", "\\" or "..": ${bad}`);
  expect(refusal("a\u0007b")).toBe("a session name cannot hold control characters");
});

test("A title set from outside survives a torn end; an unknown session is not created by it", async () => {
  save("a-1", 30);
  const file = join(dir, "a-1.jsonl");
  writeFileSync(file, `${readFileSync(file, "utf8")}{"type":"mess`);
  store.retitle("a-1", "New");
  expect(await store.read("a-1")).toMatchObject({ title: "New", messages: [{ id: "u1" }] });
  expect(() => store.retitle("zzz", "New")).toThrow("ENOENT");
  expect(existsSync(join(dir, "zzz.jsonl"))).toBe(false);
  expect(() => store.retitle("../zzz", "New")).toThrow("not a session id");
});

test("A session in use is not removed; a closed one is, with its lock", async () => {
  save("a-1", 30);
  const header = { type: "header", version: 1, id: "a-1", cwd: "/project", created: CREATED } as const;
  const opened = continueLog({ dir, header, warn: () => {} });
  if (opened.kind !== "opened") throw new Error("busy");
  expect(await store.remove("a-1")).toMatch(`session a-1 is in use by process ${process.pid}`);
  opened.log.close();
  expect(await store.remove("a-1")).toBeUndefined();
  expect(store.list().sessions).toEqual([]);
});

test("Ids sort by time and are plain file names", () => {
  const at = (second: number) =>
    newSessionId(new Date(Date.UTC(2026, 0, 2, 3, 4, second)), () => new Uint8Array([0, 31, 32, 63, 5, 9]));
  expect(at(5)).toBe("260102-030405-0z0z59");
  expect([at(9), at(10), at(8)].sort()).toEqual([at(8), at(9), at(10)]);
  expect(newSessionId(new Date())).toMatch(/^\d{6}-\d{6}-[0-9a-z]{6}$/);
});

test("A session that was read is not read again while its size and time stay", () => {
  save("same-1", 10, [{ type: "title", title: "before" }]);
  const titles = () => store.list().sessions.map(({ title }) => title);
  expect(titles()).toEqual(["before"]);
  save("same-1", 10, [{ type: "title", title: "behind" }]);
  expect(titles()).toEqual(["before"]);
  save("same-1", 9, [{ type: "title", title: "behind" }]);
  expect(titles()).toEqual(["behind"]);
});

test("A session being written is listed with what it has so far", () => {
  const header = { type: "header", version: 1, id: "live-1", cwd: "/project", created: CREATED } as const;
  const log = createLog({ dir, header, warn: () => {} });
  log.append({ type: "message", message: prompt("u1", "first") });
  expect(store.list().sessions).toMatchObject([{ id: "live-1", firstPrompt: "first" }]);
  log.append({ type: "title", title: "Now" });
  expect(store.list().sessions).toMatchObject([{ id: "live-1", title: "Now" }]);
  log.close();
});

test("Sessions of this folder from before it had a home are found, read and forked where they are", async () => {
  save("260101-000000-aaaaaa", 20);
  save("260101-000000-bbbbbb", 10, [], "/other");
  const home = join(dir, "home");
  const moved = openSessions(home, { dirs: [dir, home], cwd: "/project" });
  expect(moved.list().sessions.map(({ id }) => id)).toEqual(["260101-000000-aaaaaa"]);
  expect(moved.latest("/project")?.id).toBe("260101-000000-aaaaaa");
  expect(moved.dirOf("260101-000000-aaaaaa")).toBe(dir);
  expect(moved.dirOf("260101-000000-cccccc")).toBe(home);
  expect((await moved.read("260101-000000-aaaaaa")).messages).toHaveLength(1);
  await moved.fork("260101-000000-aaaaaa", { id: "260101-000000-dddddd", created: CREATED });
  expect(existsSync(join(home, "260101-000000-dddddd.jsonl"))).toBe(true);
  expect(
    moved
      .list()
      .sessions.map(({ id }) => id)
      .sort(),
  ).toEqual(["260101-000000-aaaaaa", "260101-000000-dddddd"]);
});
