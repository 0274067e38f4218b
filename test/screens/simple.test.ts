import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PtyScreen } from "../helpers/pty.ts";
import { trackedPty } from "../helpers/screens.ts";

let folder: string;
let program: string;
const pty = trackedPty();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aura-simple-"));
  program = join(folder, "program.mjs");
  const entry = new URL("../helpers/simple-program.ts", import.meta.url).pathname;
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: "node", format: "esm" });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Face = "accessible" | "simple";
const PROMPT: Readonly<Record<Face, string>> = { accessible: "> ", simple: "high • scripted • 0% > " };

async function start(face: Face, env: Record<string, string> = {}): Promise<PtyScreen> {
  const screen = pty(process.execPath, [program], { columns: 80, rows: 24, env: { FACE: face, ...env } });
  await screen.until((grid) => grid.split("\n").some((row) => row === PROMPT[face].trimEnd()));
  return screen;
}

/** The rows from the one that begins with `from`, without empty ones at the end. */
function rowsFrom(screen: PtyScreen, from: string): string[] {
  const rows = screen.text().trimEnd().split("\n");
  return rows.slice(rows.findIndex((row) => row.startsWith(from)));
}

test("the accessible face writes no escape sequence and moves nothing", async () => {
  const screen = await start("accessible", { TERM: "dumb" });
  screen.type("hellp\x7fo\r");
  await screen.shows("Ready.");
  screen.type("nasty\r");
  await screen.shows("Warning: careful red");
  screen.type("approve\r");
  await screen.shows("Your answer:");
  screen.type("1\r");
  await screen.shows('answer {"allow":true,"scope":"once"}');
  screen.type("\x04");
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.raw()).not.toMatch(/\x1b|\x9b/);
  expect(screen.raw().replaceAll("\r\n", "\n").replaceAll("\b \b", "<")).toBe(
    [
      "aura, a test",
      "Agent high, model scripted from demo.",
      "Type a request and Enter, or /help. Ctrl+C cancels, Ctrl+D leaves. /output reads the last tool's output.",
      "> hellp<o",
      "Working.",
      "Aura: Hello there.",
      "Nice to see you.",
      "All good.",
      "Ready.",
      "\x07> nasty",
      "Working.",
      "Aura: before after red  end",
      "Warning: careful red",
      "Ready.",
      "\x07> approve",
      "Working.",
      "\x07Approval needed for Patch: src/list.ts",
      "Changes files by a patch",
      "File src/list.ts: 1 line removed, 1 added.",
      "Line 2 removed: old",
      "Line 2 added: new",
      "Asked because of rule Patch (project, config/rules/ask.yaml:3).",
      "1 allow this call",
      "2 allow Patch:/project/src/* until this session ends",
      "3 always allow Patch:/project/src/* in this project",
      "4 always allow Patch:/project/src/* everywhere",
      "5 deny; words behind it are told to the model",
      "? why this is asked, and what each answer covers",
      "Your answer: 1",
      "Allowed once.",
      'answer {"allow":true,"scope":"once"}',
      "Ready.",
      "\x07> ",
      "resume with: aura --resume s1",
      "",
    ].join("\n"),
  );
});

