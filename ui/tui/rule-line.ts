import { clipLine, type Line, span } from "./spans.ts";

/** The line between what is judged and the answers; it says when there is more to see. */
export function ruleLine(top: number, shown: number, total: number, width: number): Line {
  const place = shown >= total ? "" : ` lines ${top + 1}-${top + shown} of ${total} ↑↓ `;
  return clipLine(
    [span("──", "border"), span(place, "warn"), span("─".repeat(Math.max(0, width - 2 - place.length)), "border")],
    width,
  );
}
