import { describe, expect, test } from "vitest";
import type { PtyScreen } from "../helpers/pty.ts";
import { ask, openDialog, tuiScreens } from "../helpers/screens.ts";

const { start } = tuiScreens();

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

  test("of several patterns the narrowest is marked, a number or Tab marks another, and that one is remembered", async () => {
    const screen = await start(columns, rows);
    const told = (text: string) => screen.until(() => words(screen).includes(text));
    await openDialog(screen, "tried", "[d] Deny");
    await inside(screen, columns);
    expect(words(screen)).toContain("s allows");
    expect(words(screen)).not.toContain("s p g allow");
    screen.type("3");
    if (rows >= 24) {
      const more = columns < 100 ? " and 2 more" : ", npm run test, npm run deploy";
      await told(`▸ 3 Bash:npm run* also allows npm run fix, npm run build${more}`);
      expect(words(screen)).toContain("s p g allow from now on what is marked");
      expect(words(screen)).toContain("1 Bash:npm run fix -v this session only");
    } else await told("s p g allow Bash:npm run* (3/3 tab)");
    screen.type("\t\t");
    await told(rows >= 24 ? "▸ 2" : "(2/3 tab)");
    screen.type("p");
    const answer = '{"allow":true,"scope":"project","pattern":"Bash:npm run fix*"}';
    await screen.until(() => words(screen).replaceAll(" ", "").includes(answer.replaceAll(" ", "")));
  });

  test("what a command did on a copy is shown with its changes, its output and what to know", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "tried", "[d] Deny");
    const shown = [
      "Tried on a copy: it changes 2 paths",
      "changed src/a.ts +1 -1",
      "deleted old.ts",
      "fixed 1 file",
      "+ two",
    ];
    for (const text of shown) await reaches(screen, text);
    screen.type("?");
    await screen.shows("? back");
    const explained = [
      "read as: npm run fix -v",
      "it runs what the project says",
      "Bash:npm run fix -v (chosen)",
      "npm run deploy",
    ];
    for (const text of explained) await reaches(screen, text);
    screen.type("d");
    await screen.until(() => words(screen).includes('answer r4 {"allow":false}'));
  });

  test("/diff opens in the pager, coloured; its foot names the keys", async () => {
    const screen = await start(columns, rows);
    await ask(screen, "/diff", "What this session changed");
    await screen.shows("/ search • & filter");
    const row = (text: string) => screen.rows().findIndex((line) => line.startsWith(text));
    const colours = ["M src", "@@", "-one", "+two"].map((text) => screen.cell(row(text), 0).color);
    expect(new Set(colours).size).toBe(4);
    screen.type("q");
    await screen.shows("high • scripted");
  });

  test("Esc twice on an empty input goes to /undo", async () => {
    const screen = await start(columns, rows);
    screen.type("\x1b[27u");
    await screen.shows("press esc again");
    screen.type("\x1b[27u");
    await screen.until(() => words(screen).includes('intent {"type":"command","line":"/undo"}'));
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

  test("a plan to review is laid out, scrolls, and is approved by its key alone", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "review", "[a] Approve  [d] Deny  [c] Comment");
    await screen.until((grid) => !grid.includes("# Goal"));
    const box = await inside(screen, columns);
    expect([box[0], box[1]]).toEqual(["Plan: a better parser", "Goal"]);
    // One of these keys too many would answer.
    screen.type("\r\r q\x1b[F");
    await screen.shows("The end");
    expect(screen.text()).not.toContain("answer v1");
    screen.type("a");
    await screen.until(() => words(screen).includes('answer v1 {"approved":true}'));
  });

  test("a plan is sent back with a comment of several lines, and searched before", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "review", "[c] Comment");
    screen.type("/step 42\r");
    await screen.shows("42. Step 42");
    screen.type("qc");
    await screen.shows("tell the model:");
    screen.type("shorter\x1b\rand in\x7f\x7fin Rust\r");
    const answer = '{"approved":false,"feedback":"shorter\\nandinRust"}';
    await screen.until(() => words(screen).replaceAll(" ", "").includes(answer));
  });

  test("Esc leaves a plan without approving it", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "review", "[c] Comment");
    screen.type("c");
    await screen.shows("tell the model:");
    screen.type("\x1b[27u");
    await screen.shows("[c] Comment");
    screen.type("\x1b[27u");
    await screen.until(() => words(screen).includes("answer v1 null"));
  });

  test("titles say who asks when it is not the agent itself", async () => {
    const screen = await start(columns, rows);
    await openDialog(screen, "child", "Confirm Write for explorer");
    screen.type("d");
    await openDialog(screen, "server", "github asks");
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
    await screen.until(() => words(screen).includes("mcp__files__list mcp excluded"));
    screen.type("&built-in excluded\r");
    await screen.shows('with "built-in excluded"');
    await screen.until(() => words(screen).includes("Read built-in excluded disabled by features/tools.yaml"));
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

test("in the smallest window an approval shows what it is for and the keys that answer", async () => {
  const screen = await start(20, 5);
  await openDialog(screen, "change", "a/s/p/g/d");
  expect(await inside(screen, 20)).toEqual(["Write a/s/p/g/d", "src/price.ts"]);
  screen.resize(20, 8);
  await screen.shows("Confirm Write");
  expect(await inside(screen, 20)).toEqual(["Confirm Write", "src/price.ts", "a/s/p/g/d"]);
});

test("in the smallest window a pattern that was chosen is shown before it can be remembered", async () => {
  const screen = await start(20, 5);
  await openDialog(screen, "tried", "Bash a/s/d");
  expect(await inside(screen, 20)).toEqual(["Bash a/s/d", "npm run fix -v"]);
  screen.type("3");
  await screen.until(() => words(screen).includes("Bash a/s/p/g/d s p g allow"));
  screen.type("\x1b[B");
  await screen.shows("Bash:npm run*");
});
