/** One transcript item as lines. The same lines are shown while an item is live and when it is printed for good. */
import { SETTLED } from "../../src/protocol/tool-call.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, expandTabs } from "../../src/text/width.ts";
import { wrapText } from "../../src/text/wrap.ts";
import type { Folded, TreeCall } from "../view/call-tree.ts";
import { shortenPrompt } from "../view/long-prompt.ts";
import { type ShownCall, showsEnd } from "../view/shown-call.ts";
import type { Item } from "../view/view-state.ts";
import * as wording from "../view/wording.ts";
import { diffLines } from "./diff.ts";
import { diffRows } from "./diff-rows.ts";
import { type MarkdownTools, markdownLines } from "./markdown.ts";
import { clipLine, type Line, span } from "./spans.ts";
import type { Tone } from "./theme.ts";

export interface ItemStyle extends MarkdownTools {
  readonly verbose: boolean;
}

const PREVIEW_LINES = 4;
const DIFF_LINES = 14;
const COMMAND_LINES = 40;

/** Lines of at most `width` cells, with a blank line in front where the item stands apart from `previous`. */
export function renderItem(item: Item, previous: Item["kind"] | undefined, width: number, style: ItemStyle): Line[] {
  const lines = itemLines(item, width, style);
  const joins =
    previous === undefined ||
    (previous === "call" && item.kind === "call") ||
    (previous === "notice" && item.kind === "notice");
  return lines.length === 0 || joins ? lines : [[], ...lines];
}

function itemLines(item: Item, width: number, style: ItemStyle): Line[] {
  switch (item.kind) {
    case "prompt":
      return promptLines(item.text, item.synthetic, width);
    case "reply":
      return replyLines(item.text, item.first, width, style);
    case "thinking":
      return thinkingLines(item.text.trim(), width, style.verbose);
    case "call":
      return callLines(item, width);
    case "command":
      return commandLines(item.line, item.text, item.failed, width);
    case "notice":
      return plainLines(item.text, width, item.level === "info" ? "notice" : item.level);
    case "bookmark":
      return [clipLine([span(`--- ${neutralise(item.text)} ---`, "faint")], width)];
  }
}

function promptLines(text: string, synthetic: boolean, width: number): Line[] {
  const shown = shortenPrompt(text);
  if (synthetic) return plainLines(shown, width, "notice");
  const rows = wrapText(expandTabs(neutralise(`You: ${shown}`)), width);
  return rows.map((row, index) => (index === 0 ? [span("You: ", "you"), span(row.slice(5))] : [span(row)]));
}

