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

const PATCH = {
  tool: "Patch",
  input: { patch: "*** Begin Patch\n*** Update File: notes.md\n one\n-two\n+three\n*** End Patch" },
};

test("in a terminal a patch is shown, denied, shown again and allowed for the project", async () => {
  machine.put({ "notes.md": "one\ntwo\n" });
  const script = machine.script([
    { calls: [{ tool: "Read", input: { path: "notes.md" } }] },
    { text: "I would change it.", calls: [PATCH] },
    { expect: { contains: ["denied by user"] }, text: "As you wish." },
    { calls: [PATCH] },
    { text: "Changed." },
  ]);
  screen = openPty(NODE, [AURA, ...script], { columns: 80, rows: 24, cwd: machine.project, env: { ...machine.env } });
  await screen.shows("Type your message...");
  screen.type("change two to three\r");
  await screen.until((grid) => grid.includes("- two") && grid.includes("+ three") && grid.includes("[d] Deny"));
  expect(screen.rows().join("\n")).toContain("Confirm Patch");
  screen.type("d");
  await screen.shows("As you wish.");
  expect(machine.files()).toEqual({ "notes.md": "one\ntwo\n" });

  screen.type("do it after all\r");
  await screen.until((grid) => grid.includes("+ three") && grid.includes("[d] Deny"));
  screen.type("p");
  await screen.shows("Changed.");
  expect(machine.files()).toEqual({
    "notes.md": "one\nthree\n",
    ".aura/config/rules/approvals.yaml": `tool_auto:\n    - Patch:${machine.project}/notes.md\n`,
  });

  screen.type("/exit\r");
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  const [farewell] = screen.text().trimEnd().split("\n").slice(-1);
  const id = /^Go on with: aura --resume (\S+)$/.exec(farewell ?? "")?.[1];
  const resumed = await machine.run([
    ...machine.script([{ expect: { contains: ["Changed."] }, text: "Yes." }]),
    "--resume",
    id ?? "",
    "run",
    "still there?",
  ]);
  expect(resumed).toMatchObject({ code: 0, stdout: "Yes.\n" });
});

test("a screen that is killed in the middle of a reply leaves a session that goes on with what was said", async () => {
  const turns = [{ text: "A story without an end. ".repeat(200), chunk: 2, delay_ms: 5 }];
  screen = openPty(NODE, [AURA, ...machine.script(turns)], {
    columns: 80,
    rows: 24,
    cwd: machine.project,
    env: { ...machine.env },
  });
  await screen.shows("Type your message...");
  screen.type("tell me a story\r");
  await screen.shows("story without");
  screen.kill("SIGKILL");
  await screen.exit;
  const script = machine.script([{ expect: { contains: ["tell me a story", "A story without"] }, text: "The end." }]);
  expect(await machine.run([...script, "--continue", "run", "finish it"])).toMatchObject({
    code: 0,
    stdout: "The end.\n",
  });
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s while a dialog is open ends at once, runs nothing, and the session goes on",
  async (signal, exitCode) => {
    machine.put({ "keep.txt": "kept\n" });
    const turns = [{ calls: [{ tool: "Bash", input: { command: "rm keep.txt" } }] }, { text: "never said" }];
    screen = openPty(NODE, [AURA, ...machine.script(turns)], {
      columns: 80,
      rows: 24,
      cwd: machine.project,
      env: { ...machine.env },
    });
    await screen.shows("Type your message...");
    screen.type("tidy up\r");
    await screen.shows("Confirm Bash");
    screen.kill(signal);
    expect(await screen.exit).toMatchObject({ exitCode });
    expect(machine.files()["keep.txt"]).toBe("kept\n");
    const script = machine.script([{ expect: { contains: ["rm keep.txt", "not run: "] }, text: "As it was." }]);
    expect(await machine.run([...script, "--continue", "run", "and now"])).toMatchObject({ stdout: "As it was.\n" });
  },
);
