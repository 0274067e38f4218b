import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSession } from "../../src/sessions/read-session.ts";
import { until, untilGone } from "../helpers/processes.ts";
import { createMachine, jsonLines, type Machine } from "./aura.ts";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

const AGENTS = {
  ".aura/config/agents/main.md": "---\nname: Main\ndefault: true\n---\nI am main.",
  ".aura/config/agents/helper.md": "---\nname: Helper\nsubagent: true\n---\nI help.",
};
const task = (at: number) => ({ tool: "Task", input: { description: `part ${at}`, prompt: "work", agent: "Helper" } });
const WAIT = { calls: [{ tool: "Bash", input: { command: "echo $$ >> pids; exec sleep 100", timeout_ms: 90_000 } }] };

test("eight subagents at work are all stopped and settled by an interrupt, and no process is left", async () => {
  machine.put(AGENTS);
  const script = machine.script([{ calls: Array.from({ length: 8 }, (_, at) => task(at)) }, ...Array(8).fill(WAIT)]);
  const running = machine.start([...script, "--trust", "run", "--output-format", "stream-json", "go"]);
  const pids = () => (machine.files()["pids"] ?? "").trim().split("\n").filter(Boolean).map(Number);
  await until(() => pids().length === 8, "all eight run their command", 15_000);
  running.child.kill("SIGINT");
  const ended = await running.ended;
  expect(ended.code).toBe(130);
  await untilGone(pids());

  const sessions = join(machine.project, ".aura/sessions");
  const file = join(sessions, readdirSync(sessions).find((name) => name.endsWith(".jsonl")) ?? "");
  const states = new Map<string, string>();
  for (const record of jsonLines(readFileSync(file, "utf8")))
    if (record.type === "call") states.set(record.call.id, record.call.status);
  expect([...states.values()]).toEqual(Array(16).fill("cancelled"));
  const session = await readSession(file);
  expect(session.children.map(({ status, error }) => ({ status, error }))).toEqual(
    Array(8).fill({ status: "cancelled", error: "cancelled" }),
  );
  expect(session.warnings).toEqual([]);
});

test("a time limit ends a run whose subagent hangs", async () => {
  machine.put(AGENTS);
  const script = machine.script([{ calls: [task(1)] }, WAIT]);
  const ended = await machine.run([...script, "--trust", "run", "--timeout", "2s", "go"]);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("the time limit of 2000 ms is over") });
  await untilGone(readFileSync(join(machine.project, "pids"), "utf8").trim().split("\n").map(Number));
});
