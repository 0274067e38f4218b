/** One sentence per call, verdict, failure, request and status; every front end speaks with these. Pure, no colours. */
import type { TurnEnd } from "../../src/protocol/event.ts";
import type { RequestOf } from "../../src/protocol/request.ts";
import type { Status } from "../../src/protocol/status.ts";
import type { TodoItem } from "../../src/protocol/todos.ts";
import type { CallFailure, Refusal, ToolCall } from "../../src/protocol/tool-call.ts";
import type { Because, Scope } from "../../src/protocol/verdict.ts";
import { neutralise } from "../../src/text/neutralise.ts";

/** `[Tool: Bash] {"command":"ls"}`, on one line. `limit` is in characters. */
export function callTitle(call: Pick<ToolCall, "tool" | "input">, limit = 400): string {
  return `[Tool: ${oneLine(call.tool)}] ${shorten(oneLine(inputText(call.input)), limit)}`.trimEnd();
}

/** What the call works on: a command, a path, a pattern; else its arguments. One line. */
export function callSubject(call: Pick<ToolCall, "input">, limit = 400): string {
  const input = call.input;
  if (typeof input === "object" && input !== null) {
    const fields = input as Record<string, unknown>;
    const given = (...names: string[]) => names.map((name) => fields[name]).find(isWords);
    // A search is told by what it looks for, and where.
    const search = isWords(fields["pattern"])
      ? [fields["pattern"], given("path")].filter(isWords).join(" in ")
      : undefined;
    const subject = given("command", "file_path") ?? search ?? given("path", "query", "url");
    if (subject !== undefined) return shorten(oneLine(subject), limit);
  }
  return shorten(oneLine(inputText(input)), limit);
}

const isWords = (value: unknown): value is string => typeof value === "string" && value !== "";

/** What became of a call, in a few words or lines; undefined while there is nothing to say. */
export function callResult(call: ToolCall): string | undefined {
  switch (call.status) {
    case "pending":
      return undefined;
    case "waiting":
      return "waiting for your answer";
    case "running":
      return call.lastLine === undefined ? undefined : neutralise(call.lastLine);
    case "done":
      return neutralise(call.output.text).trim() === "" ? "(empty)" : neutralise(call.output.text).trimEnd();
    case "failed":
      return failure(call.failure);
    case "denied":
      return refusal(call.refusal);
    case "cancelled":
      return cancelled(call.by);
  }
}

/** `1.2s • [tokens: ~34]`: what a settled call cost, empty when nothing is known. */
export function callCost(call: ToolCall): string {
  if (call.status !== "done" && call.status !== "failed") return "";
  const parts = call.ms >= 100 ? [formatDuration(call.ms)] : [];
  if (call.status === "done" && call.output.tokens !== undefined) {
    parts.push(`[tokens: ~${formatTokens(call.output.tokens)}]`);
  }
  return parts.join(" • ");
}

function failure(what: CallFailure): string {
  switch (what.kind) {
    case "unknown-tool":
    case "malformed-call":
    case "error":
      return neutralise(what.message);
    case "bad-input":
      return `invalid arguments: ${neutralise(what.problems.join("; "))}`;
    case "blocked":
      return `blocked by ${neutralise(what.by)}: ${neutralise(what.reason)}`;
    case "outside-sandbox":
      return `the sandbox does not allow to ${what.access} ${neutralise(what.path)}`;
  }
}

function refusal(what: Refusal): string {
  switch (what.by) {
    case "rule":
      return `denied by ${because(what.because)}`;
    case "person":
      return what.feedback === undefined ? "denied by you" : `denied by you: ${neutralise(what.feedback)}`;
    case "nobody":
      return `denied: ${neutralise(what.reason)}`;
  }
}

/** `rule Bash:git* (project, config/rules/a.yaml:3)`; a decision that no pattern made is told by its sentence. */
export function because(why: Because): string {
  const place = why.file === undefined ? undefined : why.line === undefined ? why.file : `${why.file}:${why.line}`;
  const isSentence = why.from === "built-in" && /^[^:]*\s/.test(why.rule);
  return `${isSentence ? "" : "rule "}${neutralise(why.rule)} (${place === undefined ? why.from : `${why.from}, ${neutralise(place)}`})`;
}

/** Title of the approval dialog. The whole command or path is shown below it. */
export function approvalTitle(request: RequestOf<"approval">): string {
  return `Confirm ${oneLine(request.tool)}${asker(request)}`;
}

