import { afterEach, beforeEach, expect, test } from "vitest";
import { createProbe } from "../../src/sandbox/probe.ts";
import { openPty, type PtyScreen } from "../helpers/pty.ts";
import { AURA, createMachine, type Machine, NODE } from "./aura.ts";

const { found, failed } = await createProbe(process.env).confinement();
const where = found ? "" : ` (this machine cannot: ${failed.join("; ")})`;

let machine: Machine;
let screen: PtyScreen | undefined;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => {
  screen?.kill("SIGKILL");
  machine.remove();
});

test.skipIf(!found)(`a sandbox that is enforced is told apart before anything ran${where}`, async () => {
  const args = ["-O", "features.sandbox.enabled=true", ...machine.script([{ text: "Hello." }])];
  screen = openPty(NODE, [AURA, ...args], { columns: 100, rows: 30, cwd: machine.project, env: { ...machine.env } });
  await screen.shows("Type your message...");
  await screen.shows("🔒");
  expect(screen.rows().join("\n")).not.toContain("🔓");
});
