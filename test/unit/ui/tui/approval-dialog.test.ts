import { expect, test } from "vitest";
import type { RequestOf } from "../../../../src/protocol/request.ts";
import { approvalBox } from "../../../../ui/tui/approval-dialog.ts";
import { type ApprovalState, openDialog } from "../../../../ui/tui/dialog-state.ts";
import { KEYMAP } from "../../../../ui/tui/keymap.ts";
import { keyShown } from "../../../../ui/tui/place-keys.ts";
import { createTheme } from "../../../../ui/tui/theme.ts";

const request: RequestOf<"approval"> = {
  id: "r",
  kind: "approval",
  callId: "c",
  tool: "mcp__demo__echo",
  about: "Says it again.",
  detail: "hello",
  pattern: "mcp__demo__echo",
  because: { rule: "mcp__*", from: "default" },
};
const folder = "/a/rather/long/path/to/the/project";
const write: RequestOf<"approval"> = {
  ...request,
  tool: "Write",
  detail: "src/a.ts",
  pattern: `Write:${folder}/src/*`,
  patterns: [
    { pattern: `Write:${folder}/src/a.ts`, allows: [] },
    { pattern: `Write:${folder}/src/*`, allows: [] },
    { pattern: `Write:${folder}/**`, allows: [] },
  ],
};

function box(of: RequestOf<"approval">, width: number, height: number, changes: Partial<ApprovalState> = {}) {
  const view = approvalBox(
    { ...(openDialog(of) as ApprovalState), ...changes },
    {
      width,
      height,
      waiting: 1,
      theme: createTheme(0),
      highlighter: undefined,
      keyOf: (action) => keyShown(action, KEYMAP),
      markdown: () => [],
    },
  );
  const lines = view.box.lines.map((line) => line.replace(/\x1b\[[\d;]*m/g, ""));
  return { title: view.box.title, lines, help: view.help };
}

test("in a window of one line a long name leaves room for the keys", () => {
  expect(box(request, 16, 1)).toEqual({ title: "mcp__… a/s/p/g/d", lines: ["hello"], help: "" });
});

test("the pattern that would be remembered is never cut, the others may be", () => {
  const { lines } = box(write, 36, 24);
  expect(lines.slice(lines.findIndex((line) => line.startsWith("s p g")))).toEqual([
    "s p g allow from now on what is",
    "marked (tab marks the next):",
    "▸ 1 Write:/a/rather/long/path/to/the",
    "    /project/src/a.ts",
    "  2 Write:…path/to/the/project/src/*",
    "  3 Write:…ng/path/to/the/project/**",
    "[a] Allow  [s] Session  [p] Project",
    "[g] Global  [d] Deny",
  ]);
});

test("the other keys are told in as many words as fit", () => {
  const helps = [100, 80, 66, 40].map((width) => box(write, width, 20).help);
  expect(helps).toEqual([
    "esc deny • e deny and say why • ? why • tab other pattern • ↑↓ pgup pgdn home end scroll",
    "esc deny • e deny and say why • ? why • tab other pattern • ↑↓ scroll",
    "esc deny • ? why • tab other pattern • ↑↓ scroll",
    "esc deny • ? why • tab other pattern • ↑↓ scroll",
  ]);
});
