import { binaryKind } from "./file-kind.ts";
import { linesShown, numberLines } from "./numbered-lines.ts";
import type { TouchedFile } from "./patch-plan.ts";
import type { ReadTracker } from "./read-tracker.ts";

/** The most text offered with a refusal: lines per file, and bytes of all files. */
const MOST_LINES = 200;
const MOST_BYTES = 8000;
/** Lines shown above the first line a change touches. */
const LINES_ABOVE = 20;

/**
 * Why these files may not be changed yet; undefined when they may. A file that changed since it was read, or was not
 * read far enough, comes with its present text, which then counts as read: the next try needs no Read in between.
 */
export function refuseUnread(reads: ReadTracker, files: readonly TouchedFile[]): string | undefined {
  let room = MOST_BYTES;
  const refusals = files.flatMap((file) => {
    const objection = reads.objection(file.path, file.bytes, file.act, file.lines);
    if (!objection) return [];
    const offer = objection.kind === "unread" || room <= 0 ? "" : offerText(reads, file, room);
    room -= Buffer.byteLength(offer);
    return [objection.message + offer];
  });
  return refusals.length === 0 ? undefined : refusals.join("\n");
}

function offerText(reads: ReadTracker, { path, bytes, lines: touched = [] }: TouchedFile, room: number): string {
  if (binaryKind(bytes)) return "";
  const lines = linesShown(bytes);
  const whole = numberLines(lines, 1, lines.length, room);
  if (lines.length <= MOST_LINES && whole.to === lines.length) {
    reads.sawFile(path, bytes);
    return `\nIts text is now (this counts as read):\n${whole.text.trimEnd()}`;
  }
  const from = Math.max(1, Math.min(...(touched.length > 0 ? touched : [1])) - LINES_ABOVE);
  const part = numberLines(lines, from, Math.min(lines.length, from + MOST_LINES - 1), room);
  reads.sawLines(path, bytes, from, part.to);
  return `\nIts lines ${from} to ${part.to} of ${lines.length} are now (these count as read):\n${part.text.trimEnd()}`;
}
