/** What the model has set out to do, above the input while some of it is left. */
import type { TodoItem } from "../../src/protocol/todos.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { clipLine, type Line, span } from "./spans.ts";

/** At most `height` lines; one says it all in few words, none is shown when all is done. */
export function todoLines(items: readonly TodoItem[], columns: number, height: number): Line[] {
  const done = items.filter((item) => item.status === "completed").length;
  const left = items.filter((item) => item.status !== "completed");
  if (left.length === 0 || height < 1) return [];
  // What is being done first, then what comes next, each in the order of the list.
  const sorted = [
    ...left.filter((item) => item.status === "in_progress"),
    ...left.filter((item) => item.status === "pending"),
  ];
  const count = span(`todo ${done}/${items.length}`, "faint");
  const [first] = sorted;
  if (height < 3 && first !== undefined) return [clipLine([count, span(" "), ...itemSpans(first)], columns)];
  const room = height - 1;
  const shown = sorted.slice(0, sorted.length > room ? room - 1 : room);
  const rest = sorted.length - shown.length;
  const lines: Line[] = [[count], ...shown.map((item): Line => [span("  "), ...itemSpans(item)])];
  if (rest > 0) lines.push([span(`  … ${rest} more`, "faint")]);
  return lines.map((line) => clipLine(line, columns));
}

function itemSpans({ status, content }: TodoItem): Line {
  const text = neutralise(content).replace(/\s+/g, " ").trim();
  return status === "in_progress" ? [span("▶ ", "accent"), span(text)] : [span("○ ", "pending"), span(text, "faint")];
}
