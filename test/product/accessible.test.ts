import { afterEach, beforeEach, expect, test } from "vitest";
import { openPty, type PtyScreen } from "../helpers/pty.ts";
import { AURA, createMachine, type Machine, NODE } from "./aura.ts";

let machine: Machine;
let screen: PtyScreen | undefined;
beforeEach(() => {
  machine = createMachine();
  machine.put({ "notes.md": "one\ntwo\n" });
});
afterEach(() => {
  screen?.kill("SIGKILL");
  machine.remove();
});

const PATCH = {
  tool: "Patch",
  input: { patch: "*** Begin Patch\n*** Update File: notes.md\n one\n-two\n+three\n*** End Patch" },
};
const TURNS = [
  { calls: [{ tool: "Read", input: { path: "notes.md" } }] },
  { text: "I change it.", calls: [PATCH] },
  { text: "Done. It says three." },
];

test.each([
  ["--accessible", ["--accessible"], {}],
  ["ACCESSIBLE=1", [], { ACCESSIBLE: "1" }],
  ["AURA_ACCESSIBLE=1", [], { AURA_ACCESSIBLE: "1" }],
  ["TERM=dumb", [], { TERM: "dumb" }],
])(
  "with %s a patch is told in words, allowed by its number and applied, without one escape sequence",
  async (_, flags, env) => {
    // A shell sets TERM, because the pseudo-terminal names its own.
    const { TERM = "xterm-256color", ...rest } = env as Record<string, string>;
    const start = ["-c", 'TERM="$1"; export TERM; shift; exec "$@"', "sh", TERM, NODE, AURA];
    screen = openPty("/bin/sh", [...start, ...flags, ...machine.script(TURNS)], {
      columns: 80,
      rows: 24,
      cwd: machine.project,
      env: { ...machine.env, ...rest },
    });
    await screen.until((grid) => grid.trimEnd().endsWith("\n>"));
    screen.type("change two to three\r");
    await screen.until((grid) => grid.trimEnd().endsWith("Your answer:"));
    expect(machine.files()).toEqual({ "notes.md": "one\ntwo\n" });
    screen.type("1\r");
    await screen.shows("Ready.");
    expect(machine.files()).toEqual({ "notes.md": "one\nthree\n" });
    screen.type("/exit\r");
    expect(await screen.exit).toMatchObject({ exitCode: 0 });

    expect(screen.raw()).not.toMatch(/[\x1b\x9b]/);
    const told = screen.raw().replaceAll("\x07", "").split("\r\n");
    const from = told.indexOf("> change two to three");
    const lines = told.slice(from).map((line) => line.replace(/\d+ ms/, "5 ms"));
    expect(lines.slice(0, 11)).toEqual([
      "> change two to three",
      "Working.",
      "Tool Read started: notes.md",
      "Tool Read finished in 5 ms, 3 lines",
      "Aura: I change it.",
      "Approval needed for Patch: notes.md",
      "Adds, updates, moves and deletes files: every operation of the patch, or none.",
      "File notes.md: 1 line removed, 1 added.",
      "Line 2 removed: two",
      "Line 2 added: three",
      "Asked because of rule Patch (built-in).",
    ]);
    const answered = lines.slice(lines.indexOf("Your answer: 1"));
    expect(answered.filter((line) => !line.startsWith(">") && line !== "")).toEqual([
      "Your answer: 1",
      "Allowed once.",
      "Tool Patch started: notes.md",
      "Tool Patch finished in 5 ms, 2 lines",
      "Aura: Done.",
      "It says three.",
      "Ready.",
      expect.stringMatching(/^Go on with: aura --resume /),
    ]);
  },
);

test("--simple reads a pipe line by line: a prompt, then its answer", async () => {
  const { code, stdout } = await machine.run(["--simple", ...machine.script(TURNS)], {
    input: "change it\nmaybe\n",
  });
  expect(code).toBe(0);
  expect(stdout).toContain("-two\n+three\n? Confirm Patch: notes.md\n");
  expect(stdout).toContain('confirm> maybe\nDenied: "maybe" is no choice.\nTool Patch denied by you\n');
  expect(machine.files()).toEqual({ "notes.md": "one\ntwo\n" });
});

test("the demo has both faces, and a pipe answers it", async () => {
  const { code, stdout } = await machine.run(["--accessible", "demo"], { input: "1\n1\n1\n" });
  expect(code).toBe(0);
  expect(stdout).toContain("File src/split.js: 1 line removed, 2 added.\n");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("Ready.");
});
