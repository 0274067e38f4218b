import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRunning, untilGone } from "../helpers/processes.ts";
import { AURA, createMachine, jsonLines, type Machine, NODE } from "./aura.ts";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

const HANG = { calls: [{ tool: "Bash", input: { command: "echo $$ > pid; echo hanging; exec sleep 600" } }] };
const pid = () => Number(readFileSync(join(machine.project, "pid"), "utf8"));

test("an answered prompt exits 0, with the answer alone on standard output", async () => {
  const { code, stdout, stderr } = await machine.run([...machine.script([{ text: "Forty-two." }]), "run", "why"]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "Forty-two.\n", stderr: "" });
});

test("a failed prompt exits 1, and the prompts after it are not asked", async () => {
  const turns = [{ error: { kind: "auth", message: "The key is no good." } }, { text: "never" }];
  const { code, stdout, stderr } = await machine.run([...machine.script(turns), "run", "one", "two"]);
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: "aura: The key is no good.\n" });
});

test("a turn that reaches its limit exits 2 and says which", async () => {
  const turns = [{ calls: [{ tool: "Ls", input: {} }] }];
  const args = ["--max-steps", "1", ...machine.script(turns, { loop: true }), "run", "go"];
  const { code, stderr } = await machine.run(args);
  expect({ code, last: stderr.trimEnd().split("\n").at(-1) }).toEqual({
    code: 2,
    last: "aura: maximum steps exceeded (1)",
  });
});

test("--timeout ends the run with 2, kills the command, and says so", async () => {
  const args = [...machine.script([HANG]), "run", "--timeout", "1s", "go"];
  const { code, stderr } = await machine.run(args);
  expect(code).toBe(2);
  expect(stderr).toContain("stopped: the time limit of 1000 ms is over");
  await untilGone([pid()]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s cancels the turn, kills the command and exits %d", async (signal, code) => {
  const running = machine.start([...machine.script([HANG]), "run", "go"]);
  await running.shows("  hanging");
  running.child.kill(signal);
  const ended = await running.ended;
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: "" });
  expect(ended.stderr).toContain("(cancelled)");
  await untilGone([pid()]);
});

test("a signal is heeded while standard input is still awaited", async () => {
  const running = machine.start([...machine.script([{ text: "x" }]), "run"], { openInput: true });
  // More than a pipe holds: once it is written, somebody has begun to read.
  await new Promise((resolve) => running.child.stdin!.write("x".repeat(300_000), resolve));
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
});

test("standard input alone is the prompt", async () => {
  const args = [...machine.script([{ expect: { contains: ["what is this"] }, text: "A pipe." }]), "run"];
  expect(await machine.run(args, { input: "what is this\n" })).toMatchObject({ code: 0, stdout: "A pipe.\n" });
});

test("a prompt may be piped in without a command", async () => {
  const args = machine.script([{ expect: { contains: ["what is this"] }, text: "A pipe." }]);
  expect(await machine.run(args, { input: "what is this" })).toMatchObject({ code: 0, stdout: "A pipe.\n" });
});

test("standard input beside an argument is added to it", async () => {
  const turns = [{ expect: { contains: ["review this\n\n<stdin>\n+ a line\n</stdin>"] }, text: "Fine." }];
  const ended = await machine.run([...machine.script(turns), "run", "review this"], { input: "+ a line\n" });
  expect(ended).toMatchObject({ code: 0, stdout: "Fine.\n" });
});

test("-p reads like run", async () => {
  expect(await machine.run([...machine.script([{ text: "Hi." }]), "-p", "hello"])).toMatchObject({
    code: 0,
    stdout: "Hi.\n",
    stderr: "",
  });
});

test("several prompts are turns of one session, and commands work between them", async () => {
  const turns = [
    { text: "One." },
    { expect: { contains: ["apple", "One."], tools: ["Read"], hides: ["Patch"] }, text: "Two." },
    { expect: { contains: ["cherry"], lacks: ["apple"] }, text: "Three." },
  ];
  const args = [...machine.script(turns), "run", "apple", "/mode plan", "banana", "/clear", "cherry"];
  expect(await machine.run(args)).toEqual({
    code: 0,
    signal: null,
    stdout: "One.\nSwitched to mode: plan\nTwo.\nConversation cleared.\nThree.\n",
    stderr: "",
  });
});

test("a command that fails exits 1, and /exit ends the run", async () => {
  const script = machine.script([{ text: "never" }]);
  expect(await machine.run([...script, "run", "/mode nothing", "x"])).toMatchObject({ code: 1, stdout: "" });
  expect(await machine.run([...script, "run", "/exit", "x"])).toMatchObject({ code: 0, stdout: "Exiting...\n" });
});

test("a reader that goes away ends the run quietly, with the command it waits for", async () => {
  const turns = [{ text: "abc".repeat(50_000), calls: HANG.calls }];
  const args = [...machine.script(turns), "run", "--output-format", "stream-json", "go"];
  const shell = `"${NODE}" "${AURA}" "$@" 2>err </dev/null | head -1; echo "\${PIPESTATUS[0]}" > status`;
  const child = spawn("bash", ["-c", shell, "bash", ...args], {
    cwd: machine.project,
    env: machine.env,
    stdio: "pipe",
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  await new Promise((resolve) => child.on("close", resolve));
  expect(jsonLines(stdout)).toMatchObject([{ type: "system", subtype: "init" }]);
  const { status, err } = machine.files();
  expect({ status, err }).toEqual({ status: "0\n", err: "" });
  if (existsSync(join(machine.project, "pid"))) expect(isRunning(pid())).toBe(false);
});

test("--approve none refuses what would ask and tells the model that nobody is there", async () => {
  const turns = [
    { calls: [{ tool: "Bash", input: { command: "touch made" } }] },
    { expect: { contains: ["nobody is here to approve it in this run"] }, text: "Not made." },
  ];
  const ended = await machine.run([...machine.script(turns), "run", "--approve", "none", "make it"]);
  expect(ended).toMatchObject({ code: 0, stdout: "Not made.\n" });
  expect(machine.files()).toEqual({});
});

test("--approve rules runs what a saved approval covers and refuses the rest; deny denies with all", async () => {
  machine.put(
    {
      "config/rules/approvals.yaml": "tool_auto:\n    - Bash:touch one*\n    - Bash:touch*\n",
      "config/features/t.yaml": "tools: { policy: { deny: ['Bash:* three*'] } }",
    },
    join(machine.home, ".aura"),
  );
  const turns = [
    {
      calls: [
        { tool: "Bash", input: { command: "touch one" } },
        { tool: "Bash", input: { command: "mkdir two" } },
        { tool: "Bash", input: { command: "touch three" } },
      ],
    },
    { text: "Done." },
  ];
  const run = (approve: string) => machine.run([...machine.script(turns), "run", "--approve", approve, "go"]);
  expect((await run("rules")).code).toBe(0);
  expect(existsSync(join(machine.project, "one"))).toBe(true);
  expect(existsSync(join(machine.project, "two"))).toBe(false);
  expect((await run("all")).code).toBe(0);
  expect(existsSync(join(machine.project, "two"))).toBe(true);
  expect(existsSync(join(machine.project, "three"))).toBe(false);
});
