import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundleTui } from "../helpers/bundle-tui.ts";
import { openPty, type PtyScreen } from "../helpers/pty.ts";

let bundle: { folder: string; program: string };
const open = new Set<PtyScreen>();

beforeAll(async () => {
  bundle = await bundleTui();
});
afterAll(() => rm(bundle.folder, { recursive: true, force: true }));
afterEach(() => {
  for (const screen of open) screen.kill("SIGKILL");
  open.clear();
});

async function start(columns: number, rows: number, env: Record<string, string> = {}): Promise<PtyScreen> {
  const screen = openPty(process.execPath, [bundle.program], { columns, rows, env });
  open.add(screen);
  await screen.shows("high • scripted");
  return screen;
}

async function ask(screen: PtyScreen, prompt: string, shown: string): Promise<void> {
  screen.type(`${prompt}\r`);
  await screen.shows(shown);
}

/** Opens a dialog and waits until it counts as seen: keys before that are taken as typed ahead. */
async function openDialog(screen: PtyScreen, prompt: string, shown: string): Promise<void> {
  const fences = () => screen.raw().split("\x1b[5n").length;
  const before = fences();
  await ask(screen, prompt, shown);
  await screen.until(() => fences() > before);
}

/** What is inside the box at the bottom, once every row of it reaches from border to border. */
async function inside(screen: PtyScreen, columns: number): Promise<string[]> {
  const boxed = () => screen.rows().filter((row) => /^[╭│╰]/.test(row));
  const whole = new RegExp(`^[╭│╰].{${columns - 2}}[╮│╯]$`, "u");
  await screen.until(() => boxed().at(-1)?.startsWith("╰") === true && boxed().every((row) => whole.test(row)));
  return boxed()
    .slice(1, -1)
    .map((row) => row.slice(2, -2).trimEnd());
}

/** Text of the screen without the box, so that what was wrapped can be found. */
const words = (screen: PtyScreen) =>
  screen
    .rows()
    .map((row) => row.replace(/^│ | *│$/g, ""))
    .join(" ")
    .replace(/\s+/g, " ");

/** Scrolls down until the dialog shows `text`, which may be wrapped within the rows in sight. */
async function reaches(screen: PtyScreen, text: string): Promise<void> {
  for (let down = 0; down < 40; down++) {
    const place = (grid: string) => /lines \d+-\d+/.exec(grid)?.[0];
    const before = place(words(screen));
    if (words(screen).includes(text)) return;
    screen.type("\x1b[B");
    // Painted from top to bottom: when the place has changed, the lines above it have.
    await screen.until((grid) => place(grid) !== before);
  }
  throw new Error(`never shown: ${text}`);
}

