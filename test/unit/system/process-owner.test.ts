import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isRunning, processOwner } from "../../../src/system/process-owner.ts";

test("this process runs", () => {
  expect(isRunning(processOwner())).toBe(true);
});

test("a process with this id that started at another time is another process", () => {
  expect(isRunning({ pid: process.pid, started: "1" })).toBe(false);
});

test("a process that ended runs no more", async () => {
  const child = spawn("sleep", ["60"]);
  const owner = processOwner(child.pid!);
  expect(isRunning(owner)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isRunning(owner)).toBe(false);
});

test.runIf(process.platform === "linux")("a dead process that its parent has not collected runs no more", async () => {
  // The shell becomes a sleep that never waits for the child it had started: that one stays behind as a zombie.
  const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"]);
  const [line] = await once(parent.stdout, "data");
  const pid = Number(String(line));
  const state = () => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.[0];
  await expect.poll(state, { timeout: 5_000 }).toBe("Z");
  expect(isRunning({ pid })).toBe(false);
  parent.kill("SIGKILL");
});
