import type { CallFailure, Refusal, ToolCall } from "../protocol/tool-call.ts";
import type { Because } from "../protocol/verdict.ts";

/** What the model reads as the result of a settled call. Every failure begins with `Error: ` (aura 1). */
export function resultText(call: ToolCall): { readonly text: string; readonly failed: boolean } {
  switch (call.status) {
    case "done":
      return { text: call.output.text, failed: false };
    case "failed":
      return { text: failureForModel(call.failure), failed: true };
    case "denied":
      return { text: `Error: ${refusalForModel(call.refusal)}`, failed: true };
    case "cancelled":
      return { text: `Error: ${(call.ran === false ? NOT_RUN : CANCELLED)[call.by]}`, failed: true };
    default:
      throw new Error(`call ${call.id} of ${call.tool} is ${call.status}: only a settled call has a result`);
  }
}

const CANCELLED = {
  user: "cancelled by the user before it finished; it may have had partial effects",
  limit: "not run: the step limit was reached",
  shutdown: "interrupted: the program ended before this finished; it may have had partial effects",
};

const NOT_RUN = {
  user: "not run: the user cancelled before it was started",
  limit: CANCELLED.limit,
  shutdown: "not run: the program ended before it was started",
};

function failureForModel(failure: CallFailure): string {
  switch (failure.kind) {
    case "bad-input":
      return `Error: validating args: ${failure.problems.slice(0, -1).join("; ")}\n\n${failure.problems.at(-1)}`;
    case "blocked":
      return `Error: ${failure.by === "tool" ? "" : `${failure.by}: `}${failure.reason}`;
    case "outside-sandbox":
      return `Error: sandbox: ${failure.access} access denied for "${failure.path}"`;
    default:
      return `Error: ${failure.message}`;
  }
}

function refusalForModel(refusal: Refusal): string {
  switch (refusal.by) {
    case "rule":
      return `tool call denied by policy (pattern "${refusal.because.rule}"${place(refusal.because)})`;
    case "person":
      return refusal.feedback
        ? `tool call denied by user, who says: ${refusal.feedback}`
        : "tool call denied by user. Do not try the same again; ask what they want instead.";
    case "nobody":
      return `tool call denied: ${refusal.reason}`;
  }
}

const place = (because: Because) =>
  because.file ? ` in ${because.file}${because.line ? `:${because.line}` : ""}` : "";
