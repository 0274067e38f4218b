import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { continueLog, createLog, type LogDisk, type LogOptions } from "../../../src/sessions/session-log.ts";
import type { SessionRecord } from "../../../src/sessions/session-record.ts";
import { prompt, reply } from "../../helpers/messages.ts";

let dir: string;
let warnings: string[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "aura-log-"));
  warnings = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const header = { type: "header", version: 1, id: "s1", cwd: "/project", created: "2026-01-02T03:04:05.000Z" } as const;
const options = (more: Partial<LogOptions> = {}): LogOptions => ({
  dir: join(dir, "sessions"),
  header,
  warn: (text) => warnings.push(text),
  ...more,
});
const said = (id: string): SessionRecord => ({ type: "message", message: prompt(id, id) });
const delta = (text: string): SessionRecord => ({ type: "reply-delta", messageId: "a", kind: "text", delta: text });
const file = () => join(dir, "sessions", "s1.jsonl");
const records = () =>
  readFileSync(file(), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as SessionRecord);

test("A session leaves no file before its first message, and then everything recorded until then", () => {
  const log = createLog(options());
  log.append({ type: "meta", meta: { agent: "plan" } });
  log.append({ type: "name", name: "mine" });
  log.flush();
  expect(existsSync(join(dir, "sessions"))).toBe(false);
  log.append(said("u1"));
  expect(records()).toEqual([
    header,
    { type: "meta", meta: { agent: "plan" } },
    { type: "name", name: "mine" },
    said("u1"),
  ]);
  log.close();
  expect(readdirSync(join(dir, "sessions"))).toEqual(["s1.jsonl"]);
});

test("A session closed before its first message leaves nothing", () => {
  const log = createLog(options());
  log.append({ type: "meta", meta: { agent: "plan" } });
  log.close();
  log.append(said("u1"));
  expect(existsSync(join(dir, "sessions"))).toBe(false);
});

test("Only the owner may read a session", () => {
  const log = createLog(options());
  log.append(said("u1"));
  log.close();
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, "sessions")).mode & 0o777).toBe(0o700);
});

test("A continued session begins a new line behind a torn one and has one header", () => {
  const log = createLog(options());
  log.append(said("u1"));
  log.close();
  appendFileSync(file(), '{"type":"message","mess');
  const again = continueLog(options());
  if (again.kind !== "opened") throw new Error("busy");
  again.log.append(said("u2"));
  again.log.close();
  expect(readFileSync(file(), "utf8").split("\n")).toEqual([
    JSON.stringify(header),
    JSON.stringify(said("u1")),
    '{"type":"message","mess',
    JSON.stringify(said("u2")),
    "",
  ]);
});

test("A second writer of a session is told who has it, until the first one closes", () => {
  const log = createLog(options());
  log.append(said("u1"));
  const second = continueLog(options());
  expect(second).toMatchObject({ kind: "busy", owner: { pid: process.pid, host: hostname() } });
  log.close();
  const third = continueLog(options());
  expect(third.kind).toBe("opened");
  if (third.kind === "opened") third.log.close();
});

test("The lock of a process that is gone, or whose number another one got, is taken over", async () => {
  const log = createLog(options());
  log.append(said("u1"));
  log.close();
  const gone = spawn(process.execPath, ["-e", ""]);
  await once(gone, "close");
  const lock = join(dir, "sessions", "s1.lock");
  for (const owner of [
    { pid: gone.pid, host: hostname(), started: "1" },
    { pid: process.pid, host: hostname(), started: "1" },
    "nonsense",
  ]) {
    writeFileSync(lock, JSON.stringify(owner));
    const again = continueLog(options());
    expect(again.kind).toBe("opened");
    if (again.kind === "opened") again.log.close();
  }
  expect(readdirSync(join(dir, "sessions"))).toEqual(["s1.jsonl"]);
});

test("A session held on another machine is busy", () => {
  const log = createLog(options());
  log.append(said("u1"));
  log.close();
  const owner = { pid: 1, host: `${hostname()}-other`, started: "1" };
  writeFileSync(join(dir, "sessions", "s1.lock"), JSON.stringify(owner));
  expect(continueLog(options())).toEqual({ kind: "busy", owner });
});

/** A disk that takes only so many bytes, half a line if need be. */
function smallDisk(): LogDisk & { room: number; content: string; writes: number } {
  const bytes: Buffer[] = [];
  return {
    room: 0,
    writes: 0,
    get content() {
      return Buffer.concat(bytes).toString();
    },
    open: () => 7,
    write(_handle, chunk) {
      this.writes++;
      if (this.room === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      const taken = Math.min(this.room, chunk.length);
      this.room -= taken;
      bytes.push(Buffer.from(chunk.subarray(0, taken)));
      return taken;
    },
    sync: () => {},
    close: () => {},
  };
}

test("The medium is waited for once for what was written, and not again when nothing came", () => {
  const disk = smallDisk();
  disk.room = 1_000_000;
  const synced: number[] = [];
  disk.sync = () => synced.push(disk.content.length);
  const log = createLog(options({ disk }));
  log.append(said("u1"));
  log.flush();
  const first = disk.content.length;
  log.flush();
  log.append(said("u2"));
  log.flush();
  const second = disk.content.length;
  log.close();
  expect(synced).toEqual([first, second]);
});

test("A full disk gives one warning, and everything in order once there is room again", () => {
  const disk = smallDisk();
  disk.room = 150;
  const log = createLog(options({ disk }));
  log.append(said("u1"));
  for (let n = 0; n < 50; n++) log.append(delta(`${n} `));
  log.append(said("u2"));
  log.flush();
  expect(warnings).toEqual([
    `The session is not being saved: ${file()}: the disk is full. The conversation goes on; saving is tried again.`,
  ]);
  expect(disk.content.length).toBe(150);
  expect(disk.writes).toBeLessThan(10);
  disk.room = 1_000_000;
  log.append(said("u3"));
  const lines = disk.content
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    header,
    said("u1"),
    ...Array.from({ length: 50 }, (_, n) => delta(`${n} `)),
    said("u2"),
    said("u3"),
  ]);
  disk.room = 0;
  log.append(said("u4"));
  expect(warnings).toHaveLength(2);
});

test("What does not fit into memory either is counted, and said when the disk is back", () => {
  const disk = smallDisk();
  const log = createLog(options({ disk, maxPending: 300 }));
  log.append(said("u1"));
  for (let n = 0; n < 40; n++) log.append(delta("0123456789"));
  disk.room = 1_000_000;
  log.flush();
  const lines = disk.content
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as SessionRecord);
  const deltas = lines.filter(({ type }) => type === "reply-delta").length;
  expect(lines.at(-1)).toEqual({ type: "lost", records: 40 - deltas });
  expect(deltas).toBeGreaterThan(0);
  expect(deltas).toBeLessThan(40);
});

test("A folder that cannot be made is one warning, not an end", () => {
  writeFileSync(join(dir, "sessions"), "a file is in the way");
  const log = createLog(options());
  log.append(said("u1"));
  log.append({ type: "message", message: reply("a1", "hello") });
  log.flush();
  log.close();
  expect(warnings).toHaveLength(1);
});
