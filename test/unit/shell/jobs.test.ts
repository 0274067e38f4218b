import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHostShell, type HostShell } from "../../../src/shell/host-shell.ts";
import { createJobs, type Job, type Jobs } from "../../../src/shell/jobs.ts";
import { isRunning } from "../../helpers/processes.ts";

let cwd: string;
let shell: HostShell;
let jobs: Jobs;
let told: string[];
const never = new AbortController().signal;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "aura-jobs-"));
  shell = createHostShell({ env: process.env });
  told = [];
  jobs = createJobs({ now: () => 1000, changed: ({ id, state }: Job) => told.push(`${id} ${state.kind}`) });
});
afterEach(async () => {
  await jobs.close();
  await shell.close();
  rmSync(cwd, { recursive: true });
});

const start = (command: string, timeoutMs = 0) => jobs.start(command, { cwd, timeoutMs, shell });
const ended = (id: string) => jobs.settled(id, "ended", 10_000, never);

test("a job is started at once, read piece by piece, and told when it ends", async () => {
  const job = start("echo one; sleep 0.05; echo two >&2; exit 4");
  expect(job).toEqual({ id: "b1", command: job.command, cwd, startedAt: 1000, state: { kind: "running" } });
  expect(jobs.running).toBe(1);
  await jobs.settled("b1", "news", 10_000, never);
  expect(jobs.read("b1")?.text).toMatch(/^one\n/);
  await ended("b1");
  expect(jobs.find("b1")?.state).toEqual({ kind: "exited", code: 4 });
  expect(jobs.show("b1")?.text).toBe("one\ntwo\n");
  jobs.read("b1");
  expect(jobs.read("b1")).toMatchObject({ text: "", lost: 0 });
  expect(told).toEqual(["b1 running", "b1 exited"]);
  expect(jobs.running).toBe(0);
});

test("stop ends it with all it started; a second stop has nothing to do", async () => {
  start("echo $$; sleep 630 & echo $!; wait");
  while ((jobs.show("b1")?.text.trim().split("\n").length ?? 0) < 2) await jobs.settled("b1", "ended", 5, never);
  const pids = jobs.show("b1")!.text.trim().split("\n").map(Number);
  expect(pids.filter(isRunning)).toHaveLength(2);
  expect(await jobs.stop("b1")).toBe(true);
  expect(pids.filter(isRunning)).toEqual([]);
  expect(jobs.find("b1")?.state).toEqual({ kind: "ended", why: "stopped" });
  expect(await jobs.stop("b1")).toBe(false);
  expect(await jobs.stop("b5")).toBe(false);
});

test("the newest output is kept, and what was lost is counted", async () => {
  start("head -c 1000000 /dev/zero | tr '\\0' x; echo end");
  await ended("b1");
  const output = jobs.read("b1")!;
  expect(output.text.length).toBe(256 * 1024);
  expect(output.text.endsWith("xend\n")).toBe(true);
  expect(output.lost).toBe(1_000_004 - 256 * 1024);
});

test("what writes without end is ended", async () => {
  start("yes");
  await ended("b1");
  expect(jobs.find("b1")?.state).toEqual({ kind: "ended", why: "it wrote more than 64 MiB" });
});

test("its own time limit, a wrong script and a missing folder are told", async () => {
  start("sleep 631", 50);
  start("echo )");
  jobs.start("true", { cwd: join(cwd, "no"), timeoutMs: 0, shell });
  for (const id of ["b1", "b2", "b3"]) await ended(id);
  expect(jobs.all.map(({ state }) => state)).toEqual([
    { kind: "ended", why: "its time was over" },
    { kind: "ended", why: "bash could not read it" },
    { kind: "ended", why: `cannot run in ${join(cwd, "no")}: no such directory` },
  ]);
  expect(jobs.show("b2")?.text).toMatch(/^syntax error: line 1: [^\n]*\nline 1: `echo \)'\n$/);
});

test("only so many run at once, and close ends them all", async () => {
  for (let at = 0; at < 16; at++) start("sleep 632");
  expect(() => start("sleep 632")).toThrow("16 commands run in the background already");
  await jobs.close();
  expect(jobs.running).toBe(0);
  expect(new Set(jobs.all.map(({ state }) => (state.kind === "ended" ? state.why : state.kind)))).toEqual(
    new Set(["ended with the session"]),
  );
});

test("waiting ends with the signal", async () => {
  start("sleep 633");
  const stop = new AbortController();
  const waiting = jobs.settled("b1", "ended", 10_000, stop.signal);
  stop.abort();
  await waiting;
  expect(jobs.find("b1")?.state.kind).toBe("running");
});