/** ` for explorer`, when somebody else than the agent a person talks to wants to make the call. */
export function asker({ who }: Pick<RequestOf<"approval">, "who">): string {
  return who === undefined ? "" : ` for ${shorten(oneLine(who), 60)}`;
}

/** Title of the question dialog: who asks, when it is not the model. */
export function questionTitle({ from }: Pick<RequestOf<"question">, "from">): string {
  return from === undefined ? "Question" : `${shorten(oneLine(from), 60)} asks`;
}

/** What a scope would let through from now on. */
export function scopeMeaning(scope: Scope, pattern: string): string {
  switch (scope) {
    case "once":
      return "allow this call";
    case "session":
      return `allow ${pattern} until this session ends`;
    case "project":
      return `always allow ${pattern} in this project`;
    case "global":
      return `always allow ${pattern} everywhere`;
  }
}

/** Whether an answer may remember `offer` for that long. */
export function offersScope(offer: { readonly sessionOnly?: true } | undefined, scope: Scope): boolean {
  if (scope === "once") return true;
  return offer !== undefined && (scope === "session" || offer.sessionOnly !== true);
}

/** Why `offer` is not remembered, or not for longer; without an offer, why only a single allow is possible. */
export function noPattern(request: RequestOf<"approval">, offer?: { readonly sessionOnly?: true }): string {
  const isNarrow = offer?.sessionOnly === true && request.sessionOnly !== true;
  if (isNarrow) return "a rule for one exact command is not saved, but a broader one may be";
  return neutralise(request.noPattern ?? "no reusable pattern is safe for this call");
}

/** The first line of a text, not too long. */
export function firstLine(text: string): string {
  return shorten(oneLine(text.trim().split("\n")[0] ?? ""), 100);
}

/** How far the todos are; undefined without any. */
export function todoSentence(items: readonly TodoItem[]): string | undefined {
  if (items.length === 0) return undefined;
  const done = items.filter((item) => item.status === "completed").length;
  const now = items.find((item) => item.status === "in_progress");
  const count = `Todos: ${done} of ${items.length} done.`;
  return now === undefined ? count : `${count} Now: ${oneLine(now.content)}`;
}

/** How a turn ended, when that is worth a line. */
export function turnEnd(reason: TurnEnd, error: string | undefined): string | undefined {
  switch (reason) {
    case "answered":
    case "done":
      return undefined;
    case "cancelled":
      return "cancelled";
    case "limit":
      return error === undefined ? "stopped at a limit" : `stopped at a limit: ${neutralise(error)}`;
    case "failed":
      return neutralise(error ?? "the turn failed");
  }
}

/** `agent • mode • model • think: x • provider • step a/b • tokens: 12.4k/131k (10%) • ...`; empty parts dropped. */
export function statusLine(status: Status): string {
  const { tokens } = status;
  const parts = [
    status.agent,
    status.mode ?? "",
    status.model,
    `think: ${status.think}`,
    status.provider,
    status.step > 0 ? `step ${status.step}/${status.maxSteps}` : "",
    tokens.window === undefined || tokens.window <= 0
      ? ""
      : `tokens: ${formatTokens(tokens.used)}/${formatTokens(tokens.window)} (${Math.round((100 * tokens.used) / tokens.window)}%)`,
    status.cost === undefined ? "" : formatCost(status.cost),
    status.sandbox === "enforced" ? "🔒" : status.sandbox === "requested" ? "🔓" : "",
    status.verbose ? "verbose" : "",
    status.auto ? "auto" : "",
    status.background ? `${status.background} ${status.background === 1 ? "job" : "jobs"}` : "",
  ];
  return parts
    .filter((part) => part !== "")
    .map(oneLine)
    .join(" • ");
}

/** `987`, `12.4k`, `131k`, `1.5M`. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return `${scaled(count / 1000)}k`;
  return `${scaled(count / 1_000_000)}M`;
}

/** Milliseconds as `340ms`, `1.2s`, `2m 05s`, `1h 02m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
  return `${Math.floor(seconds / 3600)}h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")}m`;
}

function formatCost(dollars: number): string {
  return `$${dollars < 0.1 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}

function cancelled(by: "user" | "limit" | "shutdown"): string {
  return by === "user" ? "cancelled" : by === "limit" ? "stopped at a limit" : "stopped: Aura was closing";
}

function scaled(value: number): string {
  const rounded = value.toFixed(1);
  return value >= 99.95 || rounded.endsWith(".0") ? String(Math.round(value)) : rounded;
}

function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  return JSON.stringify(input) ?? "";
}

function oneLine(text: string): string {
  return neutralise(text).replace(/\s+/g, " ").trim();
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
