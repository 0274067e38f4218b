import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PtyScreen } from "../helpers/pty.ts";
import { ask, openDialog, tuiScreens } from "../helpers/screens.ts";

const { start, pty, program } = tuiScreens();

/** Rows of the box at the bottom must all reach from border to border. */
function boxes(screen: PtyScreen): string[] {
  return screen.rows().filter((row) => /^[╭│╰]/.test(row));
}

test("an empty conversation shows the prompt, the status and the help", async () => {
  const screen = await start();
  expect(screen.rows().slice(0, 6)).toEqual([
    "aura, a test",
    `╭${"─".repeat(78)}╮`,
    `│ ${"Type your message...".padEnd(76)} │`,
    `╰${"─".repeat(78)}╯`,
    "high • scripted • think: off • demo • tokens: 0/131k (0%)",
    "            enter send • alt+enter new line • tab mode • shift+tab agent • /help",
  ]);
  expect(screen.cursor()).toEqual({ row: 2, column: 2 });
});

test("what is typed before there is a conversation is sent when there is one", async () => {
  const screen = await start(80, 24, { TYPE_AHEAD: "hello\nnext" });
  await screen.shows("nice to see you");
  await screen.shows("│ next");
});

test("a reply is printed once, with its Markdown laid out", async () => {
  const screen = await start();
  await ask(screen, "markdown", "The end.");
  await screen.until((grid) => grid.includes("• one") && !grid.includes("writing"));
  const text = screen.text();
  expect(text.slice(text.indexOf("You:"), text.indexOf("╭"))).toBe(
    "You: markdown\n\nAura:\nTitle\n\nSome code here.\n\n• one\n• two\n\na │ b\n──┼───\n1 │ 22\n\n  const x = 1;\n\nThe end.\n",
  );
});

test("calls are shown in their states and settle into words", async () => {
  const screen = await start();
  await ask(screen, "calls", "compiling 7 of 9");
  const spinning = screen.rows().map((row) => row.replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, "*"));
  const from = spinning.findIndex((row) => row.includes("npm test"));
  expect(spinning.slice(from, from + 11)).toEqual([
    '✓ [Tool: Bash] {"command":"npm test"}',
    "  1.2s • [tokens: ~34]",
    "  → … 2 earlier lines (ctrl+o)",
    "  line 3",
    "  line 4",
    "  line 5",
    "  line 6",
    '* [Tool: Bash] {"command":"sleep 9"}',
    "  compiling 7 of 9",
    '○ [Tool: Bash] {"command":"c"}',
    `╭${"─".repeat(78)}╮`,
  ]);
  await ask(screen, "finish", "denied by you: not now");
  expect(screen.text()).toContain(
    '✗ [Tool: Bash] {"command":"sleep 9"}\n  ✗ exit code 2\n✗ [Tool: Bash] {"command":"c"}\n  ✗ denied by you: not now',
  );
});

