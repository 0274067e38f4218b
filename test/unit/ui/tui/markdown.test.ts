import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { loadLexer, type MarkdownTools, markdownLines } from "../../../../ui/tui/markdown.ts";
import { type Line, lineWidth, paint } from "../../../../ui/tui/spans.ts";
import { createTheme } from "../../../../ui/tui/theme.ts";

let tools: MarkdownTools;
beforeAll(async () => {
  tools = { lexer: await loadLexer(), highlighter: undefined };
});
const words = (lines: readonly Line[]) =>
  lines.map((line) =>
    line
      .map((part) => part.text)
      .join("")
      .trimEnd(),
  );

test("blocks are laid out with one blank line between them", () => {
  const source =
    "# Head\n\ntext with `code`, **bold** and [a link](https://x.y)\n\n1. one\n2. two\n   - inner\n\n> said\n\n- [x] done\n\n---\n";
  expect(words(markdownLines(source, 60, tools))).toEqual([
    "Head",
    "",
    "text with code, bold and a link (https://x.y)",
    "",
    "1. one",
    "2. two",
    "   • inner",
    "",
    "│ said",
    "",
    "• ☑ done",
    "",
    "─".repeat(40),
  ]);
});

test("a table keeps its columns and shrinks to the width", () => {
  expect(
    words(markdownLines("| name | what it is |\n|--|--|\n| a | a long description |\n| 日本 | x |", 20, tools)),
  ).toEqual(["name │ what it is", "─────┼──────────────", "a    │ a long descr…", "日本 │ x"]);
});

test("a numbered list that was cut goes on with its number", () => {
  expect(words(markdownLines("3. three\n4. four", 40, tools))).toEqual(["3. three", "4. four"]);
});

test("no line is wider than asked, whatever the source", () => {
  const piece = fc.constantFrom(
    "# head ",
    "word ",
    "\n",
    "\n\n",
    "- ",
    "  - ",
    "1. ",
    "> ",
    "| a | b |\n|--|--|\n| 1 | 2 |\n",
    "```ts\n",
    "`code`",
    "**b**",
    "日本語",
    "averyveryverylongword",
    "[l](http://x)",
    "\t",
    "<b>",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 16, max: 60 }), (pieces, width) => {
      for (const line of markdownLines(pieces.join(""), width, tools))
        expect(lineWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test("links are OSC 8 hyperlinks where colours are on, plain text where not", () => {
  const [line = []] = markdownLines("[x](https://a.b)", 40, tools);
  expect(paint(line, createTheme(0))).toBe("\x1b[4mx\x1b[0m\x1b[2m (https://a.b)\x1b[0m");
  expect(paint(line, createTheme(256))).toContain("\x1b]8;;https://a.b\x1b\\");
});
