/** What a screen keeps of a call: enough for its card. The whole output is in the session log, the newest in `lastOutput`. */
import type { CallFailure, ToolCall } from "../../src/protocol/tool-call.ts";
import { ownText } from "./own-text.ts";

export type ShownCall = ToolCall & {
  /** Lines of the output that were left out: at its start when `showsEnd`, else at its end. */
  readonly hidden?: number;
};

/** Characters of output, of a printed line and of one argument. */
const OUTPUT_CHARS = 2_000;
const LINE_CHARS = 500;
const ARGUMENT_CHARS = 500;
const DIFF_LINES = 60;
const DIFF_CHARS = 8_000;
const LIST_ITEMS = 30;

/** The end of a command's output tells how it went; of what was read or found, the start tells what it is. */
export function showsEnd(tool: string): boolean {
  return tool === "Bash";
}

export function shownCall(call: ToolCall): ShownCall {
  const kept = { ...call, input: shortened(call.input) };
  if (call.status === "done" && kept.status === "done") {
    const { text, tokens, fullTextFile, diff } = call.output;
    const output = cutOutput(text, showsEnd(call.tool));
    const change = diff === undefined ? undefined : cutDiff(diff);
    return withHidden(
      {
        ...kept,
        output: {
          text: output.text,
          ...(tokens === undefined ? {} : { tokens }),
          ...(fullTextFile === undefined ? {} : { fullTextFile }),
          ...(change === undefined ? {} : { diff: change.text }),
        },
      },
      change?.hidden ?? output.hidden,
    );
  }
  if (kept.status === "failed" && "message" in kept.failure) {
    const message = cutOutput(kept.failure.message, showsEnd(call.tool));
    const failure: CallFailure = { ...kept.failure, message: message.text };
    return withHidden({ ...kept, failure }, message.hidden);
  }
  return kept;
}

/** A line a running call printed, no longer than a card could show. */
export function shownLine(line: string): string {
  return line.length <= LINE_CHARS ? line : ownText(line.slice(0, LINE_CHARS));
}

interface Cut {
  readonly text: string;
  /** Lines left out. */
  readonly hidden: number;
}

function cutOutput(text: string, end: boolean): Cut {
  if (text.length <= OUTPUT_CHARS) return { text, hidden: 0 };
  if (!end) return { text: ownText(text.slice(0, OUTPUT_CHARS)), hidden: newlines(text.trimEnd(), OUTPUT_CHARS) };
  const trimmed = text.trimEnd();
  const from = Math.max(0, trimmed.length - OUTPUT_CHARS);
  return { text: ownText(trimmed.slice(from)), hidden: newlines(trimmed.slice(0, from), 0) };
}

function cutDiff(diff: string): Cut {
  let end = 0;
  for (let line = 0; line < DIFF_LINES && end < diff.length; line++) {
    const next = diff.indexOf("\n", end);
    end = next < 0 ? diff.length : next + 1;
  }
  end = Math.min(end, DIFF_CHARS);
  const rest = diff.slice(end).trimEnd();
  const begins = diff[end - 1] === "\n" && rest !== "" ? 1 : 0;
  return { text: ownText(diff.slice(0, end)), hidden: newlines(rest, 0) + begins };
}

function newlines(text: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function withHidden(call: ToolCall, hidden: number): ShownCall {
  return hidden === 0 ? call : { ...call, hidden };
}

/** Arguments without their long texts; a card shows one line of them. */
function shortened(input: unknown): unknown {
  if (typeof input === "string")
    return input.length <= ARGUMENT_CHARS ? input : `${ownText(input.slice(0, ARGUMENT_CHARS))}…`;
  if (Array.isArray(input)) return input.slice(0, LIST_ITEMS).map(shortened);
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, shortened(value)]));
}