describe.each([
  [80, 24],
  [40, 12],
])("at %d by %d", (columns, rows) => {
  test("a streamed reply longer than the window ends whole in the scrollback, without a clear", async () => {
    const screen = await start(columns, rows, { STREAM: "300,1,paragraphs" });
    const before = screen.raw().length;
    await ask(screen, "stream", "END-OF-STREAM");
    await screen.until((grid) => !grid.includes("writing"));
    const raw = screen.raw().slice(before);
    expect(raw).not.toMatch(/\x1b\[[23]J|\x1b\[H\x1b\[J/);
    const words = screen.text().replace(/\s+/g, " ");
    for (let index = 0; index < 50; index++)
      expect(words.split(`${index} The quick brown fox`).length - 1, `sentence ${index}`).toBeGreaterThanOrEqual(1);
    expect(words.match(/(?<!\d)17 The quick brown fox/g)).toHaveLength(1);
  });

  test("one endless paragraph scrolls away without being lost or doubled", async () => {
    const screen = await start(columns, rows, { STREAM: "300,1,one" });
    await ask(screen, "stream", "END-OF-STREAM");
    await screen.until((grid) => !grid.includes("writing"));
    const words = screen.text().replace(/\s+/g, " ");
    for (let index = 0; index < 50; index++)
      expect(words.match(new RegExp(`(?<!\\d)${index} The quick brown fox`, "g")), `sentence ${index}`).toHaveLength(1);
  });

  test("an approval fits the window, scrolls, and is decided by its keys alone", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "approve", "[d] Deny");
    expect(screen.text()).toContain("Confirm Patch (1 of 2)");
    for (const row of boxes(screen)) expect(row).toHaveLength(columns);
    screen.type("\x1b[F");
    await screen.until((grid) => grid.includes("third") || grid.includes("ask.yaml"));
    screen.type("\r\r x");
    screen.type("\x1b[H");
    // A small window begins with what is being allowed; what the tool does in general comes last.
    await screen.shows(rows < 20 ? "│ src/list.ts" : "Changes files by a patch");
    expect(screen.text()).not.toContain('"allow"');
    screen.type("p");
    await screen.shows("Confirm Bash");
    expect(screen.text()).toMatch(/answer r1\s\{"allow":true,"scope":"project"\}/);
    expect(screen.text().split("? [Tool: Patch]").length).toBeLessThanOrEqual(2);
  });

  test("wide characters and emoji leave the box straight", async () => {
    const screen = await start(columns, rows);
    screen.type("日本語のテキスト日本語のテキスト日本語のテキスト and 한국어 é ok");
    await screen.shows("é ok");
    for (const row of boxes(screen)) expect(row).toMatch(/[╮│╯]$/);
    await ask(screen, "\x15wide", "Aura:");
    expect(screen.text()).toContain("한국어");
  });
});

test("an approval without a reusable pattern refuses s, p and g and shows control characters", async () => {
  const screen = await start();
  await openDialog(screen, "chain", "[d] Deny");
  expect(screen.text()).toContain("ls ␛[31mred");
  screen.type("s");
  await screen.shows('only "a" is possible: the command is more than one simple command');
  screen.type("e");
  await screen.shows("Deny, and tell the model:");
  screen.type("use git\r");
  await screen.shows('answer r2 {"allow":false,"feedback":"use git"}');
});

test("an approval without a diff says what each answer means", async () => {
  const screen = await start();
  await openDialog(screen, "simple", "[d] deny");
  const from = screen.rows().findIndex((row) => row.includes("Confirm"));
  expect(
    screen
      .rows()
      .slice(from, from + 10)
      .map((row) => row.replace(/^│ | *│$/g, "")),
  ).toEqual([
    "Confirm Bash",
    "Runs a command",
    "git push",
    "─".repeat(76),
    "why: rule Bash (default)",
    "[a] allow this call",
    "[s] allow Bash:git push* until this session ends",
    "[p] always allow Bash:git push* in this project",
    "[g] always allow Bash:git push* everywhere",
    "[d] deny",
  ]);
});

test("Ctrl+Z hands the terminal back to the shell, and fg brings the screen again", async () => {
  const screen = pty("bash", ["--norc", "-i"]);
  screen.type(`'${process.execPath}' '${program()}'\r`);
  await screen.shows("high • scripted");
  screen.type("draft");
  await screen.shows("│ draft");
  screen.type("\x1a");
  await screen.shows("Stopped");
  screen.type("echo in the $((1+1))nd place\r");
  await screen.shows("in the 2nd place");
  screen.type("fg\r");
  await screen.shows("│ draft");
  screen.type(" two");
  await screen.shows("│ draft two");
});

test("keys that were typed before a dialog appeared never answer it", async () => {
  const screen = await start();
  // One write: the keys are read in the same chunk as the prompt that opens the dialog.
  screen.type("approve\raaspg\r");
  await screen.shows("[d] Deny");
  screen.type("\x1b");
  await screen.shows("Confirm Bash");
  expect(screen.text()).toContain('answer r1 {"allow":false}');
  expect(screen.text()).not.toContain('"allow":true');
});

test("narrowing and widening the window redraws it whole", async () => {
  const screen = await start();
  await ask(screen, "hello", "nice to see you");
  for (const [columns, rows] of [
    [50, 20],
    [30, 10],
    [100, 30],
    [80, 24],
  ] as const) {
    screen.resize(columns, rows);
    await screen.until(
      (grid) =>
        grid
          .split("\n")
          .filter((row) => row.startsWith("╭"))
          .join() === `╭${"─".repeat(columns - 2)}╮`,
    );
    await screen.shows("Aura: Hello there");
    expect(boxes(screen)).toHaveLength(3);
    expect(screen.rows()[screen.cursor().row]).toContain("Type your");
  }
});

test("a window too small for boxes says so and recovers", async () => {
  const screen = await start();
  screen.resize(15, 4);
  await screen.shows("aura: enlarge");
  screen.resize(80, 24);
  await screen.shows("Type your message");
});

test("control sequences of a model reach nobody", async () => {
  const screen = await start();
  await ask(screen, "nasty", "before after red");
  expect(screen.raw()).not.toMatch(/owned|\x1b\[2J/);
});

test("a long command answer opens a pager that scrolls and closes", async () => {
  const screen = await start();
  await ask(screen, "/long", "Command output (50 lines) — esc/q to close");
  expect(screen.rows()[1]).toBe("row 0");
  screen.type("\x1b[F");
  await screen.shows("100%");
  expect(screen.rows()).toContain("row 49");
  screen.type("q");
  await screen.shows("Type your message");
  await screen.shows("… 10 more lines (ctrl+o)");
});

test("a picker filters and wraps, Enter takes", async () => {
  const screen = await start(40, 12);
  await openDialog(screen, "pick", "❯  model 0");
  screen.type("\x1b[A");
  await screen.shows("❯  model 59");
  screen.type("el 4");
  await screen.until((grid) => !grid.includes("model 59") && grid.includes("❯  model 4"));
  screen.type("\r");
  await screen.shows('answer p1 "m4"');
});

test("a question takes several options and free text", async () => {
  const screen = await start();
  await openDialog(screen, "ask", "Which colour?");
  screen.type("2");
  await screen.shows("[x] green");
  screen.type("\x1b[B");
  screen.type("blue\r");
  await screen.shows('answer q1 [["green","blue"]]');
});

test("Esc cancels the turn, Ctrl+C clears, then asks before it quits, and the way back is printed", async () => {
  const screen = await start();
  await ask(screen, "calls", "compiling");
  screen.type("\x1b");
  await screen.shows('intent {"type":"cancel"}');
  await screen.until((grid) => !grid.includes("step 1/50"));
  screen.type("draft");
  await screen.shows("│ draft");
  screen.type("\x03");
  await screen.shows("Type your message");
  screen.type("\x03");
  await screen.shows("press ctrl+c again to quit");
  screen.type("\x03");
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.text().trimEnd().split("\n").at(-1)).toBe("resume with: aura --resume s1");
  expect(screen.raw()).toMatch(/\x1b\[<u\x1b\[\?2004l\x1b\[\?25h$/);
});

test("history comes back with its newlines and backslashes, the draft is kept", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aura-history-"));
  const historyFile = join(folder, "history");
  try {
    const first = await start(80, 24, { HISTORY_FILE: historyFile });
    await ask(first, "C:\\new\x1b\rsecond", "You: C:\\new");
    first.type("\x04");
    await first.exit;
    expect(await readFile(historyFile, "utf8")).toBe("C:\\\\new\\nsecond\n");
    const again = await start(80, 24, { HISTORY_FILE: historyFile });
    again.type("draft");
    await again.shows("│ draft");
    // The file is read behind the first frame: until then there is nothing above the draft.
    const after = (key: string) => () => {
      again.type(key);
      return again.text();
    };
    await expect.poll(after("\x1b[A"), { interval: 50, timeout: 5_000 }).toContain("│ C:\\new");
    expect(again.text()).toContain("│ second");
    // Down goes through the lines of the entry first.
    await expect.poll(after("\x1b[B"), { interval: 50, timeout: 5_000 }).toContain("│ draft");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a large paste is an atom, and is sent whole", async () => {
  const screen = await start();
  screen.type(`\x1b[200~${Array.from({ length: 30 }, (_, index) => `pasted ${index}`).join("\n")}\x1b[201~`);
  await screen.shows("[pasted 30 lines]");
  screen.type("\r");
  await screen.shows("pasted 29");
  expect(screen.text()).toContain("You: pasted 0\npasted 1\n");
});

test("a command's hint is shown as ghost text and Tab completes it", async () => {
  const screen = await start();
  screen.type("/th");
  await screen.shows("│ /think [off|on]");
  screen.type("\t");
  screen.type("on\r");
  await screen.shows('{"type":"command","line":"/think on"}');
});

test.each(["SIGTERM", "SIGHUP"])("%s restores the terminal", async (signal) => {
  const screen = await start();
  screen.kill(signal);
  expect(await screen.exit).toMatchObject({ exitCode: signal === "SIGTERM" ? 143 : 129 });
  expect(screen.raw()).toContain("\x1b[<u\x1b[?2004l\x1b[?25h");
});

test("an uncaught error restores the terminal before it is printed", async () => {
  const screen = await start();
  screen.type("crash\r");
  expect((await screen.exit).exitCode).not.toBe(0);
  const raw = screen.raw();
  expect(raw.indexOf("\x1b[<u\x1b[?2004l")).toBeGreaterThan(0);
  expect(raw.indexOf("a surprise")).toBeGreaterThan(raw.indexOf("\x1b[<u\x1b[?2004l"));
});

test("without colours nothing but the words is styled", async () => {
  const screen = await start(80, 24, { NO_COLOR: "1" });
  await ask(screen, "hello", "nice to see you");
  expect(screen.raw()).not.toMatch(/\x1b\[(?:\d+;)*(?:3[0-8]|9[0-7])(?:;\d+)*m/);
});

test("at rest nothing is written", async () => {
  const screen = await start();
  await ask(screen, "hello", "nice to see you");
  await screen.until((grid) => !grid.includes("writing") && !grid.includes("step"));
  screen.type("x");
  await screen.shows("│ x");
  const before = screen.raw().length;
  // A second of silence is the claim itself, not a wait for something to happen.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(screen.raw().length).toBe(before);
});

test("the engine is told once that a prompt is being written, and not of commands or a letter or two", async () => {
  const screen = await start(80, 24, { COMPOSING: "1" });
  screen.type("/help");
  await screen.shows("│ /help");
  screen.type("\x15hi");
  await screen.shows("│ hi");
  expect(screen.text()).not.toContain("composing");
  screen.type(" there");
  await screen.shows("composing");
});
