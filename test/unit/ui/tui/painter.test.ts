import xterm from "@xterm/headless";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPainter, type Frame } from "../../../../ui/tui/painter.ts";

const COLUMNS = 12;
const ROWS = 6;

function openScreen() {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, scrollback: 10_000, allowProposedApi: true });
  let raw = "";
  const painter = createPainter({
    synchronize: () => true,
    rows: () => ROWS,
    write: (bytes) => {
      raw += bytes;
      terminal.write(bytes);
    },
  });
  const settle = () => new Promise<void>((resolve) => terminal.write("", resolve));
  const lines = () => {
    const buffer = terminal.buffer.active;
    const all = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true) ?? "");
    return all.join("\n").trimEnd().split("\n");
  };
  const cursor = () => ({
    row: terminal.buffer.active.baseY + terminal.buffer.active.cursorY,
    column: terminal.buffer.active.cursorX,
  });
  return { painter, settle, lines, cursor, taken: () => raw.length, raw: () => raw };
}

const anyLine = fc
  .constantFrom(
    "",
    "a",
    "panel",
    "same old words",
    "same old tale",
    "123456789012",
    "日本語です",
    "日本語",
    "\x1b[31mred\x1b[0m x",
    "e\u0301a",
  )
  .map((line) => (line.startsWith("same") ? line.slice(0, COLUMNS) : line));
const anyStep = fc.record({
  scrollback: fc.array(anyLine, { maxLength: 4 }),
  lines: fc.array(anyLine, { maxLength: 3 }),
  panel: fc.array(fc.constantFrom("╭──╮", "panel", "status"), { maxLength: 2 }),
});

const plain = (line: string) => line.replace(/\x1b\[\d*m/g, "").trimEnd();

test("whatever is painted, the screen is the scrollback followed by the frame", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
      const screen = openScreen();
      const printed: string[] = [];
      let frame: Frame = { lines: [], caret: undefined };
      for (const step of steps) {
        const lines = [...step.lines, ...step.panel];
        frame = { lines, caret: lines.length > 0 ? { row: lines.length - 1, column: 1 } : { row: 0, column: 0 } };
        printed.push(...step.scrollback);
        screen.painter.paint(step.scrollback, frame);
      }
      await screen.settle();
      const expected = [...printed, ...frame.lines].map(plain).join("\n").trimEnd().split("\n");
      expect(screen.lines()).toEqual(expected);
      const caret = frame.caret ?? { row: 0, column: 0 };
      expect(screen.cursor()).toEqual({ row: printed.length + caret.row, column: caret.column });
    }),
    { numRuns: 400 },
  );
});

test("a frame that fills the window scrolls its upper part, whatever was there before", async () => {
  const anyFrame = fc.record({ from: fc.nat(8), panel: fc.constantFrom("panel", "status"), odd: fc.nat(9) });
  await fc.assert(
    fc.asyncProperty(fc.array(anyFrame, { minLength: 1, maxLength: 10 }), async (frames) => {
      const screen = openScreen();
      screen.painter.restart();
      for (const { from, panel, odd } of frames) {
        const upper = Array.from({ length: 5 }, (_, row) => (row === odd ? "" : `line ${from + row}`));
        screen.painter.paint([], { lines: [...upper, panel], caret: { row: 5, column: 2 }, scrolls: 5 });
        await screen.settle();
        expect(screen.lines()).toEqual([...upper, panel]);
        expect(screen.cursor()).toEqual({ row: 5, column: 2 });
      }
    }),
  );
});

test("lines that moved together are moved by the terminal", () => {
  const screen = openScreen();
  screen.painter.restart();
  const frame = (from: number) => ({
    lines: [...Array.from({ length: 5 }, (_, row) => `line ${from + row}`), "panel"],
    caret: undefined,
    scrolls: 5,
  });
  screen.painter.paint([], frame(0));
  const before = screen.taken();
  screen.painter.paint([], frame(1));
  const bytes = screen.raw().slice(before);
  expect(bytes).toContain("\x1b[1;5r\x1b[1S\x1b[r");
  expect(bytes).not.toContain("line 3");
});

test("a frame that did not change writes nothing", () => {
  const screen = openScreen();
  const frame = { lines: ["one", "two"], caret: { row: 0, column: 0 } };
  screen.painter.paint([], frame);
  const before = screen.taken();
  screen.painter.paint([], { ...frame, lines: [...frame.lines] });
  expect(screen.taken()).toBe(before);
});

test("lines that become scrollback where they stand are not written again", () => {
  const screen = openScreen();
  screen.painter.paint([], { lines: ["a finished", "a tail", "panel", "status"], caret: undefined });
  const before = screen.taken();
  screen.painter.paint(["a finished"], { lines: ["a tail", "more", "panel", "status"], caret: undefined });
  const written = screen.raw().slice(before);
  expect(written).toContain("more");
  expect(written).not.toMatch(/finished|tail|panel|status/);
});

test("leaving removes the frame and keeps the scrollback", async () => {
  const screen = openScreen();
  screen.painter.paint(["said"], { lines: ["panel", "status"], caret: { row: 1, column: 2 } });
  screen.painter.leave();
  await screen.settle();
  expect(screen.lines()).toEqual(["said"]);
  expect(screen.cursor()).toEqual({ row: 1, column: 0 });
});
