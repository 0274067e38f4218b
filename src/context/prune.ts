import type { Message, ToolCallPart, ToolResultPart } from "../protocol/message.ts";
import { type Estimate, estimateMessage, inputText } from "./usage.ts";

export interface PruneSettings {
  /** When the caller prunes; off by default, because pruning rewrites what a provider has cached. */
  readonly mode: "off" | "iteration" | "compaction";
  /** The newest messages, up to this much of the window, stay whole. */
  readonly protectPercent: number;
  /** Calls whose input is estimated above this many tokens are shortened. */
  readonly argThreshold: number;
}

export const PRUNE_DEFAULTS: PruneSettings = { mode: "off", protectPercent: 30, argThreshold: 200 };

/** Shortens old tool results and old big call inputs (aura 8.9). Returns only the messages that changed. Pure. */
export function prune(
  messages: readonly Message[],
  settings: Pick<PruneSettings, "protectPercent" | "argThreshold">,
  window: number,
  estimate: Estimate,
): readonly Message[] {
  const changed: Message[] = [];
  for (const message of messages.slice(
    0,
    firstProtected(messages, (window * settings.protectPercent) / 100, estimate),
  )) {
    const parts = message.parts.map((part) => {
      if (part.type === "tool-result") return pruneResult(part, estimate);
      return part.type === "tool-call" ? pruneCall(part, settings.argThreshold, estimate) : part;
    });
    if (parts.some((part, at) => part !== message.parts[at])) changed.push({ ...message, parts });
  }
  return changed;
}

const PREVIEW_BYTES = 100;
const RESULT_MARK = "[tool output pruned — was ~";
const ARGUMENT_MARK = "[truncated — was ~";

function firstProtected(messages: readonly Message[], budget: number, estimate: Estimate): number {
  let tokens = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    tokens += estimateMessage(messages[at]!, estimate);
    if (tokens > budget) return at + 1;
  }
  return 0;
}

function pruneResult(part: ToolResultPart, estimate: Estimate): ToolResultPart {
  if (part.text.startsWith(RESULT_MARK)) return part;
  const text = `${RESULT_MARK}${estimate(part.text)} tokens]\n${preview(part.text)}`;
  if (text.length >= part.text.length && !part.images) return part;
  const { images: _, ...rest } = part;
  return { ...rest, text };
}

function pruneCall(part: ToolCallPart, threshold: number, estimate: Estimate): ToolCallPart {
  const { input } = part;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return part;
  if (estimate(inputText(input)) <= threshold) return part;
  const pruned = Object.entries(input).map(([name, value]) => [name, pruneArgument(value, estimate)] as const);
  return pruned.every(([name, value]) => value === (input as Record<string, unknown>)[name])
    ? part
    : { ...part, input: Object.fromEntries(pruned) };
}

function pruneArgument(value: unknown, estimate: Estimate): unknown {
  const text = inputText(value);
  if (Buffer.byteLength(text) <= PREVIEW_BYTES || text.startsWith(ARGUMENT_MARK)) return value;
  return `${ARGUMENT_MARK}${estimate(text)} tokens] ${preview(text)}`;
}

/** The first bytes, without half a character at the end. */
function preview(text: string): string {
  // Longer than that in characters is longer in bytes too: no need to encode a megabyte for its beginning.
  const bytes = Buffer.from(text.slice(0, PREVIEW_BYTES).replace(/[\uD800-\uDBFF]$/, ""));
  return bytes.length <= PREVIEW_BYTES ? bytes.toString() : cutBytes(bytes);
}

function cutBytes(bytes: Buffer): string {
  let end = PREVIEW_BYTES;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
