import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../../../../src/protocol/tool-call.ts";
import { callLines } from "../../../../ui/tui/render-item.ts";
import { lineWidth } from "../../../../ui/tui/spans.ts";
import { shownCall } from "../../../../ui/view/shown-call.ts";

const identity = { id: "c1", tool: "Bash", input: { command: "npm test -- --reporter=verbose" } };
const because = {
  rule: "Bash:rm*",
  from: "project",
  file: "/home/me/project/.aura/config/rules.yaml",
  line: 12,
} as const;
const CALLS: readonly ToolCall[] = [
  { ...identity, status: "pending" },
  { ...identity, status: "waiting", requestId: "r1" },
  { ...identity, status: "running", startedAt: 0, lastLine: "a line that is longer than a narrow window" },
  {
    ...identity,
    status: "done",
    ms: 61_234,
    output: { text: "one line of output\n日本語のとても長い行\n", tokens: 12_345 },
  },
  {
    ...identity,
    status: "done",
    ms: 5,
    output: { text: "changed", diff: "--- a\n+++ a\n@@ -1 +1 @@\n-old line\n+new line\n" },
  },
  {
    ...identity,
    status: "failed",
    ms: 3,
    failure: { kind: "error", message: "it went wrong in a way that takes words" },
  },
  { ...identity, status: "denied", refusal: { by: "rule", because } },
  { ...identity, status: "cancelled", by: "user" },
];

test("no line of a card is wider than the window, whatever its state, depth and width", () => {
  const anyCard = fc.record({
    call: fc.constantFrom(...CALLS),
    depth: fc.integer({ min: 0, max: 30 }),
    width: fc.integer({ min: 12, max: 120 }),
  });
  fc.assert(
    fc.property(anyCard, ({ call, depth, width }) => {
      const wide = callLines({ call: shownCall(call), depth, folded: { count: 5, failed: 2, open: 1 } }, width).filter(
        (line) => lineWidth(line) > width,
      );
      expect(wide).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
