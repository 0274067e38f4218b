/** A window too small for boxes: the one line that is most useful. Pure. */
import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, fitWidth, takeWidth } from "../../src/text/width.ts";
import { formatDuration } from "../view/wording.ts";
import { plainText } from "./editor-state.ts";
import { MIN_SIZE, type Size } from "./frame.ts";
import { activityWord, type Spinner } from "./live-lines.ts";
import type { Frame } from "./painter.ts";
import type { Screen } from "./screen.ts";

export function isTiny(size: Size): boolean {
  return size.columns < MIN_SIZE.columns || size.rows < MIN_SIZE.rows;
}

export function tinyFrame(screen: Screen, size: Size, spinner: Spinner): Frame {
  const { view, dialog } = screen;
  if (dialog !== undefined) return still("? waits for your answer: enlarge the window", size);
  const text = plainText(screen.editor).replace(/\s+/g, " ");
  if (view.status?.busy && text === "") {
    const time = spinner.elapsed === undefined ? "" : ` ${formatDuration(Math.floor(spinner.elapsed / 1_000) * 1_000)}`;
    return still(`${spinner.picture} ${activityWord(view)}${time}`, size);
  }
  if (text === "") return still("aura: enlarge the window", size);
  // The end of what is typed, with a cell for the caret.
  const shown = endOf(neutralise(text), Math.max(1, size.columns - 3));
  return { lines: [takeWidth(`❯ ${shown}`, size.columns)], caret: { row: 0, column: 2 + displayWidth(shown) } };
}

function still(text: string, size: Size): Frame {
  return { lines: [fitWidth(text, size.columns)], caret: undefined };
}

function endOf(text: string, width: number): string {
  let from = Math.max(0, text.length - width);
  while (displayWidth(text.slice(from)) > width) from++;
  return text.slice(from).trimStart();
}
