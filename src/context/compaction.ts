import type { Message } from "../protocol/message.ts";
import { type CompactionTodos, todoLines } from "./compaction-todos.ts";
import { digest } from "./digest.ts";
import { callsOf, fadeFailed, resultsOf } from "./pairing.ts";
import { summaryPrompts } from "./summary-prompt.ts";
import type { ContextUsage } from "./usage.ts";
import { isVisible } from "./visibility.ts";

/** aura 17.6 `compaction`, as far as this file uses it. */
export interface CompactionSettings {
  /** Percent of the window at which to compact; 0 = never by percent. */
  readonly threshold: number;
  /** Tokens at which to compact, instead of `threshold`; 0 = use `threshold`. */
  readonly maxTokens: number;
  readonly keepLastMessages: number;
  /** Characters of each tool result a summary is made from. */
  readonly toolResultMaxLength: number;
  /** Shorter lengths to try when the summary fails, in order. */
  readonly truncationRetries: readonly number[];
  readonly chunks: number;
}

export const COMPACTION_DEFAULTS: CompactionSettings = {
  threshold: 80,
  maxTokens: 0,
  keepLastMessages: 10,
  toolResultMaxLength: 200,
  truncationRetries: [150, 100, 50, 0],
  chunks: 1,
};

export function needsCompaction(usage: ContextUsage, settings: CompactionSettings): boolean {
  if (settings.maxTokens > 0) return usage.used >= settings.maxTokens;
  return settings.threshold > 0 && usage.percent !== undefined && usage.percent >= settings.threshold;
}

/** What a model answered to the request for a summary. An answer with calls or without words is a failure. */
export type SummaryAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "cancelled" };

export interface CompactionOptions {
  readonly settings: CompactionSettings;
  readonly todos: CompactionTodos;
  /** Asks a model with the configured compaction prompt or agent; without it the digest is made here. */
  readonly ask?: (prompt: string) => Promise<SummaryAnswer>;
  /** Asked for by a person or by a full context: something is to be given up even in a short history. */
  readonly forced?: boolean;
  readonly newId: () => string;
  /** ISO 8601. */
  readonly at: string;
}

export type Compaction =
  | {
      readonly kind: "compacted";
      /** The ids `messages` stand for. */
      readonly replaced: readonly string[];
      readonly messages: readonly Message[];
      readonly summary: string;
    }
  /** All there is would be kept. */
  | { readonly kind: "nothing-to-do" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "cancelled" };

/**
 * Replaces the older part of a conversation by one user message that says what matters of it (aura 15).
 *
 * @param history all messages; what comes out goes to `History.replace`
 */
export async function compact(history: readonly Message[], options: CompactionOptions): Promise<Compaction> {
  const { settings, forced } = options;
  const keep = forced
    ? Math.min(settings.keepLastMessages, Math.max(0, countNormal(history) - 2))
    : settings.keepLastMessages;
  const old = history.slice(0, splitForCompaction(history, keep));
  const told = fadeFailed(old, old.length).filter((message) => isVisible(message, "compaction"));
  if (told.length === 0 || (told.length === 1 && isCompaction(told[0]!))) return { kind: "nothing-to-do" };
  const answer: SummaryAnswer = options.ask
    ? await summarise(told, options, options.ask)
    : { kind: "text", text: digest(told) };
  if (answer.kind !== "text") return answer;
  return {
    kind: "compacted",
    replaced: old.map(({ id }) => id),
    messages: rebuilt(answer.text, options),
    summary: answer.text,
  };
}

/**
 * The index of the first message to keep: the last `keep` normal messages stay, and as many more as it takes not to
 * part a result from its call. Pure.
 */
export function splitForCompaction(messages: readonly Message[], keep: number): number {
  let cut = messages.length;
  for (let kept = 0; cut > 0 && kept < keep; cut--) if (messages[cut - 1]!.kind === "normal") kept++;
  for (let at = cut; at < messages.length; at++)
    for (const { callId } of resultsOf(messages[at]!)) {
      const owner = messages.findLastIndex((message, index) => index < at && makesCall(message, callId));
      if (owner >= 0) cut = Math.min(cut, owner);
    }
  return cut;
}

/** How many to keep next after a context was found full: one less, or none when the last attempt freed nothing. */
export function nextKeep(keep: number, freedSomething: boolean): number {
  return freedSomething ? Math.max(0, keep - 1) : 0;
}

const BEGIN = "*** [COMPACTION]:";
const END = "*** [END COMPACTION]";

function isCompaction(message: Message): boolean {
  const first = message.parts[0];
  return message.role === "user" && first?.type === "text" && first.text.startsWith(BEGIN);
}

const makesCall = (message: Message, callId: string) => callsOf(message).some((call) => call.callId === callId);
const countNormal = (messages: readonly Message[]) => messages.filter(({ kind }) => kind === "normal").length;

async function summarise(
  told: readonly Message[],
  { settings, todos }: CompactionOptions,
  ask: (prompt: string) => Promise<SummaryAnswer>,
): Promise<SummaryAnswer> {
  let last: SummaryAnswer = { kind: "failed", reason: "no summary was asked for" };
  for (const length of [settings.toolResultMaxLength, ...settings.truncationRetries]) {
    last = await askInChunks(told, length, settings.chunks, todos, ask);
    if (last.kind !== "failed") return last;
  }
  return last;
}

async function askInChunks(
  told: readonly Message[],
  resultLength: number,
  chunks: number,
  todos: CompactionTodos,
  ask: (prompt: string) => Promise<SummaryAnswer>,
): Promise<SummaryAnswer> {
  let summary: string | undefined;
  for (const prompt of summaryPrompts(told, { resultLength, chunks, todos })) {
    const answer = await ask(prompt(summary));
    if (answer.kind !== "text") return answer;
    if (answer.text.trim() === "") return { kind: "failed", reason: "the summary came back empty" };
    summary = answer.text;
  }
  return { kind: "text", text: summary ?? "" };
}

function rebuilt(summary: string, { todos, newId, at }: CompactionOptions): readonly Message[] {
  const text = [BEGIN, summary.trim(), ...todoLines(todos), END].join("\n\n");
  return [
    { id: newId(), role: "user", kind: "bookmark", at, parts: [{ type: "text", text: "Context compacted" }] },
    { id: newId(), role: "user", kind: "normal", at, parts: [{ type: "text", text }] },
  ];
}
