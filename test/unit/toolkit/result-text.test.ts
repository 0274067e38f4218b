import { describe, expect, test } from "vitest";
import type { CallFailure, CallState, Refusal, ToolCall } from "../../../src/protocol/tool-call.ts";
import { resultText } from "../../../src/toolkit/result-text.ts";

const call = (state: CallState): ToolCall => ({ id: "1", tool: "Bash", input: {}, ...state });
const failed = (failure: CallFailure) => resultText(call({ status: "failed", ms: 1, failure }));
const denied = (refusal: Refusal) => resultText(call({ status: "denied", refusal }));
const error = (text: string) => ({ text: `Error: ${text}`, failed: true });

test("a finished call is its output, untouched", () => {
  expect(resultText(call({ status: "done", ms: 1, output: { text: "a\nEXIT CODE: 1" } }))).toEqual({
    text: "a\nEXIT CODE: 1",
    failed: false,
  });
});

describe("a failed call", () => {
  test("says what went wrong", () => {
    expect(failed({ kind: "error", message: "reading a: no such file or directory" })).toEqual(
      error("reading a: no such file or directory"),
    );
    expect(failed({ kind: "unknown-tool", message: 'tool not found: "X"' })).toEqual(error('tool not found: "X"'));
    expect(failed({ kind: "malformed-call", message: "not JSON" })).toEqual(error("not JSON"));
  });

  test("with bad arguments lists the problems, then a blank line and what would be valid", () => {
    const problems = ['unknown parameter "x"', 'missing required parameter "a"', "Valid parameters: a, b"];
    expect(failed({ kind: "bad-input", problems })).toEqual(
      error('validating args: unknown parameter "x"; missing required parameter "a"\n\nValid parameters: a, b'),
    );
  });

  test("that was blocked says by what, unless it was the tool itself", () => {
    expect(failed({ kind: "blocked", by: "tool", reason: "read it first: a" })).toEqual(error("read it first: a"));
    expect(failed({ kind: "blocked", by: 'Guardrail blocked "Bash"', reason: "unsafe" })).toEqual(
      error('Guardrail blocked "Bash": unsafe'),
    );
  });

  test("outside the sandbox names access and path", () => {
    expect(failed({ kind: "outside-sandbox", path: "/etc/a", access: "write" })).toEqual(
      error('sandbox: write access denied for "/etc/a"'),
    );
  });
});

describe("a denied call", () => {
  test("names the rule, and where it is written", () => {
    expect(denied({ by: "rule", because: { rule: "Bash:rm*", from: "features" } })).toEqual(
      error('tool call denied by policy (pattern "Bash:rm*")'),
    );
    const because = { rule: "Bash:rm*", from: "project", file: "rules/a.yaml", line: 3 } as const;
    expect(denied({ by: "rule", because })).toEqual(
      error('tool call denied by policy (pattern "Bash:rm*" in rules/a.yaml:3)'),
    );
  });

  test("hands on what the person said", () => {
    expect(denied({ by: "person", feedback: "use npm ci" })).toEqual(
      error("tool call denied by user, who says: use npm ci"),
    );
    expect(denied({ by: "person" }).text).toMatch(/^Error: tool call denied by user\. /);
  });

  test("that nobody could decide gives the reason", () => {
    expect(denied({ by: "nobody", reason: "call it directly" })).toEqual(error("tool call denied: call it directly"));
  });
});

test("a cancelled call says who stopped it, and that it may have done something", () => {
  expect(resultText(call({ status: "cancelled", by: "user", ran: false })).text).toBe(
    "Error: not run: the user cancelled before it was started",
  );
  expect(resultText(call({ status: "cancelled", by: "user" })).text).toMatch(/^Error: cancelled by the user .*partial/);
  expect(resultText(call({ status: "cancelled", by: "limit" })).text).toMatch(/^Error: not run: the step limit/);
  expect(resultText(call({ status: "cancelled", by: "shutdown" })).text).toMatch(/^Error: interrupted: .*partial/);
});

test("a call that is not settled has no result", () => {
  expect(() => resultText(call({ status: "running", startedAt: 0 }))).toThrow("call 1 of Bash is running");
});
