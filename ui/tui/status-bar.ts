import type { Level } from "../../src/protocol/event.ts";
import type { Status } from "../../src/protocol/status.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { fitWidth } from "../../src/text/width.ts";
import { statusLine } from "../view/wording.ts";
import { colouredSpans } from "./sgr-text.ts";
import { clipLine, type Line, lineWidth, paint, span } from "./spans.ts";
import type { Theme } from "./theme.ts";

export interface StatusView {
  readonly status: Status | undefined;
  readonly flash: { readonly level: Level; readonly text: string } | undefined;
  readonly help: string;
  readonly queued: number;
}

/** Flash (when there is one), status and help: one line each. */
export function statusLines(view: StatusView, columns: number, theme: Theme): string[] {
  const flash =
    view.flash === undefined
      ? []
      : [
          paint(
            [
              span(
                fitWidth(oneLine(view.flash.text), columns),
                view.flash.level === "info" ? "notice" : view.flash.level,
              ),
            ],
            theme,
          ),
        ];
  const pending = view.queued > 0 ? `(${view.queued} pending) ` : "";
  const help = [span(fitWidth(`${pending}${view.help}`, columns), "faint")];
  const padding = span(" ".repeat(Math.max(0, columns - lineWidth(help))));
  return [...flash, paint(clipLine(statusSpans(view.status), columns), theme), paint([padding, ...help], theme)];
}

function statusSpans(status: Status | undefined): Line {
  if (status?.statusLine !== undefined) return colouredSpans(status.statusLine, "faint");
  return [span(status === undefined ? "starting…" : statusLine(status), "faint")];
}

/** Prompts waiting for the running turn, newest last, at most three lines. */
export function queueLines(queue: readonly string[], columns: number, theme: Theme): string[] {
  const shown = queue
    .slice(0, 3)
    .map((text) => paint([span(fitWidth(`▸ ${oneLine(text)}`, columns), "notice")], theme));
  const rest = queue.length - shown.length;
  return rest > 0 ? [...shown.slice(0, 2), paint([span(`▸ … ${rest + 1} more`, "notice")], theme)] : shown;
}

function oneLine(text: string): string {
  return neutralise(text).replace(/\s+/g, " ").trim();
}
