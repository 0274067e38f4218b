// Servers as a person has them: nothing waits for one, and none outlives us.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { RUDE } from "../helpers/mcp.ts";
import { isRunning, until, untilGone } from "../helpers/processes.ts";
import { createMachine, type Machine, NODE } from "./aura.ts";

const machines: Machine[] = [];
afterEach(() => {
  for (const machine of machines.splice(0)) machine.remove();
});

/** A machine whose person has these servers, each a manner of the rude one. */
function machineWith(servers: Readonly<Record<string, string>>, more = "") {
  const machine = createMachine();
  machines.push(machine);
  const log = join(machine.root, "pids");
  const definitions = Object.entries(servers).map(
    ([name, manner]) =>
      `${name}: { command: "${NODE}", args: ["${RUDE}", ${manner}], env: { RUDE_LOG: "${log}" }${more} }\n`,
  );
  machine.put({ ".aura/config/mcp/servers.yaml": definitions.join("") });
  const pids = () => {
    try {
      return readFileSync(log, "utf8").trim().split("\n").map(Number);
    } catch {
      return [];
    }
  };
  return { machine, pids };
}

test("a hanging server holds up nobody, and the next run does not wait for it again; its neighbour works", async () => {
  const { machine, pids } = machineWith({ good: "polite", hangs: "silent" });
  const play = machine.script([{ calls: [{ tool: "mcp__good__echo", input: { text: "hi" } }] }, { text: "done" }]);
  const flags = ["--trust", ...play, "run", "--output-format", "stream-json", "go"];
  const first = await machine.run(flags);
  expect(first.stdout).toContain("echo: hi");
  const started = pids().length;
  const second = await machine.run(flags);
  expect(second.stdout).toContain("echo: hi");
  expect(pids()).toHaveLength(started + 1);
});

test("no server outlives a run, however deaf it is", async () => {
  const { machine, pids } = machineWith({ good: "polite" });
  const play = machine.script([{ calls: [{ tool: "mcp__good__echo", input: { text: "hi" } }] }, { text: "done" }]);
  expect((await machine.run(["--trust", ...play, "run", "go"])).code).toBe(0);
  expect(pids().length).toBeGreaterThan(0);
  expect(pids().filter(isRunning)).toEqual([]);
});

test("no server outlives a SIGKILL of ours", async () => {
  const { machine, pids } = machineWith({ deaf: "deaf" });
  const play = machine.script([{ calls: [{ tool: "mcp__deaf__hang", input: {} }] }, { text: "done" }]);
  const running = machine.start(["--trust", ...play, "run", "--output-format", "stream-json", "go"]);
  await running.shows('"status":"running"');
  await until(() => pids().length > 0, "the server runs");
  running.child.kill("SIGKILL");
  await running.ended;
  await untilGone(pids());
});

test.runIf(process.platform === "linux")(
  "what a server hid from its group and its environment ends with us",
  async () => {
    const { machine, pids } = machineWith({});
    const log = join(machine.root, "pids");
    const daemon = `setsid -f env -i sh -c 'echo $$ >>${log}; exec sleep 647'; RUDE_LOG=${log} exec ${NODE} ${RUDE} deaf`;
    machine.put({
      ".aura/config/mcp/servers.yaml": `deaf: ${JSON.stringify({ command: "sh", args: ["-c", daemon] })}\n`,
    });
    const play = machine.script([{ calls: [{ tool: "mcp__deaf__hang", input: {} }] }, { text: "done" }]);
    const running = machine.start(["--trust", ...play, "run", "--output-format", "stream-json", "go"]);
    await running.shows('"status":"running"');
    await until(() => pids().length > 1, "the server and what it hid run");
    const all = pids();
    running.child.kill("SIGKILL");
    await running.ended;
    await untilGone(all);
  },
);

test("servers of a project nobody trusts are not started", async () => {
  const { machine, pids } = machineWith({ good: "polite" });
  const play = machine.script([{ calls: [{ tool: "mcp__good__echo", input: { text: "hi" } }] }, { text: "done" }]);
  const run = await machine.run([...play, "run", "--output-format", "stream-json", "go"]);
  expect(run.stdout).toContain("not trusted: it comes with a project that nobody trusts yet");
  expect(pids()).toEqual([]);
});

test("--exclude-mcps leaves a server out, and its environment name does too", async () => {
  const { machine, pids } = machineWith({ good: "polite" });
  const play = machine.script([{ text: "done" }]);
  await machine.run(["--trust", "--exclude-mcps", "go*", ...play, "run", "--with-mcp", "go"]);
  await machine.run(["--trust", ...play, "run", "--with-mcp", "go"], { env: { AURA_INCLUDE_MCPS: "other" } });
  expect(pids()).toEqual([]);
  await machine.run(["--trust", ...play, "run", "--with-mcp", "go"]);
  expect(pids()).toHaveLength(1);
});
