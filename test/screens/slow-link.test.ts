import { expect, test } from "vitest";
import type { SlowLink } from "../helpers/pty.ts";
import { tuiScreens } from "../helpers/screens.ts";

const { open } = tuiScreens();

/** A bad connection: late, slow, and every sequence cut in the middle. */
const BAD: SlowLink = { latencyMs: 200, outputBytes: 24, inputBytes: 1, inputGapMs: 3 };
/** A terminal that hardly reads at all. */
const STUCK: SlowLink = { latencyMs: 0, outputBytes: 4, inputBytes: 64, inputGapMs: 0 };

test("over a slow link with split sequences keys do what they should and the screen comes out right", async () => {
  const screen = open({ columns: 80, rows: 24, link: BAD });
  await screen.shows("high • scripted");
  // Arrows, a word motion, a paste and a wide character, all of them torn apart.
  screen.type("wörld\x1b[H\x1b[200~hello, \x1b[201~\x1b[1;5C 日本\x1b[D\x1b[D");
  await screen.shows("│ hello, wörld 日本");
  await screen.until(() => screen.cursor().column === 2 + "hello, wörld ".length);
  screen.type("\x03markdown\r");
  await screen.shows("The end.", 20_000);
  screen.type("draft");
  await screen.until((grid) => grid.includes("│ draft") && grid.includes("• two") && !grid.includes("writing"), 20_000);
  const rows = screen.rows();
  expect(rows.filter((row) => row.startsWith("╭"))).toEqual([`╭${"─".repeat(78)}╮`]);
  expect(rows.filter((row) => row.startsWith("╰"))).toEqual([`╰${"─".repeat(78)}╯`]);
  expect(screen.text().split("You: markdown")).toHaveLength(2);
});

test("a dialog over a slow link takes no key that was pressed before it was to be seen", async () => {
  const screen = open({ columns: 80, rows: 24, link: BAD });
  await screen.shows("high • scripted");
  screen.type("simple\r");
  // On their way while the dialog is on its way.
  screen.type("aaa");
  await screen.shows("[d] deny", 20_000);
  await screen.shows("│");
  expect(screen.text()).not.toContain("answer r2");
  await screen.until(() => screen.answers().includes("\x1b[0n"));
  screen.type("d");
  await screen.shows('answer r2 {"allow":false}', 20_000);
  await screen.shows("│ aaa");
});

test("a terminal that hardly reads stops nothing, gets fewer frames, and catches up", async () => {
  const chunks = 400;
  const screen = open({ columns: 80, rows: 24, link: STUCK, env: { STREAM: `${chunks},2,paragraphs` } });
  await screen.shows("high • scripted", 20_000);
  const before = screen.raw().length;
  screen.type("stream\r");
  await screen.until((grid) => grid.includes("END-OF-STREAM") && !grid.includes("writing"), 30_000);
  const text = screen.text().replace(/\s+/g, " ");
  for (let index = 0; index < 60; index++) expect(text, `sentence ${index}`).toContain(`${index} The quick brown fox`);
  // Eight thousand characters of text: a frame for every piece would be many times that.
  expect(screen.raw().length - before).toBeLessThan(2.7 * chunks * 20);
}, 60_000);