describe.each(["accessible", "simple"] as const)("the %s face", (face) => {
  const confirm = face === "accessible" ? "Your answer:" : "confirm>";

  test("takes what is unknown for a denial, and tells the model the words behind one", async () => {
    const screen = await start(face);
    screen.type("approve\r");
    await screen.shows(confirm);
    screen.type("sure\r");
    await screen.shows('answer {"allow":false}');
    screen.type("approve\r");
    await screen.until((grid) => grid.split(confirm).length === 3);
    screen.type("no, use sed\r");
    await screen.shows('answer {"allow":false,"feedback":"use sed"}');
  });

  test("keeps a half-typed prompt while a question is answered", async () => {
    const screen = await start(face);
    // Typed before the question can have been noticed.
    screen.type("approve\r");
    screen.type("yes to th");
    await screen.shows(confirm);
    screen.type("2\r");
    await screen.shows('answer {"allow":true,"scope":"session"}');
    screen.type("e draft\r");
    await screen.shows('got "yes to the draft"');
  });

  test("does not show a secret while it is typed", async () => {
    const screen = await start(face);
    screen.type("secret\r");
    await screen.shows(face === "accessible" ? "Your answer:" : "answer>");
    screen.type("hunter2\r");
    await screen.shows('answer [["hunter2"]]');
    expect(screen.raw().split("hunter2")).toHaveLength(2);
  });

  test("cancels with Ctrl+C, then asks before it leaves", async () => {
    const screen = await start(face);
    screen.type("wait\r");
    await screen.until((grid) => !grid.trimEnd().endsWith(PROMPT[face].trimEnd()));
    screen.type("draft\x03");
    screen.type("\x03");
    await screen.shows("intent cancel");
    screen.type("\x03");
    await screen.shows("Press Ctrl+C again to leave.");
    screen.type("\x03");
    expect(await screen.exit).toMatchObject({ exitCode: 0 });
    expect(screen.text().trimEnd().split("\n").at(-1)).toBe("resume with: aura --resume s1");
  });

  test("waits for Enter after a paste of several lines, and goes on after a backslash", async () => {
    const screen = await start(face);
    screen.type("one\rtwo\rthr");
    await screen.shows("(2 lines pasted; Enter sends them, Ctrl+C drops them)");
    screen.type("ee\r");
    await screen.shows(String.raw`got "one\ntwo\nthree"`);
    screen.type("four\\\r");
    await screen.until((grid) => grid.trimEnd().endsWith("..."));
    screen.type("five\r");
    await screen.shows(String.raw`got "four\nfive"`);
  });

  test("brings history back with its line breaks, and remembers no answers", async () => {
    const historyFile = join(folder, `history-${face}`);
    const first = await start(face, { HISTORY_FILE: historyFile });
    first.type("C:\\new\\\r");
    await first.shows("...");
    first.type("second\r");
    await first.shows("got");
    first.type("pick\r");
    await first.shows("2 large");
    await first.until((grid) => /(?:name:|pick>)$/.test(grid.trimEnd()));
    first.type("2\r");
    await first.shows('answer "large"');
    first.type("\x04");
    await first.exit;
    expect(await readFile(historyFile, "utf8")).toBe("C:\\\\new\\nsecond\npick\n");
    const again = await start(face, { HISTORY_FILE: historyFile });
    again.type("\x1b[A");
    await again.shows("> pick");
    again.type("\x1b[A");
    await again.shows("C:\\new");
    again.type("\r");
    await again.shows(String.raw`got "C:\\new\nsecond"`);
  });

  test("completes with Tab and lists what it cannot decide", async () => {
    const screen = await start(face);
    screen.type("/th");
    await screen.shows("/th");
    screen.type("\t");
    await screen.shows("/think");
    screen.type("\r");
    await screen.shows("ran /think");
    screen.type("/t");
    await screen.until((grid) => grid.trimEnd().endsWith("/t"));
    screen.type("\t");
    await screen.until((grid) => grid.includes("/tools"));
  });
});

test("the simple face writes what comes above the line that is being typed", async () => {
  const screen = await start("simple", { NO_COLOR: "1" });
  screen.type("wait\r");
  await screen.shows("(working) >");
  const long = "a draft that is so long that it wraps around the end of the eighty columns of this terminal";
  screen.type(long);
  await screen.shows("terminal");
  screen.type("\x15more\r");
  await screen.shows("And the end.");
  screen.type(`\x15${long}`);
  await screen.until((grid) => /0% > a draft[\s\S]*this terminal/.test(grid));
  expect(rowsFrom(screen, "aura, a test")).toEqual([
    "aura, a test",
    "high • scripted • think: off • demo • tokens: 0/131k (0%)",
    "enter sends • \\ at the end goes on • tab completes • ctrl+c cancels • ctrl+d lea",
    "ves • /help • /output",
    "high • scripted • 0% > wait",
    "(working) > more",
    "Aura: One more sentence. And the end.",
    "high • scripted • 0% > a draft that is so long that it wraps around the end of t",
    "he eighty columns of this terminal",
  ]);
});

test("the simple face colours little, and nothing with NO_COLOR", async () => {
  const coloured = await start("simple");
  coloured.type("nasty\r");
  await coloured.shows("Warning: careful red");
  expect(coloured.raw()).toContain("\x1b[33mWarning: careful red\x1b[m");
  const plain = await start("simple", { NO_COLOR: "1" });
  plain.type("nasty\r");
  await plain.shows("Warning: careful red");
  expect(plain.raw()).not.toMatch(/\x1b\[[\d;]*m/);
  expect(`${coloured.raw()}${plain.raw()}`).not.toMatch(/owned|\x1b\[2J|\x1b\[31m/);
});

test.each(["accessible", "simple"] as const)(
  "Ctrl+Z gives the shell its terminal, fg goes on with the %s face",
  async (face) => {
    const screen = pty("bash", ["--norc", "-i"], { env: { FACE: face } });
    screen.type(`'${process.execPath}' '${program}'\r`);
    await screen.until((grid) => grid.split("\n").some((row) => row === PROMPT[face].trimEnd()));
    screen.type("draft");
    await screen.shows("> draft");
    screen.type("\x1a");
    await screen.shows("Stopped");
    screen.type("echo in the $((1+1))nd place\r");
    await screen.shows("in the 2nd place");
    screen.type("fg\r");
    await screen.until((grid) => grid.trimEnd().endsWith("> draft"));
    screen.type(" two\r");
    await screen.shows('got "draft two"');
  },
);
