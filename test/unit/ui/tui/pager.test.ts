import { expect, test } from "vitest";
import type { Key } from "../../../../ui/tui/key-decoder.ts";
import { KEYMAP } from "../../../../ui/tui/keymap.ts";
import { parseKeys } from "../../../../ui/tui/keys-file.ts";
import { lookLines } from "../../../../ui/tui/output-look.ts";
import { openPager, type PagerState, pagerKey } from "../../../../ui/tui/pager.ts";
import { createPagerLayout, pagerFrame } from "../../../../ui/tui/pager-frame.ts";
import { createTheme } from "../../../../ui/tui/theme.ts";

const plain = createTheme(0);
const key = (name: string): Key => {
  const typed = name.length === 1 || name === "space";
  const text = name === "space" ? " " : name;
  return { name, ctrl: false, alt: false, shift: false, ...(typed ? { text } : {}) };
};

/** Shows the pager, presses keys, and shows it again, as the screen does. */
function show(pager: PagerState, columns = 30, rows = 8, waiting = 0, bindings = KEYMAP) {
  const look = { theme: plain, bindings };
  const frame = pagerFrame(pager, createPagerLayout()(pager, columns, undefined, 0), { columns, rows }, waiting, look);
  return { ...frame, words: frame.lines.map((line) => line.replace(/\x1b\[[\d;]*m/g, "")) };
}
function press(pager: PagerState, ...names: string[]): PagerState {
  return names.reduce((state, name) => pagerKey(show(state).pager, key(name), 5) ?? state, pager);
}
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `row ${index + 1}`).join("\n");

test("a search finds the first match from where one stands, n and N go round", () => {
  const pager = press(openPager("T", numbers(40)), "/", "w", "space", "3", "enter");
  const first = show(pager);
  expect(first.words[6]).toBe('0% • match 1 of 11 for "w 3" …');
  expect(show(press(pager, "n")).words.slice(1, 6)).toEqual(["row 29", "row 30", "row 31", "row 32", "row 33"]);
  expect(show(press(pager, "N")).words[6]).toContain("match 11 of 11");
  expect(show(press(pager, "n", "n", "N", "N")).words[6]).toContain("match 1 of 11");
});

test("found places are marked across wrapped rows, the current one more than the others", () => {
  const pager = press(openPager("T", "abcdefghij foo abcdefghijklmnop foo\nFoo"), "/", "f", "o", "o", "enter");
  const { lines } = show(pager, 20);
  expect(lines[1]).toContain("\x1b[1;4;7mfoo\x1b[0m");
  expect(lines[2]).toContain("\x1b[7mfoo\x1b[0m");
  expect(lines[3]).toBe("\x1b[7mFoo\x1b[0m");
});

test("upper case in a search makes case matter, and a search without a match says so", () => {
  expect(show(press(openPager("T", "foo Foo"), "/", "F", "enter"), 60).words.at(-1)).toContain("match 1 of 1");
  expect(show(press(openPager("T", "foo"), "/", "(", "enter"), 60).words.at(-1)).toContain('nothing matches "("');
});

test("& keeps the lines that hold every word, and an empty filter brings all of them back", () => {
  const narrowed = press(openPager("T", "a one\nb two\na two"), "&", "t", "w", "space", "a", "enter");
  expect(show(narrowed, 60).words.slice(0, 3)).toEqual(['T (1 line with "tw a") — esc/q to close', "a two", ""]);
  expect(show(press(narrowed, "&", "enter"), 60).words[0]).toBe("T (3 lines) — esc/q to close");
});

test("the keys it names are those of keys.yaml", async () => {
  const file = "keys: { pager-close: [x], pager-search: [s], pager-filter: none, next-match: [m] }";
  const { bindings } = await parseKeys(file);
  const words = (pager: PagerState, keys = KEYMAP) => {
    const all = show(pager, 70, 8, 1, keys).words;
    return [all[0], all.at(-1)];
  };
  const pager = openPager("T", "foo");
  expect([words(pager), words(pager, bindings)]).toEqual([
    ["T (1 line) — esc/q to close", "Aura waits for your answer (esc) • 100% • / search • & filter • home …"],
    ["T (1 line) — x to close", "Aura waits for your answer (x) • 100% • s search • home end ends"],
  ]);
  expect(words(press(pager, "/", "f", "enter"), bindings)[1]).toContain('match 1 of 1 for "f" • m N');
});

test("a diff is coloured by what a line is, not by how it begins", () => {
  const text =
    "M a.sql\n\n--- a.sql\n+++ a.sql\n@@ -1,2 +1,2 @@\n--- a remark\n+++ another\n same\n\\ No newline\n- no diff";
  const lines = lookLines(text, { kind: "diff" }, undefined);
  expect(lines.map((line) => line.map(({ text: part }) => part).join("")).join("\n")).toBe(text);
  expect(lines.map(([part]) => part?.tone)).toEqual([
    ...[undefined, undefined, "text", "text", "hunk"],
    ...["removed", "added", undefined, undefined, undefined],
  ]);
});

test("letters move as in other pagers, and what is typed into a search does not", () => {
  const pager = openPager("T", numbers(40));
  expect(show(press(pager, "G")).words[6]).toContain("100%");
  expect(show(press(pager, "G", "g")).words[1]).toBe("row 1");
  expect(show(press(pager, "j", "j", "k")).words[1]).toBe("row 2");
  const typing = press(pager, "/", "q", "G");
  expect([show(typing).words[1], show(typing).words[6], show(typing).caret]).toEqual([
    "row 1",
    "/qG",
    { row: 6, column: 3 },
  ]);
  expect(press(typing, "backspace", "backspace", "backspace").prompt).toBeUndefined();
  expect(press(typing, "escape").prompt).toBeUndefined();
  expect(pagerKey(pager, key("q"), 5)).toBeUndefined();
});

test("a question that waits behind the pager is told", () => {
  expect(show(openPager("T", "x"), 80, 8, 1).words.at(-1)).toMatch(/^Aura waits for your answer \(esc\) • 100%/);
});

test("the matches of a search are coloured, its places are not searched", () => {
  const look = { kind: "matches", pattern: "fo+", ignoreCase: false } as const;
  expect(lookLines("foo.ts:3:a foo b\nnone", look, undefined)).toEqual([
    [{ text: "foo.ts:3:", tone: "faint" }, { text: "a " }, { text: "foo", tone: "match" }, { text: " b" }],
    [{ text: "none" }],
  ]);
});

test("a pattern that could search for ever colours nothing", () => {
  const look = { kind: "matches", pattern: "(a+)+$", ignoreCase: false } as const;
  expect(lookLines(`x:1:${"a".repeat(50)}b`, look, undefined)).toEqual([
    [{ text: "x:1:", tone: "faint" }, { text: `${"a".repeat(50)}b` }],
  ]);
});

test("the code of a file that was read is coloured behind its numbers", () => {
  const highlighter = {
    highlight: (code: string, language: string) =>
      language === "ts" ? code.split("\n").map((line) => [{ text: line, tone: "keyword" as const }]) : undefined,
  };
  expect(lookLines("7: let\n8: x\n[more]", { kind: "numbered-code", language: "ts" }, highlighter)).toEqual([
    [
      { text: "7: ", tone: "faint" },
      { text: "let", tone: "keyword" },
    ],
    [
      { text: "8: ", tone: "faint" },
      { text: "x", tone: "keyword" },
    ],
    [{ text: "[more]" }],
  ]);
});
