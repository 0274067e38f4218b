// After a SIGKILL of ours, a closed terminal or many Ctrl+C, no process we started is left.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until, untilGone } from "../helpers/processes.ts";
import { createMachine, type Machine } from "./aura.ts";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

const FILES = ["plain", "session", "daemon", "job"];
const SCRIPT = [
  "sleep 640 & echo $! >plain",
  "setsid sleep 641 & echo $! >session",
  "setsid -f env -i bash --norc -c 'echo $$ >daemon; exec sleep 642'",
  "trap '' INT TERM HUP; sleep 643",
].join("\n");

const pids = () => FILES.map((name) => Number(readFileSync(join(machine.project, name), "utf8")));

async function startAll() {
  const play = machine.script([
    { calls: [{ tool: "Bash", input: { command: "echo $$ >job; exec env -i sleep 644", run_in_background: true } }] },
    { calls: [{ tool: "Bash", input: { command: SCRIPT, timeout_ms: 60_000 } }] },
    { text: "done" },
  ]);
  const running = machine.start(["--auto-approve", ...play, "run", "go"]);
  await until(
    () => FILES.every((name) => existsSync(join(machine.project, name))) && pids().every((pid) => pid > 0),
    "all of them run",
    10_000,
  );
  return running;
}

test.runIf(process.platform === "linux").each([
  ["SIGKILL", ["SIGKILL"]],
  ["a closed terminal", ["SIGHUP"]],
  ["a storm of Ctrl+C", ["SIGINT", "SIGINT", "SIGINT", "SIGINT", "SIGINT", "SIGINT"]],
] as const)("nothing is left after %s", async (_, signals) => {
  const running = await startAll();
  const all = pids();
  for (const signal of signals) running.child.kill(signal);
  await running.ended;
  await untilGone(all);
  expect(new Set(all).size).toBe(FILES.length);
});

test("a run that ends by itself takes its background commands along", async () => {
  const play = machine.script([
    { calls: [{ tool: "Bash", input: { command: "echo $$ >job; exec env -i sleep 645", run_in_background: true } }] },
    { text: "done" },
  ]);
  const { code, stdout } = await machine.run(["--auto-approve", ...play, "run", "go"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
  await untilGone([Number(readFileSync(join(machine.project, "job"), "utf8"))]);
});
