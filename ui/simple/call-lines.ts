/** One sentence for every change of a tool call. */
import { SETTLED, type ToolCall } from "../../src/protocol/tool-call.ts";
import { neutralise } from "../../src/text/neutralise.ts";
import * as wording from "../view/wording.ts";
import { countLines, diffSummary } from "./diff-words.ts";
import { type Line, line } from "./line.ts";

export interface CallContext {
  /** The tool under which this call runs. */
  readonly parent?: string;
  /** A person saw the change before it was made. */
  readonly judged: boolean;
}

const SUBJECT_CHARS = 200;
const TODO_TOOLS: ReadonlySet<string> = new Set(["TodoCreate", "TodoProgress", "TodoList"]);

/** What to tell about a call that has come into the state it is in; nothing for states that tell themselves. */
export function callLines(call: ToolCall, context: CallContext): Line[] {
  const name = `${context.parent === undefined ? "" : `In ${context.parent}: `}Tool ${oneLine(call.tool)}`;
  const isTodo = TODO_TOOLS.has(call.tool);
  switch (call.status) {
    case "pending":
    case "waiting":
      return [];
    case "running":
      // A question is about to be read out itself.
      return isTodo || call.tool === "Ask" ? [] : [line(`${name} started${about(call)}`, "faint")];
    case "done": {
      if (isTodo) return todoLines(call);
      const changed = context.judged || call.output.diff === undefined ? [] : diffSummary(call.output.diff);
      const head = `${name} finished in ${spokenDuration(call.ms)}, ${outputSize(call.output.text)}`;
      return [line(head, "faint"), ...changed.map((text) => line(text))];
    }
    case "failed":
      return [line(`${name} failed${after(call.ms)}: ${firstLine(wording.callResult(call))}`, "error")];
    case "denied":
      return [line(`${name} ${firstLine(wording.callResult(call))}`, "warn")];
    case "cancelled":
      return [line(`${name} ${firstLine(wording.callResult(call))}`, "warn")];
  }
}

export function isSettled(call: ToolCall): boolean {
  return SETTLED.has(call.status);
}

/** What a call works on, in words. */
export function callSubject(call: Pick<ToolCall, "tool" | "input">): string {
  const fields = typeof call.input === "object" && call.input !== null ? (call.input as Record<string, unknown>) : {};
  const { calls, patch } = fields;
  if (Array.isArray(calls)) return calls.length === 1 ? "1 call" : `${calls.length} calls`;
  if (typeof patch === "string") {
    const files = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((match) => match[1] ?? "");
    if (files.length > 0) return shorten(oneLine(files.join(", ")));
  }
  const subject = wording.callSubject(call, SUBJECT_CHARS);
  if (!subject.startsWith("{")) return subject;
  return shorten(
    Object.entries(fields)
      .map(([key, value]) => `${oneLine(key)} ${oneLine(typeof value === "string" ? value : JSON.stringify(value))}`)
      .join(", "),
  );
}

/** Milliseconds as `340 ms`, `1.2 s`, `2 min 5 s`, `1 h 2 min`. */
function spokenDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

function about(call: ToolCall): string {
  const subject = callSubject(call);
  return subject === "" ? "" : `: ${subject}`;
}

function after(ms: number): string {
  return ms < 100 ? "" : ` after ${spokenDuration(ms)}`;
}

function outputSize(text: string): string {
  const body = text.trimEnd();
  return body === "" ? "no output" : countLines(body.split("\n").length);
}

/** The list as it was made, or what changed in it. */
function todoLines(call: Extract<ToolCall, { status: "done" }>): Line[] {
  const items = (call.input as { items?: unknown } | null)?.items;
  if (call.tool === "TodoCreate" && Array.isArray(items) && items.length > 0) {
    const contents = items.map((item) => oneLine(String((item as { content?: unknown }).content ?? "")));
    return [
      line(`Todo list with ${contents.length === 1 ? "1 item" : `${contents.length} items`}:`),
      ...contents.map((content, index) => line(`${index + 1}. ${content}${index === 0 ? " (in progress)" : ""}`)),
    ];
  }
  const text = neutralise(call.output.text).trim().replaceAll("in_progress", "in progress");
  return text
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map((row, index) => line(index === 0 ? `Todo list: ${row}` : row));
}

function firstLine(text = ""): string {
  const [first = "", ...rest] = text.trim().split("\n");
  return rest.length === 0 ? first : `${first} (${countLines(rest.length)} more, /output shows them)`;
}

function oneLine(text: string): string {
  return neutralise(text).replace(/\s+/g, " ").trim();
}

function shorten(text: string): string {
  return text.length <= SUBJECT_CHARS ? text : `${text.slice(0, SUBJECT_CHARS - 1)}…`;
}
