import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { untilGone } from "../helpers/processes.ts";
import { AURA, createMachine, type Machine } from "./aura.ts";

/** A Node of the machine that is too old for us; without one there is nothing to test here. */
const OLD = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .map((folder) => join(folder, "node"))
  .find((node) => existsSync(node) && isTooOld(node));

function isTooOld(node: string): boolean {
  const [major = 0, minor = 0] = execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" })
    .split(".")
    .map(Number);
  return major < 22 || (major === 22 && minor < 12);
}

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

test.skipIf(!OLD)("an older Node runs it again on the pinned one, with arguments, input and exit code", async () => {
  const turns = [{ expect: { contains: ["with spaces\n\n<stdin>\nand more\n</stdin>"] }, text: "Hi." }];
  const args = [...machine.script(turns), "run", "with spaces"];
  expect(await machine.run(args, { node: OLD!, input: "and more" })).toEqual({
    code: 0,
    signal: null,
    stdout: "Hi.\n",
    stderr: "",
  });
  expect((await machine.run(["--nonsense"], { node: OLD! })).code).toBe(2);
});

test.skipIf(!OLD).each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("under an older Node %s reaches the turn, and the exit code is %d", async (signal, code) => {
  const turns = [{ calls: [{ tool: "Bash", input: { command: "echo $$ > pid; echo hanging; exec sleep 600" } }] }];
  const running = machine.start([...machine.script(turns), "run", "go"], { node: OLD! });
  await running.shows("  hanging");
  running.child.kill(signal);
  expect(await running.ended).toMatchObject({ code, signal: null, stderr: expect.stringContaining("(cancelled)") });
  await untilGone([Number(machine.files()["pid"])]);
});

test.skipIf(!OLD)("--version needs no newer Node", async () => {
  expect(execFileSync(OLD!, [AURA, "--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("it starts through a link from anywhere", async () => {
  execFileSync("ln", ["-s", AURA, join(machine.root, "aura")]);
  const output = execFileSync(join(machine.root, "aura"), [...machine.script([{ text: "Linked." }]), "run", "hi"], {
    cwd: machine.project,
    env: machine.env,
    input: "",
    encoding: "utf8",
  });
  expect(output).toBe("Linked.\n");
});
