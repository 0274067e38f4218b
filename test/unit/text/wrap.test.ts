import fc from "fast-check";
import { expect, test } from "vitest";
import { displayWidth, expandTabs, fitWidth, graphemes, takeWidth } from "../../../src/text/width.ts";
import { wrapRows, wrapText } from "../../../src/text/wrap.ts";

test("text breaks at spaces, long words where they must", () => {
  expect(wrapText("the quick brown fox\n\njumpsovertheverylazydog", 10)).toEqual([
    "the quick",
    "brown fox",
    "",
    "jumpsovert",
    "heverylazy",
    "dog",
  ]);
});

test("indentation stays on the first row", () => {
  expect(wrapText("    indented words wrap", 14)).toEqual(["    indented", "words wrap"]);
});

test("scripts without spaces fill the row they begin on", () => {
  expect(wrapText("see 日本語日本語", 8)).toEqual(["see 日本", "語日本語"]);
});

test("cutting keeps whole characters and says that it cut", () => {
  expect([fitWidth("日本語", 5), fitWidth("abc", 3), takeWidth("👩‍👩‍👧x", 1), expandTabs("a\tb\n\tc")]).toEqual([
    "日本…",
    "abc",
    "",
    "a   b\n    c",
  ]);
});

const unit = fc.oneof(
  fc.constantFrom(" ", "a", "bc", "日", "👩‍👩‍👧", "e\u0301", "🇩🇪", "  "),
  fc.string({ unit: "grapheme", maxLength: 3 }).map((text) => text.replace(/\s/g, " ")),
);

test("no row is wider than asked, and no character but a space is lost", () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (parts, width) => {
      const line = parts.join("");
      const rows = wrapRows(line, width).map((row) => line.slice(row.start, row.end));
      for (const row of rows) if (graphemes(row).length > 1) expect(displayWidth(row)).toBeLessThanOrEqual(width);
      expect(rows.join("").replace(/\s/g, "")).toBe(line.replace(/\s/g, ""));
    }),
    { numRuns: 1000 },
  );
});
