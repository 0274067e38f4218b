import { expect, test } from "vitest";
import { callTree } from "../../../../ui/view/call-tree.ts";
import type { ShownCall } from "../../../../ui/view/shown-call.ts";

function call(id: string, status: "done" | "failed" | "running" | "pending", parentId?: string): ShownCall {
  const ends = {
    done: { status, ms: 1, output: { text: "" } },
    failed: { status, ms: 1, failure: { kind: "error", message: "no" } },
    running: { status, startedAt: 0 },
    pending: { status },
  }[status];
  return { id, tool: "Read", input: {}, ...(parentId === undefined ? {} : { parentId }), ...ends } as ShownCall;
}

const shape = (calls: readonly ShownCall[]) =>
  callTree(calls).map(
    ({ call: { id }, depth, folded }) => `${" ".repeat(depth)}${id}${folded ? JSON.stringify(folded) : ""}`,
  );

test("a child of a child stands below it, whatever the order they came in", () => {
  const calls = [
    call("a", "running"),
    call("b", "pending"),
    call("a/1", "running", "a"),
    call("b/1", "done", "b"),
    call("a/1/x", "running", "a/1"),
    call("a/2", "done", "a"),
  ];
  expect(shape(calls)).toEqual(["a", " a/1", "  a/1/x", " a/2", "b", " b/1"]);
});

test("a child whose parent is not known stands by itself, and a call is not its own child", () => {
  expect(shape([call("x", "done", "gone"), call("y", "done", "y")])).toEqual(["x", "y"]);
});

test("of many children those are shown that tell most; the others are counted", () => {
  const children = Array.from({ length: 30 }, (_, at) =>
    call(`c${at}`, at === 3 ? "running" : at === 5 ? "failed" : at < 20 ? "done" : "pending", "p"),
  );
  expect(shape([call("p", "running"), ...children])).toEqual([
    "p",
    ' c3{"count":22,"failed":1,"open":10}',
    ...[13, 14, 15, 16, 17, 18, 19].map((at) => ` c${at}`),
  ]);
});

test("nine children need no folding", () => {
  const children = Array.from({ length: 9 }, (_, at) => call(`c${at}`, "done", "p"));
  expect(shape([call("p", "done"), ...children])).toHaveLength(10);
});