function replyLines(text: string, first: boolean, width: number, style: ItemStyle): Line[] {
  if (!first) return markdownLines(text, width, style);
  // The label takes part in the wrapping of a paragraph; other blocks begin below it.
  const inText = /^\s*(?:[^\s#>|`~\-*+\d]|\*\*|`[^`]|\d(?!\d*[.)]\s))/.test(text);
  if (!inText) return [[span("Aura:", "aura")], ...markdownLines(text, width, style)];
  const [head = [], ...rest] = markdownLines(`Aura: ${text.trimStart()}`, width, style);
  const plain = head[0]?.text.startsWith("Aura: ") ? head[0] : undefined;
  if (plain === undefined) return [[span("Aura:", "aura")], ...markdownLines(text, width, style)];
  return [[span("Aura: ", "aura"), { ...plain, text: plain.text.slice(6) }, ...head.slice(1)], ...rest];
}

function plainLines(text: string, width: number, tone: Tone): Line[] {
  return wrapText(expandTabs(neutralise(text)), width).map((row) => [span(row, tone)]);
}

/** Folded to a line unless it was asked for. */
function thinkingLines(text: string, width: number, verbose: boolean): Line[] {
  if (verbose) return plainLines(text, width, "faint");
  const [first = "", ...rest] = neutralise(text).split("\n");
  const more = rest.length === 0 ? "" : ` (+${rest.length} ${rest.length === 1 ? "line" : "lines"}, ctrl+t)`;
  const room = width - displayWidth(more);
  const head = clipLine([span(`▸ thought: ${expandTabs(first)}`, "faint")], Math.max(12, room));
  return [clipLine([...head, span(more, "faint")], width)];
}

/** What a running call shows of this moment. */
export interface Moment {
  /** Picture of the spinner. */
  readonly picture: string;
  /** On the clock of `startedAt`. */
  readonly time: number;
}

/** A call in one of its states, below what was folded above it. However deep it runs, it keeps most of the width. */
export function callLines({ call, depth, folded }: TreeCall, width: number, moment?: Moment): Line[] {
  const indent = " ".repeat(Math.min(2 * depth, Math.floor(width / 3)));
  const inner = width - 2 - indent.length;
  const [mark, tone] = markOf(call, moment?.picture);
  const header = clipLine(
    [span(`${mark} `, tone), span(wording.callTitle(call), headerTone(call))],
    width - indent.length,
  );
  const above: Line[] =
    folded === undefined ? [] : [clipLine([span(foldedWords(folded), "faint")], width - indent.length)];
  const lines = [...above, header, ...detail(call, inner, moment?.time).map((line): Line => [span("  "), ...line])];
  return indent === "" ? lines : lines.map((line) => [span(indent), ...line]);
}

/** `… 20 more calls (2 failed, 1 not finished)`. */
function foldedWords({ count, failed, open }: Folded): string {
  const parts = [failed > 0 ? `${failed} failed` : "", open > 0 ? `${open} not finished` : ""].filter(Boolean);
  return `… ${count} more ${count === 1 ? "call" : "calls"}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

function markOf(call: ShownCall, spinner: string | undefined): [string, Tone] {
  switch (call.status) {
    case "pending":
      return ["○", "pending"];
    case "waiting":
      return ["?", "warn"];
    case "running":
      return [spinner ?? "○", "accent"];
    case "done":
      return ["✓", "done"];
    default:
      return ["✗", "error"];
  }
}

function headerTone(call: ShownCall): Tone {
  return SETTLED.has(call.status) || call.status === "running" || call.status === "waiting" ? "text" : "pending";
}

function detail(call: ShownCall, width: number, time: number | undefined): Line[] {
  const text = wording.callResult(call);
  const cost = wording.callCost(call);
  const head: Line[] = cost === "" ? [] : [clipLine([span(cost, "faint")], width)];
  switch (call.status) {
    case "pending":
      return [];
    case "waiting":
      return [clipLine([span(text ?? "", "faint")], width)];
    case "running": {
      const line = lastLine(text ?? "");
      const parts = [runningTime(call.startedAt, time), line].filter((part) => part !== "");
      return parts.length === 0 ? [] : [clipLine([span(parts.join(" • "), "faint")], width)];
    }
    case "done":
      return call.output.diff === undefined
        ? [...head, ...preview("→ ", text ?? "", call, width, previewTone(call.tool))]
        : [...head, ...clamp(diffLines(diffRows(call.output.diff), width, false), DIFF_LINES, call.hidden)];
    default:
      return [...head, ...preview("✗ ", text ?? "", call, width, "error")];
  }
}

/** `12s`, from a second on. */
function runningTime(startedAt: number, time: number | undefined): string {
  const elapsed = time === undefined ? 0 : time - startedAt;
  return elapsed < 1_000 ? "" : wording.formatDuration(Math.floor(elapsed / 1_000) * 1_000).replace(".0s", "s");
}

/** The lines that tell most, and how many there are besides. */
function preview(mark: string, text: string, call: ShownCall, width: number, tone: Tone): Line[] {
  const lines = expandTabs(text).split("\n");
  const end = showsEnd(call.tool);
  const hidden = call.hidden ?? 0;
  const left = Math.max(0, lines.length - PREVIEW_LINES) + hidden;
  const kept = end ? lines.slice(-PREVIEW_LINES) : lines.slice(0, PREVIEW_LINES);
  const shown = kept.map((line): Line => [span(line, tone)]);
  const rows = left === 0 ? shown : end ? [more(left, "earlier"), ...shown] : [...shown, more(left, "more")];
  return rows.map((row, index) => clipLine(index === 0 ? [span(mark, tone), ...row] : row, width));
}

function previewTone(tool: string): Tone {
  return tool === "Rg" ? "match" : "faint";
}

function commandLines(line: string, text: string, failed: boolean, width: number): Line[] {
  const echo = clipLine([span("› ", "accent"), span(neutralise(line).replace(/\s+/g, " "), "notice")], width);
  const lines = text === "" ? [] : plainLines(text, width, failed ? "error" : "text");
  return [echo, ...clamp(lines, COMMAND_LINES)];
}

/** `besides` is how many lines were left out before. */
function clamp(lines: readonly Line[], limit: number, besides = 0): Line[] {
  if (lines.length + besides <= limit + 1) return [...lines];
  return [...lines.slice(0, limit), more(lines.length - limit + besides, "more")];
}

function more(count: number, which: "more" | "earlier"): Line {
  return [span(`… ${count} ${which} ${count === 1 ? "line" : "lines"} (ctrl+o)`, "faint")];
}

function lastLine(text: string): string {
  const line = expandTabs(text).trimEnd().split("\n").at(-1) ?? "";
  return displayWidth(line) === 0 ? "" : line;
}
