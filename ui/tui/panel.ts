/** What stands below the transcript, as lines: a box to type or decide in, and single lines around it. */
import { displayWidth } from "../../src/text/width.ts";
import type { Caret } from "./painter.ts";

export interface Box {
  /** First line of a dialog; the input box has none. */
  readonly title?: string;
  /** Painted lines, at most `columns - 4` wide. */
  readonly lines: readonly string[];
  /** Within `lines`. */
  readonly caret: Caret | undefined;
}

export interface Panel {
  /** Queued prompts. */
  readonly above: readonly string[];
  readonly box: Box;
  /** Flash, status and help. */
  readonly below: readonly string[];
}

/** Border and padding of the box, left of its text. */
export const BOX_INSET = 2;

/** Where typing goes, counted from the panel's first line. */
export function panelCaret(panel: Panel): Caret | undefined {
  const { caret } = panel.box;
  if (caret === undefined) return undefined;
  const inside = panel.box.title === undefined ? 0 : 1;
  return { row: panel.above.length + 1 + inside + caret.row, column: BOX_INSET + caret.column };
}

/** The panel drawn by hand: what the screen shows until Ink is loaded, and the same as Ink then draws. */
export function sketchPanel(panel: Panel, columns: number): string[] {
  const title = panel.box.title === undefined ? [] : [panel.box.title];
  const rows = [...title, ...panel.box.lines].map((line) => boxRow(line, columns));
  const edge = "─".repeat(Math.max(0, columns - 2));
  return [...panel.above, `╭${edge}╮`, ...rows, `╰${edge}╯`, ...panel.below];
}

/** A line of the box between its borders. */
export function boxRow(line: string, columns: number): string {
  return `│ ${line}${" ".repeat(Math.max(0, columns - 2 * BOX_INSET - paintedWidth(line)))} │`;
}

/** Cells of a painted line: SGR and hyperlink sequences take none. */
function paintedWidth(line: string): number {
  return displayWidth(line.replace(/\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\/g, ""));
}