describe.each([
  [80, 24],
  [40, 12],
  [160, 50],
])("at %d by %d", (columns, rows) => {
  test("an approval shows its change, its number, the pattern it would save and its answers", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "withdrawn", "[d] Deny");
    const box = await inside(screen, columns);
    expect(box[0]).toBe("Confirm Write (1 of 2)");
    expect(words(screen)).toContain("s p g allow Write:/project/src/*");
    for (const answer of ["[a] Allow", "[s] Session", "[p] Project", "[g] Global", "[d] Deny"])
      expect(words(screen)).toContain(answer);
  });

  test("? says what asks and what each answer would cover, and goes back", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "change", "[d] Deny");
    screen.type("?");
    await screen.shows("? back");
    const told = ["why: rule Write", "config/rules/ask.yaml:3", "not in folders below", "in all folders below"];
    // A small window shows a line or two of it at a time.
    for (const text of told) await reaches(screen, text);
    screen.type("?");
    await screen.shows(rows < 20 ? "│ src/price.ts" : "Writes a file");
    screen.type("\r");
    screen.type("d");
    await screen.until(() => screen.text().includes('answer r3 {"allow":false}'));
    expect(screen.text()).not.toContain('"allow":true');
  });

  test("an approval that was answered elsewhere closes, and the next one opens", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "withdrawn", "Confirm Write (1 of 2)");
    await screen.shows("Confirm Bash");
    expect(screen.text()).not.toContain("answer r3");
  });

  test("a picker with previews narrows, shows more about one item, and takes it", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "resume", "session 0");
    await inside(screen, columns);
    screen.type("project-7");
    await screen.shows("Resume (1 of 12)");
    if (rows >= 24) await screen.shows("The first prompt of number 7");
    screen.type("\r");
    await screen.until(() => words(screen).includes('answer p2 "s7"'));
  });

  test("questions come one by one, with options and in free words", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "long", "Question 1 of 2");
    await inside(screen, columns);
    screen.type("2");
    await screen.shows("Question 2 of 2");
    screen.type("so it is\r");
    await screen.until(() => words(screen).includes('answer q2 [["two"],["so it is"]]'));
  });

  test("a text to change is saved with Enter", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "edit", "1. [pending] a");
    await inside(screen, columns);
    screen.type(" and b\r");
    await screen.until(() => words(screen).includes('answer e1 "1. [pending] a and b"'));
  });

  test("Ctrl+O shows the whole output, coloured, and / finds in it", async () => {
    const screen = await start(columns, rows);
    await ask(screen, "read", "src/a.ts");
    screen.type("\x0f");
    await screen.shows("1: const value0");
    await screen.until(() => screen.cell(1, 3).color !== screen.cell(1, 9).color);
    screen.type("/VALUE");
    await screen.shows("/VALUE");
    screen.type("\x15value3\r");
    await screen.shows("match 1 of 11");
    screen.type("N");
    await screen.shows("match 11 of 11");
    await screen.shows("const value39");
    screen.type("g");
    await screen.shows("1: const value0");
    screen.type("q");
    await screen.shows("high • scripted");
  });

  test("/tools debug is a table that can be narrowed", async () => {
    const screen = await start(columns, rows);
    await ask(screen, "/tools debug", "Tools (5 lines)");
    expect(words(screen)).toContain("mcp__files__list mcp out");
    screen.type("&built-in out\r");
    await screen.shows('with "built-in out"');
    expect(words(screen)).toContain("Read built-in out disabled by features/tools.yaml");
    expect(words(screen)).not.toContain("mcp__files__list");
  });

  test("unfinished todos stand above the input until they are done", async () => {
    const screen = await start(columns, rows);
    await ask(screen, "todos", "▶ write a test");
    expect(words(screen)).toContain("todo 1/9");
    if (rows >= 24) expect(words(screen)).toContain("○ step 5 … 4 more");
    screen.type("done\r");
    await screen.until((grid) => !grid.includes("write a test"));
  });
});

test("the word that changed is marked within its line", async () => {
  const screen = await start(80, 24);
  await openDialog(screen, "change", "[d] Deny");
  const row = screen.rows().findIndex((line) => line.includes("const total = price"));
  const at = (screen.rows()[row] ?? "").indexOf("price");
  expect(screen.cell(row, at).bold).toBe(true);
  expect(screen.cell(row, at - 3).bold).toBe(false);
});

test("a wide window shows the change side by side", async () => {
  const screen = await start(160, 50);
  await openDialog(screen, "change", "[d] Deny");
  expect(await inside(screen, 160)).toContainEqual(
    expect.stringMatching(/^ {2}9 - const total = price \* 2; +│ {3}9 \+ const total = cost \* 2;$/),
  );
});

test("a light terminal gets light colours, asked once and without waiting", async () => {
  const screen = await start(80, 24, { COLORFGBG: "0;15" });
  const dark = await start(80, 24, { AURA_THEME: "dark" });
  await ask(screen, "hello", "nice to see you");
  await ask(dark, "hello", "nice to see you");
  const colour = (of: PtyScreen) =>
    of.cell(
      of.rows().findIndex((row) => row.startsWith("Aura:")),
      0,
    ).color;
  expect([colour(dark), dark.raw().includes("\x1b]11;?")]).toEqual([214, false]);
  expect(screen.raw().split("\x1b]11;?")).toHaveLength(2);
});

test("/copy sends the last answer to the terminal and does not claim more", async () => {
  const screen = await start(80, 24);
  await ask(screen, "/copy", "sent to the terminal: 10 characters");
  expect(screen.raw()).toContain(`\x1b]52;c;${Buffer.from("the answer").toString("base64")}\x07`);
});

test("the title is set, and given back with the terminal", async () => {
  const screen = await start(80, 24);
  await screen.until(() => screen.raw().includes("\x1b]0;project - aura\x1b\\"));
  screen.type("\x04");
  await screen.exit;
  expect(screen.raw()).toMatch(/\x1b\[22;0t.*\x1b\]0;\x1b\\\x1b\[23;0t/s);
});

test("AURA_NOTIFY=off leaves the window alone", async () => {
  const screen = await start(80, 24, { AURA_NOTIFY: "off" });
  await ask(screen, "hello", "nice to see you");
  screen.type("\x04");
  await screen.exit;
  expect(screen.raw()).not.toMatch(/\x1b\]0;|\x1b\[22;0t|\x1b\[\?1004h|\x07/);
});
