import { describe, expect, test } from "vitest";
import { ask, tuiScreens } from "../helpers/screens.ts";

const { start, pty, program } = tuiScreens("high");

/** All of it: its first words may be on the screen before the rest has arrived. */
const FAREWELL = "resume with: aura --resume s1";

/** The one box there is reaches from border to border, with the prompt in it. */
function isWhole(grid: string, columns: number): boolean {
  const rows = grid.split("\n");
  const tops = rows.filter((row) => row.startsWith("╭"));
  const bottoms = rows.filter((row) => row.startsWith("╰"));
  return (
    tops.join() === `╭${"─".repeat(columns - 2)}╮` &&
    bottoms.join() === `╰${"─".repeat(columns - 2)}╯` &&
    rows.filter((row) => row.startsWith("│")).every((row) => row.length === columns && row.endsWith("│"))
  );
}

const SIZES: readonly (readonly [number, number])[] = [
  [20, 5],
  [300, 100],
  [40, 12],
  [120, 8],
  [25, 40],
  [81, 24],
  [80, 23],
  [20, 6],
  [100, 30],
];

describe.each([["inline"], ["fullscreen"]])("%s", (place) => {
  const env: Record<string, string> = place === "inline" ? {} : { FULLSCREEN: "mouse" };

  test.each(SIZES)("at %d by %d there is a prompt to type in", async (columns, rows) => {
    const screen = await start(columns, rows, env);
    screen.type("hi");
    await screen.until((grid) => grid.includes("│ hi") && isWhole(grid, columns));
    expect(screen.rows()[screen.cursor().row]?.slice(0, screen.cursor().column)).toBe("│ hi");
  });

  test("a storm of sizes leaves a correct screen", async () => {
    const screen = await start(80, 24, env);
    await ask(screen, "markdown", "The end.");
    screen.type("draft");
    await screen.shows("│ draft");
    for (let round = 0; round < 3; round++) for (const [columns, rows] of SIZES) screen.resize(columns, rows);
    for (const [columns, rows] of [...SIZES, [80, 24] as const]) {
      screen.resize(columns, rows);
      await screen.until((grid) => grid.includes("│ draft") && isWhole(grid, columns));
    }
    await screen.until((grid) => grid.includes("• two") && grid.includes("The end."));
  });

  test("a storm of sizes while a reply streams loses no word of it", async () => {
    const screen = await start(80, 24, { ...env, STREAM: "150,2,paragraphs" });
    screen.type("stream\r");
    await screen.shows("writing");
    for (const [columns, rows] of [...SIZES, ...SIZES, [90, 24] as const]) {
      screen.resize(columns, rows);
      // The storm is spread over the reply.
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    await screen.until((grid) => grid.includes("END-OF-STREAM") && !grid.includes("writing") && isWhole(grid, 90));
  });

  test("what runs under a call stands below it, indented, while other calls wait", async () => {
    const screen = await start(80, 24, env);
    await ask(screen, "batch", '{"n":"q"}');
    const rows = screen.rows().map((row) => row.replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, "*"));
    const from = rows.findIndex((row) => row.includes('{"n":"p"}'));
    expect(rows.slice(from, from + 5)).toEqual([
      '* [Tool: Batch] {"n":"p"}',
      '  ✓ [Tool: Read] {"n":"p/1"}',
      "    → one",
      '  * [Tool: Rg] {"n":"p/2"}',
      '○ [Tool: Bash] {"n":"q"}',
    ]);
  });

  test("a child of a child stands below it, and many children are counted", async () => {
    const screen = await start(80, 30, env);
    await ask(screen, "deep", "I look at the parser first.");
    const rows = screen.rows().map((row) => row.replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, "*"));
    const from = rows.findIndex((row) => row.includes('{"n":"t"}'));
    expect(rows.slice(from, from + 6)).toEqual([
      '* [Tool: Task] {"n":"t"}',
      "  explorer: I look at the parser first.",
      '  * [Tool: Batch] {"n":"t/b"}',
      "    … 12 more calls",
      '    ✓ [Tool: Read] {"n":"t/b/12"}',
      "      → text 12",
    ]);
  });

  test("thinking is folded to a line", async () => {
    const screen = await start(80, 24, env);
    await ask(screen, "thought", "Landed.");
    expect(screen.rows()).toContain("▸ thought: First I look. (+2 lines, ctrl+t)");
  });
});

test("below the smallest size one line tells what matters", async () => {
  const screen = await start();
  screen.resize(19, 4);
  await screen.until((grid) => grid.trim() === "aura: enlarge the …");
  screen.type("a draft that is longer than the window");
  await screen.until((grid) => grid.trim() === "❯ than the window");
  expect(screen.cursor()).toEqual({ row: 0, column: 17 });
  screen.type("\x15calls\r");
  await screen.until((grid) => /^. working…/.test(grid.trim()));
  screen.resize(80, 24);
  await screen.shows("compiling 7 of 9");
});

