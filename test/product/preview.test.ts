// What a person sees before they say yes: the dialog in a real terminal, for commands that really ran on a copy.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createProbe } from "../../src/sandbox/probe.ts";
import { openPty, type PtyScreen } from "../helpers/pty.ts";
import { AURA, createMachine, type Machine, NODE } from "./aura.ts";

const { found, failed } = await createProbe(process.env).trials();
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

/** Starts with a project and asks for commands in one reply; resolves when the first dialog is there. */
async function asked(commands: string | readonly string[], say = "Done.", env = {}): Promise<PtyScreen> {
  const calls = [commands].flat().map((command) => ({ tool: "Bash", input: { command } }));
  const script = machine.script([{ calls }, { text: say }]);
  const opened = openPty(NODE, [AURA, ...script], {
    columns: 100,
    rows: 44,
    cwd: machine.project,
    env: { ...machine.env, ...env },
  });
  screen = opened;
  await opened.shows("Type your message...");
  opened.type("go on\r");
  await opened.until((grid) => /\[d\] deny/i.test(grid), 15_000);
  return opened;
}
const shown = () => screen!.rows().join("\n");
const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd: machine.project,
    encoding: "utf8",
  });
const trialFolders = () => {
  const folder = join(machine.home, ".local/state/aura/trials");
  return existsSync(folder) ? readdirSync(folder) : [];
};

test.skipIf(!found)(
  `npm run codegen && git add -A shows the generated files and stages exactly them${where}`,
  async () => {
    machine.put({
      "package.json": '{"name":"demo","version":"1.0.0","scripts":{"codegen":"node gen.js"}}',
      "gen.js":
        'const fs = require("fs"); fs.mkdirSync("gen"); fs.writeFileSync("gen/a.ts", "export const id = " + Date.now() + ";\\n"); console.log("generated 1 file");',
    });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "one");
    await asked("npm run codegen && git add -A");
    expect(shown()).toMatch(/Tried on a copy: it changes 1 path/);
    expect(shown()).toMatch(/new gen\/a\.ts {2}\+1 -0/);
    expect(shown()).toMatch(/in \.git: what is staged and 1 new objects?/);
    expect(shown()).toContain("generated 1 file");
    const [line] = /export const id = \d+;/.exec(shown()) ?? [];
    expect(existsSync(join(machine.project, "gen"))).toBe(false);
    expect(git("status", "--porcelain")).toBe("");
    screen!.type("a");
    await screen!.shows("Done.");
    expect(machine.files()["gen/a.ts"]).toBe(`${line}\n`);
    expect(git("status", "--porcelain")).toBe("A  gen/a.ts\n");
    expect(trialFolders()).toEqual([]);
  },
);

test.skipIf(!found)(`sed -i shows the lines it changes${where}`, async () => {
  machine.put({ "a.txt": "one\ntwo\n" });
  await asked("sed -i s/two/three/ a.txt");
  expect(shown()).toMatch(/changed a\.txt {2}\+1 -1/);
  expect(shown()).toMatch(/- two[\s\S]*\+ three/);
  screen!.type("a");
  await screen!.shows("Done.");
  expect(machine.files()).toEqual({ "a.txt": "one\nthree\n" });
});

test.skipIf(!found)(`rm -r shows a large folder by its name and how much goes with it${where}`, async () => {
  machine.put({ keep: "k", ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`build/f${at}`, "x"])) });
  await asked("rm -r build");
  expect(shown()).toContain("deleted build/");
  expect(shown()).toContain("build/ goes with 30 files in it");
  screen!.type("a");
  await screen!.shows("Done.");
  expect(machine.files()).toEqual({ keep: "k" });
});

test.skipIf(!found)(`a denied command changed nothing and leaves nothing${where}`, async () => {
  machine.put({ "a.txt": "one\n" });
  await asked("echo more >> a.txt; touch b", "As you wish.");
  expect(shown()).toMatch(/changed a\.txt[\s\S]*new b/);
  screen!.type("d");
  await screen!.shows("As you wish.");
  expect(machine.files()).toEqual({ "a.txt": "one\n" });
  expect(trialFolders()).toEqual([]);
});

test.skipIf(!found)(`a file that changed meanwhile stops it, by its name${where}`, async () => {
  machine.put({ "a.txt": "one\n", "b.txt": "b\n" });
  await asked("sed -i s/one/two/ a.txt; sed -i s/b/c/ b.txt", "I see.");
  machine.put({ "b.txt": "mine\n" });
  screen!.type("a");
  await screen!.shows("I see.");
  expect(screen!.text().replace(/\s+/g, " ")).toContain(
    "b.txt changed after the command was tried, so nothing was done",
  );
  expect(machine.files()).toEqual({ "a.txt": "one\n", "b.txt": "mine\n" });
});

test.skipIf(!found)(`two commands of one reply both do what they showed, though both stage files${where}`, async () => {
  machine.put({ "a.txt": "a\n" });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "one");
  await asked(["echo 1 > n1 && git add n1", "echo 2 > n2 && git add n2"]);
  expect(shown()).toMatch(/new n1/);
  screen!.type("a");
  await screen!.until((grid) => /new n2/.test(grid) && /\[d\] deny/i.test(grid), 15_000);
  screen!.type("a");
  await screen!.shows("Done.");
  expect(git("status", "--porcelain")).toBe("A  n1\nA  n2\n");
  expect(trialFolders()).toEqual([]);
});

test.skipIf(!found)(
  `a command that uses a variable a trial does not have runs only after the yes${where}`,
  async () => {
    await asked(`echo "$STAGE_NAME" > stage`, "Done.", { STAGE_NAME: "green" });
    expect(shown()).toMatch(/Not tried beforehand: it uses STAGE_NAME/);
    screen!.type("a");
    await screen!.shows("Done.");
    expect(machine.files()).toEqual({ stage: "green\n" });
  },
);
