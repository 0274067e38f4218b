import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PtyScreen } from "../helpers/pty.ts";
import { tuiScreens } from "../helpers/screens.ts";

const { start, open } = tuiScreens();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "aura-input-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text: string, mode = 0o600): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

/** The rows between the box and the status line. */
function list(screen: PtyScreen): string[] {
  const rows = screen.rows();
  const from = rows.findIndex((row) => row.startsWith("╰")) + 1;
  return rows.slice(
    from,
    rows.findIndex((row) => row.startsWith("high • ")),
  );
}
const input = (screen: PtyScreen) =>
  screen
    .rows()
    .filter((row) => row.startsWith("│"))
    .map((row) => row.slice(2, -2).trimEnd());

test("half a command shows what it may become; arrows choose, Tab takes, Esc closes", async () => {
  const screen = await start();
  screen.type("/mo");
  await screen.shows("▸ /model");
  expect(list(screen)).toEqual(["▸ /model  Pick or switch the model", "  /mode   Show, switch or leave the mode"]);
  expect(input(screen)).toEqual(["/model [name]"]);
  expect(screen.cursor().column).toBe(5);
  screen.type("\x1b[B");
  await screen.shows("▸ /mode ");
  screen.type("\t");
  await screen.until(() => list(screen).length === 0);
  expect(input(screen)[0]).toMatch(/^\/mode/);
  screen.type("\x15/th");
  await screen.shows("▸ /think");
  screen.type("\x1b[27u");
  await screen.until((grid) => !grid.includes("▸"));
  screen.type("i");
  await screen.until(() => input(screen)[0]?.startsWith("/thi") === true);
  expect(list(screen)).toEqual([]);
});

test("Enter runs the marked command, and a message is sent as it is", async () => {
  const screen = await start();
  screen.type("/thi");
  await screen.shows("▸ /think");
  screen.type("\r");
  await screen.shows('{"type":"command","line":"/think"}');
  screen.type("hello\r");
  await screen.shows("nice to see you");
});

test.each([
  [20, 6],
  [40, 10],
])("the list fits a window of %i by %i", async (columns, rows) => {
  const screen = open({ columns, rows });
  await screen.until((grid) => grid.includes("╰"));
  screen.type("/mo");
  await screen.until((grid) => grid.includes("│ /mo"));
  await screen.until((grid) => rows < 8 || grid.includes("▸ /model"));
  expect(screen.rows().filter((row) => /^[╭╰]/.test(row))).toHaveLength(2);
});

test("Alt+R searches earlier input as it is typed; Enter takes, Esc gives the draft back", async () => {
  const historyFile = put("history", "run the tests\nwrite the docs\nrun the build\n");
  const screen = await start(80, 24, { HISTORY_FILE: historyFile });
  screen.type("my draft 日本");
  await screen.shows("my draft 日本");
  const caret = screen.cursor();
  screen.type("\x1br\x15run");
  await screen.shows("▸ run the build");
  expect(list(screen)).toEqual(["▸ run the build", "  run the tests"]);
  screen.type("\x1br");
  await screen.shows("▸ run the tests");
  screen.type("\x1b[27u");
  await screen.until(() => input(screen)[0] === "my draft 日本");
  expect(screen.cursor()).toEqual(caret);
  screen.type("\x03\x1brdocs\r");
  await screen.until(() => input(screen)[0] === "write the docs");
  expect(screen.text()).not.toContain("You:");
});