test("keys pressed while a dialog is not to be seen do not answer it", async () => {
  const screen = await start();
  await ask(screen, "simple", "[d] deny");
  screen.resize(15, 3);
  await screen.shows("? waits for");
  screen.type("a");
  screen.resize(80, 24);
  await screen.shows("[d] deny");
  expect(screen.text()).not.toContain("answer r2");
  screen.type("\x1b");
  await screen.shows('answer r2 {"allow":false}');
  await screen.shows("│ a");
});

test("frames are marked as one only where the terminal says that it knows the marks", async () => {
  const screen = await start();
  await ask(screen, "hello", "nice to see you");
  expect(screen.raw()).toContain("\x1b[?2026$p");
  const knows = /\x1b\[\?2026;[12]\$y/.test(screen.answers());
  expect(screen.raw().includes("\x1b[?2026h")).toBe(knows);
});

test("fullscreen: the transcript scrolls by keys and wheel, follows the end again, and leaves the shell's screen", async () => {
  const screen = pty("bash", ["--norc", "-i"]);
  screen.type(`echo before; FULLSCREEN=mouse '${process.execPath}' '${program()}'\r`);
  await screen.shows("high • scripted");
  expect(screen.rows().join("\n")).not.toContain("before");
  await ask(screen, "many", "Paragraph 399 of many.");
  screen.type("\x1b[5~");
  await screen.until((grid) => !grid.includes("Paragraph 399") && grid.includes("↓ more below"));
  screen.type("\x1b[H");
  await screen.shows("aura, a test");
  expect(screen.rows()).toContain("You: many");
  screen.type("\x1b[<65;1;1M");
  await screen.until((grid) => !grid.includes("aura, a test") && grid.includes("Paragraph 3 of"));
  screen.type("\x1b[<64;1;1M");
  await screen.shows("aura, a test");
  screen.type("hello\r");
  await screen.shows("↓ more below");
  screen.type("\x1b[F");
  await screen.shows("nice to see you");
  await ask(screen, "hello", "nice to see you");
  expect(screen.rows().join("\n")).not.toContain("↓ more below");
  screen.type("\x04");
  await screen.until((grid) => grid.includes("before") && grid.includes(FAREWELL));
  expect(screen.raw()).toContain("\x1b[?1006l\x1b[?1000l");
});

test("fullscreen: without the mouse the terminal keeps its own selection", async () => {
  const screen = await start(80, 24, { FULLSCREEN: "keys" });
  expect(screen.raw()).toContain("\x1b[?1049h");
  expect(screen.raw()).not.toContain("\x1b[?1000h");
});

test("fullscreen: the pager and a dialog come and go over the transcript", async () => {
  const screen = await start(80, 24, { FULLSCREEN: "mouse" });
  await ask(screen, "hello", "nice to see you");
  await ask(screen, "/long", "Command output (50 lines)");
  screen.type("q");
  await screen.until((grid) => grid.includes("nice to see you") || grid.includes("… 10 more lines"));
  await ask(screen, "simple", "[d] deny");
  screen.type("d");
  await screen.shows('answer r2 {"allow":false}');
});

test("fullscreen: what is left behind is the last answer and how to go on", async () => {
  const screen = pty("bash", ["--norc", "-i"], { env: { PS1: "shell> " } });
  await screen.shows("shell>");
  screen.type(`echo before; FULLSCREEN=mouse '${process.execPath}' '${program()}'\r`);
  await screen.shows("high • scripted");
  await ask(screen, "many", "Paragraph 399 of many.");
  // What lays out Markdown is loaded after the start, and until then replies are shown as they were written.
  await ask(screen, "hello", "Aura: Hello there, nice to see you.");
  screen.type("\x04");
  // The shell asks again: everything is written.
  await screen.until((grid) => grid.trimEnd().endsWith(`${FAREWELL}\nshell>`));
  const rows = screen.rows();
  const from = rows.indexOf("before");
  expect(rows.slice(from, from + 6)).toEqual([
    "before",
    "",
    "You: hello",
    "",
    "Aura: Hello there, nice to see you.",
    FAREWELL,
  ]);
});

test("fullscreen: of a long last answer the end is left behind", async () => {
  const screen = await start(80, 20, { FULLSCREEN: "mouse" });
  await ask(screen, "many", "Paragraph 399 of many.");
  screen.type("\x04");
  await screen.until((grid) => grid.includes(FAREWELL));
  expect(screen.rows()).toContain("You: many");
  expect(screen.rows().join("\n")).toContain("Paragraph 399 of many.");
  expect(screen.rows().join("\n")).not.toContain("Paragraph 390 ");
});

test.each([["inline"], ["fullscreen"]])("%s: a prompt is marked where a terminal jumps to marks", async (place) => {
  const env: Record<string, string> = place === "inline" ? {} : { FULLSCREEN: "mouse" };
  const screen = await start(80, 24, { ...env, TERM_PROGRAM: "WezTerm" });
  await ask(screen, "hello", "nice to see you");
  expect(screen.raw()).toMatch(/\x1b\]133;A\x1b\\(?:\x1b\[[\d;]*m)*You: /);
});
