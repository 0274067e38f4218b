import { expect, test } from "vitest";
import { createInkLayout } from "../../../../ui/tui/ink-layout.tsx";
import { type Panel, sketchPanel } from "../../../../ui/tui/panel.ts";

const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/\x1b\[[\d;]*m/g, "").trimEnd());

const panels: Panel[] = [
  {
    above: [],
    box: { lines: ["\x1b[90mType your message...\x1b[0m"], caret: { row: 0, column: 0 } },
    below: ["status", "   help"],
  },
  { above: ["▸ queued"], box: { lines: ["日本語", "", "two"], caret: undefined }, below: ["status"] },
  {
    above: [],
    box: { title: "Confirm Bash", lines: ["rm -rf x", "─".repeat(36), "[a] Allow"], caret: undefined },
    below: ["a", "b", "c"],
  },
];

test("the first frame, drawn by hand, is what Ink draws", () => {
  const layout = createInkLayout();
  for (const panel of panels) expect(plain(sketchPanel(panel, 40))).toEqual(plain(layout.lines(panel, 40)));
});

test("a new width lays the same panel out anew", () => {
  const layout = createInkLayout();
  for (const columns of [40, 60, 30]) {
    expect(layout.lines(panels[0]!, columns)[0]).toBe(`╭${"─".repeat(columns - 2)}╮`);
  }
});

test("a row that changed is drawn as Ink would draw the whole anew", () => {
  const base: Panel = {
    above: ["▸ queued"],
    box: { title: "Title", lines: ["one", "two"], caret: undefined },
    below: ["status", "help"],
  };
  const next: readonly Panel[] = [
    { ...base, box: { ...base.box, lines: ["one", "\x1b[31m日本\x1b[0m 👩‍👩‍👧‍👦"] } },
    { ...base, above: ["▸ other"], below: ["", "more help"] },
    { ...base, box: { ...base.box, title: "Other title" } },
    { ...base, box: { ...base.box, lines: ["one"] }, below: ["status"] },
  ];
  for (const columns of [40, 20]) {
    const layout = createInkLayout();
    for (const panel of [base, ...next, base])
      expect(plain(layout.lines(panel, columns))).toEqual(plain(createInkLayout().lines(panel, columns)));
  }
});
