import { expect, test } from "vitest";
import { colouredSpans } from "../../../../ui/tui/sgr-text.ts";
import { paint } from "../../../../ui/tui/spans.ts";
import { createTheme } from "../../../../ui/tui/theme.ts";

const shown = (text: string, depth: 0 | 256 = 256) => paint(colouredSpans(text, "text"), createTheme(depth));

test("colours are kept and end with their text; everything else that could act is gone", () => {
  expect(colouredSpans("a \x1b[1;31mred\x1b[4mline\x1b[0m end", "faint")).toEqual([
    { text: "a ", tone: "faint" },
    { text: "red", sgr: "1;31" },
    { text: "line", sgr: "1;31;4" },
    { text: " end", tone: "faint" },
  ]);
  expect(shown("\x1b[31mred")).toBe("\x1b[31mred\x1b[0m");
  expect(shown("x\x1b[2J\x1b]0;title\x07\x1b[10;3Hy\x1b[?25lz", 0)).toBe("xyz");
});

test("without colours only the words are left", () => {
  expect(shown("\x1b[38;2;1;2;3mred\x1b[m!", 0)).toBe("red!");
});