test("Ctrl+G hands the terminal to the editor and takes back what it wrote", async () => {
  const seen = join(folder, "seen");
  const editor = put(
    "my editor",
    `#!/bin/sh\nstty -a | grep -o -- '-icanon\\|icanon' > '${seen}'\ncat "$2" >> '${seen}'\nprintf 'written: %s\\n' "$1" > "$2"\necho BUSY-EDITOR\nread line\n`,
    0o700,
  );
  const screen = await start(80, 24, { VISUAL: `'${editor}' --wait`, EDITOR: "false" });
  screen.type("two\x1b\rlines");
  await screen.shows("lines");
  screen.type("\x07");
  await screen.shows("BUSY-EDITOR");
  screen.type("go\n");
  await screen.until(() => input(screen)[0] === "written: --wait");
  expect(readFileSync(seen, "utf8")).toBe("icanon\ntwo\nlines");
  expect(input(screen)).toEqual(["written: --wait"]);
  screen.type("!");
  await screen.until(() => input(screen)[0] === "written: --wait!");
  screen.type("\x18\x18");
  await screen.until(() => input(screen).join("|") === "two|lines");
});

test("an editor that fails changes nothing and says so", async () => {
  const screen = await start(80, 24, { VISUAL: "", EDITOR: "exit 3;" });
  screen.type("precious");
  await screen.shows("precious");
  screen.type("\x07");
  await screen.shows("ended with 3; nothing was taken over");
  expect(input(screen)).toEqual(["precious"]);
});

test("keys.yaml rebinds, turns on vim mode and says what is wrong with it", async () => {
  const keysFile = put("keys.yaml", "mode: vim\nkeys:\n  search-history: ctrl+r\n  serach: f5\n");
  const screen = await start(100, 24, { KEYS_FILE: keysFile });
  await screen.shows('keys.yaml line 4: unknown action "serach"');
  screen.type("one two three\x1b[27u");
  await screen.shows("vim normal");
  screen.type("bbcwTWO\x1b[27u0x");
  await screen.until(() => input(screen)[0] === "ne TWO three");
  expect(screen.cursor().column).toBe(2);
  screen.type("u");
  await screen.until(() => input(screen)[0] === "one TWO three");
  screen.type("u");
  await screen.until(() => input(screen)[0] === "one two three");
  screen.type("ddu");
  await screen.until(() => input(screen)[0] === "one two three");
  screen.type("\r");
  await screen.shows("You: one two three");
  screen.type("/help keys\r");
  await screen.shows("* ctrl+r");
  await screen.shows('unknown action "serach"');
});

test("a paste of ten megabytes is one block, typing goes on at once, and it is sent whole", async () => {
  const screen = await start();
  const paste = "0123456789abcde\n".repeat(655_360);
  screen.type(`\x1b[200~${paste}\x1b[201~`);
  await screen.shows("[pasted 655361 lines]", 30_000);
  const started = performance.now();
  screen.type(" and more");
  await screen.shows("lines] and more");
  expect(performance.now() - started).toBeLessThan(1_000);
  screen.type("\r");
  await screen.shows("… 655341 more lines were sent");
  screen.type("\x15next");
  await screen.until(() => input(screen)[0] === "next");
});

test("the caret stands where the next character goes, behind wide characters too", async () => {
  const screen = await start();
  screen.type("日本語 👍 x\x1b[D");
  await screen.shows("👍");
  await screen.until(() => screen.cursor().column === 2 + 6 + 1 + 2 + 1);
  expect(input(screen)[0]).toContain("日本語 👍 x");
});

test("in vim mode the caret tells the mode, and is the terminal's own again afterwards", async () => {
  const screen = await start(80, 24, { KEYS_FILE: put("vim.yaml", "mode: vim\n") });
  await screen.until(() => screen.raw().includes("\x1b[6 q"));
  screen.type("draft\x1b[27u");
  await screen.until(() => screen.raw().includes("\x1b[2 q"));
  screen.type("i");
  await screen.until(() => screen.raw().lastIndexOf("\x1b[6 q") > screen.raw().indexOf("\x1b[2 q"));
  screen.kill("SIGTERM");
  await screen.exit;
  expect(screen.raw().lastIndexOf("\x1b[0 q")).toBeGreaterThan(screen.raw().lastIndexOf("\x1b[6 q"));
});

test("without vim mode the caret is left as the terminal has it", async () => {
  const screen = await start();
  screen.type("\x04");
  await screen.exit;
  expect(screen.raw()).not.toMatch(/\x1b\[\d q/);
});
