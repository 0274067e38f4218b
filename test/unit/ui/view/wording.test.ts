import { expect, test } from "vitest";
import type { CallState, ToolCall } from "../../../../src/protocol/tool-call.ts";
import * as wording from "../../../../ui/view/wording.ts";
import { idleStatus } from "../../../helpers/fake-conversation.ts";

const call = (state: CallState): ToolCall => ({ id: "1", tool: "Bash", input: { command: "ls\n-l" }, ...state });

test("the status line has the parts that are known, in the documented order", () => {
  expect(wording.statusLine(idleStatus)).toBe("high • scripted • think: off • demo • tokens: 0/131k (0%)");
  const full = {
    ...idleStatus,
    mode: "plan",
    step: 3,
    tokens: { used: 12_400, window: 131_000 },
    cost: 0.25,
    sandbox: "enforced" as const,
    verbose: true,
    auto: true,
  };
  expect(wording.statusLine(full)).toBe(
    "high • plan • scripted • think: off • demo • step 3/50 • tokens: 12.4k/131k (9%) • $0.25 • 🔒 • verbose • auto",
  );
  expect(wording.statusLine({ ...idleStatus, tokens: { used: 5 }, sandbox: "requested", background: 2 })).toBe(
    "high • scripted • think: off • demo • 🔓 • 2 jobs",
  );
  expect(wording.statusLine({ ...idleStatus, tokens: { used: 5 } })).toBe("high • scripted • think: off • demo");
});

test("token counts stay short", () => {
  expect([0, 987, 1_000, 12_400, 99_949, 131_072, 999_499, 999_500, 1_500_000].map(wording.formatTokens)).toEqual([
    "0",
    "987",
    "1k",
    "12.4k",
    "99.9k",
    "131k",
    "999k",
    "1M",
    "1.5M",
  ]);
});

test("durations stay short", () => {
  expect([3, 999, 1_234, 59_949, 65_000, 3_725_000].map(wording.formatDuration)).toEqual([
    "3ms",
    "999ms",
    "1.2s",
    "59.9s",
    "1m 05s",
    "1h 02m",
  ]);
});

test("a call's title is one line without control sequences", () => {
  expect(wording.callTitle(call({ status: "pending" }))).toBe('[Tool: Bash] {"command":"ls\\n-l"}');
  expect(wording.callTitle({ tool: "X\x1b[2J", input: "raw\ntext" })).toBe("[Tool: X] raw text");
  expect(wording.callSubject(call({ status: "pending" }))).toBe("ls -l");
});

test("every end of a call has its words", () => {
  const states: CallState[] = [
    { status: "pending" },
    { status: "waiting", requestId: "r" },
    { status: "running", startedAt: 0, lastLine: "half" },
    { status: "done", ms: 1, output: { text: " \n" } },
    { status: "failed", ms: 1, failure: { kind: "bad-input", problems: ["path: missing", "mode: not a number"] } },
    { status: "failed", ms: 1, failure: { kind: "blocked", by: "guardrail", reason: "unsafe" } },
    { status: "failed", ms: 1, failure: { kind: "outside-sandbox", path: "/etc", access: "write" } },
    {
      status: "denied",
      refusal: { by: "rule", because: { rule: "Bash:rm*", from: "project", file: "rules.yaml", line: 4 } },
    },
    { status: "denied", refusal: { by: "person", feedback: "use git mv" } },
    { status: "denied", refusal: { by: "nobody", reason: "no one is here to answer" } },
    { status: "cancelled", by: "shutdown" },
  ];
  expect(states.map((state) => wording.callResult(call(state)))).toEqual([
    undefined,
    "waiting for your answer",
    "half",
    "(empty)",
    "invalid arguments: path: missing; mode: not a number",
    "blocked by guardrail: unsafe",
    "the sandbox does not allow to write /etc",
    "denied by rule Bash:rm* (project, rules.yaml:4)",
    "denied by you: use git mv",
    "denied: no one is here to answer",
    "stopped: Aura was closing",
  ]);
});

test("a settled call says what it cost when that is worth a word", () => {
  expect(wording.callCost(call({ status: "done", ms: 1_234, output: { text: "x", tokens: 1_200 } }))).toBe(
    "1.2s • [tokens: ~1.2k]",
  );
  expect(wording.callCost(call({ status: "done", ms: 12, output: { text: "x" } }))).toBe("");
});

test("each scope says what it would let through", () => {
  expect(
    (["once", "session", "project", "global"] as const).map((scope) => wording.scopeMeaning(scope, "Bash:git*")),
  ).toEqual([
    "allow this call",
    "allow Bash:git* until this session ends",
    "always allow Bash:git* in this project",
    "always allow Bash:git* everywhere",
  ]);
});
