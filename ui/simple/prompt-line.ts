import type { Status } from "../../src/protocol/status.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, fitWidth } from "../../src/text/width.ts";
import type { Manner } from "./line.ts";

/** The most cells of what a tool says. */
const DOING_CELLS = 50;
/** The most cells of a line that the status may take before the sign. */
const STATUS_CELLS = 40;

/** What stands before the line to type: where we are (aura 19.8), or one sign for ears. */
export function promptLine(status: Status | undefined, manner: Manner): string {
  if (manner === "accessible" || status === undefined) return "> ";
  const { tokens } = status;
  const used =
    tokens.window === undefined || tokens.window <= 0 ? "" : `${Math.round((100 * tokens.used) / tokens.window)}%`;
  const parts = [status.agent, status.mode ?? "", status.model, used, status.auto ? "auto" : ""];
  let text = "";
  for (const part of parts.filter((some) => some !== "").map(neutralise)) {
    const longer = text === "" ? part : `${text} • ${part}`;
    if (displayWidth(longer) <= STATUS_CELLS) text = longer;
  }
  return `${text === "" ? fitWidth(neutralise(status.agent), STATUS_CELLS) : text} > `;
}

/** What stands there while something runs: the newest line of the tool that does, or nothing where lines are read out. */
export function restLine(doing: string | undefined, manner: Manner): string {
  if (manner === "accessible") return "";
  return `(${doing === undefined ? "working" : fitWidth(neutralise(doing).replace(/\s+/g, " ").trim(), DOING_CELLS)}) > `;
}
