import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPty, type PtyScreen } from "../helpers/pty.ts";
import { AURA, createMachine, type Machine, NODE } from "./aura.ts";

let machine: Machine;
let screen: PtyScreen | undefined;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => {
  screen?.kill("SIGKILL");
  machine.remove();
});

const start = (...args: string[]) => {
  const script = machine.script([{ text: "Here I am again." }]);
  const where = { columns: 80, rows: 24, cwd: machine.project, env: { ...machine.env } };
  screen = openPty(NODE, [AURA, ...script, ...args], where);
  return screen;
};
const talk = (prompt: string, cwd: string) =>
  machine.run([...machine.script([{ text: "Answered." }]), "run", prompt], { cwd });

test("--resume without a session lets a person choose one, and asks a program which", async () => {
  await talk("the first story", machine.project);
  await talk("the second story", machine.project);
  const tui = start("--resume");
  await tui.until((grid) => grid.includes("the first story") && grid.includes("the second story"));
  tui.type("first");
  await tui.until((grid) => !grid.includes("the second story"));
  tui.type("\r");
  await tui.until((grid) => grid.includes("Resumed session") && grid.includes("Answered."));
  const asked = await machine.run(["--dry=noop", "--resume", "-p", "hi"]);
  expect(asked).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining('"aura sessions" lists them') });
});

test("-c in a folder without a session lets a person choose, and Esc begins a new one", async () => {
  const other = join(machine.root, "other");
  mkdirSync(other);
  await talk("elsewhere", other);
  const tui = start("-c");
  await tui.until((grid) => grid.includes("This folder has no session") && grid.includes("elsewhere"));
  tui.type("\x1b");
  await tui.shows("Type your message");
  tui.type("hello\r");
  await tui.shows("Here I am again.");
});

test("-c where nothing was ever saved begins a new session and says so", async () => {
  const tui = start("-c");
  await tui.shows("There is no saved session to go on with: this is a new one.");
  tui.type("hello\r");
  await tui.shows("Here I am again.");
});

test("the simple face prints the sessions and takes a number", async () => {
  await talk("the first story", machine.project);
  const tui = start("--resume", "--simple");
  await tui.shows("the first story");
  await tui.shows("pick>");
  tui.type("1\r");
  await tui.until((grid) => grid.includes("Resumed session") && grid.includes("Answered."));
});
