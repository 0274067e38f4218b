import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, fitWidth } from "../../src/text/width.ts";
import { clipLine, type Line, paint, span } from "./spans.ts";
import type { Theme } from "./theme.ts";

export interface Choice {
  readonly label: string;
  readonly about?: string;
}

/** Rows under the input to choose from, at most `height` of them, scrolled so that the marked one is shown. */
export function choiceLines(
  choices: readonly Choice[],
  selected: number | undefined,
  height: number,
  columns: number,
  theme: Theme,
): string[] {
  const rows = Math.max(0, Math.min(height, choices.length));
  const top = Math.min(Math.max(0, (selected ?? 0) - Math.floor(rows / 2)), choices.length - rows);
  const shown = choices.slice(top, top + rows);
  const widest = Math.max(0, ...shown.map(({ label }) => displayWidth(oneLine(label))));
  const labelWidth = Math.min(widest, Math.max(8, columns - 4));
  return shown.map((choice, row) => paint(clipLine(line(choice, top + row === selected, labelWidth), columns), theme));
}

function line({ label, about = "" }: Choice, marked: boolean, labelWidth: number): Line {
  const text = fitWidth(oneLine(label), labelWidth);
  const gap = " ".repeat(Math.max(0, labelWidth - displayWidth(text)) + 2);
  return [
    span(marked ? "▸ " : "  ", "accent"),
    marked ? { text, tone: "accent", bold: true } : span(text),
    ...(about === "" ? [] : [span(`${gap}${oneLine(about)}`, "faint")]),
  ];
}

function oneLine(text: string): string {
  return neutralise(text)
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replace(/\t/g, " ");
}
