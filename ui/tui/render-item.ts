/** One transcript item as lines. The same lines are shown while an item is live and when it is printed for good. */
import { SETTLED, type ToolCall } from "../../src/protocol/tool-call.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import { displayWidth, expandTabs } from "../../src/text/width.ts";
import { wrapText } from "../../src/text/wrap.ts";
import type { Item } from "../view/view-state.ts";
import * as wording from "../view/wording.ts";
import { diffLines } from "./diff.ts";
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
      return style.verbose ? plainLines(item.text.trim(), width, "faint") : [];
    case "call":
      return callLines(item.call, item.depth, width, undefined);
    case "command":
      return commandLines(item.line, item.text, item.failed, width);
    case "notice":
      return plainLines(item.text, width, item.level === "info" ? "notice" : item.level);
    case "bookmark":
      return [clipLine([span(`--- ${neutralise(item.text)} ---`, "faint")], width)];
  }
}

function promptLines(text: string, synthetic: boolean, width: number): Line[] {
  if (synthetic) return plainLines(text, width, "notice");
  const rows = wrapText(expandTabs(neutralise(`You: ${text}`)), width);
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

/** A call in one of its states; `spinner` is the picture of this moment while it runs. */
export function callLines(call: ToolCall, depth: number, width: number, spinner: string | undefined): Line[] {
  const indent = " ".repeat(2 * depth);
  const inner = width - 2 - indent.length;
  const [mark, tone] = markOf(call, spinner);
  const header = clipLine(
    [span(`${mark} `, tone), span(wording.callTitle(call), headerTone(call))],
    width - indent.length,
  );
  const lines = [header, ...detail(call, inner).map((line): Line => [span("  "), ...line])];
  return indent === "" ? lines : lines.map((line) => [span(indent), ...line]);
}

function markOf(call: ToolCall, spinner: string | undefined): [string, Tone] {
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

function headerTone(call: ToolCall): Tone {
  return SETTLED.has(call.status) || call.status === "running" || call.status === "waiting" ? "text" : "pending";
}

function detail(call: ToolCall, width: number): Line[] {
  const text = wording.callResult(call);
  const cost = wording.callCost(call);
  const head: Line[] = cost === "" ? [] : [[span(cost, "faint")]];
  if (call.status === "done") {
    if (call.output.diff !== undefined)
      return [...head, ...clamp(diffLines(call.output.diff, width, false), DIFF_LINES)];
    return [...head, ...preview(`→ ${text ?? ""}`, width, previewTone(call.tool))];
  }
  if (text === undefined) return [];
  if (call.status === "running" || call.status === "waiting") return [clipLine([span(lastLine(text), "faint")], width)];
  return [...head, ...preview(`✗ ${text}`, width, "error")];
}

function preview(text: string, width: number, tone: Tone): Line[] {
  const lines = expandTabs(text.slice(0, 1_000)).split("\n");
  const rest = text.length > 1_000 ? text.split("\n").length : lines.length;
  const shown = lines.slice(0, PREVIEW_LINES).map((line): Line => clipLine([span(line, tone)], width));
  return rest > PREVIEW_LINES ? [...shown, more(rest - PREVIEW_LINES)] : shown;
}

function previewTone(tool: string): Tone {
  return tool === "Rg" ? "match" : "faint";
}

function commandLines(line: string, text: string, failed: boolean, width: number): Line[] {
  const echo = clipLine([span("› ", "accent"), span(neutralise(line).replace(/\s+/g, " "), "notice")], width);
  const lines = text === "" ? [] : plainLines(text, width, failed ? "error" : "text");
  return [echo, ...clamp(lines, COMMAND_LINES)];
}

function clamp(lines: readonly Line[], limit: number): Line[] {
  return lines.length <= limit + 1 ? [...lines] : [...lines.slice(0, limit), more(lines.length - limit)];
}

function more(count: number): Line {
  return [span(`… ${count} more ${count === 1 ? "line" : "lines"} (ctrl+o)`, "faint")];
}

function lastLine(text: string): string {
  const line = expandTabs(text).trimEnd().split("\n").at(-1) ?? "";
  return displayWidth(line) === 0 ? "" : line;
}
