import { expect, test } from "vitest";
import { createReadTracker } from "../../../src/workspace/hash-read-tracker.ts";

const one = Buffer.from("one\n");
const two = Buffer.from("two\n");
const kind = (tracker: ReturnType<typeof createReadTracker>, bytes: Uint8Array, lines?: number[]) =>
  tracker.objection("/a", bytes, "write", lines)?.kind;

test("a file must have been read, and be as it was read", () => {
  const tracker = createReadTracker();
  expect(tracker.objection("/a", one, "write")).toEqual({
    kind: "unread",
    message: "file was modified or not yet read, it must be read before it is changed: /a",
  });
  tracker.sawFile("/a", one);
  expect(kind(tracker, one)).toBeUndefined();
  expect(tracker.objection("/a", two, "write")).toEqual({
    kind: "changed",
    message: "file was modified since it was read, it must be read again: /a",
  });
  tracker.forget("/a");
  expect(kind(tracker, one)).toBe("unread");
});

test("a partial read allows changes of the lines it showed, and parts add up", () => {
  const tracker = createReadTracker();
  tracker.sawLines("/a", one, 10, 12);
  expect(kind(tracker, one, [10, 12])).toBeUndefined();
  expect(kind(tracker, one, [])).toBeUndefined();
  expect(tracker.objection("/a", one, "write", [12, 14, 13])).toEqual({
    kind: "unseen-lines",
    message: "file was read only in part, and this changes line 13, which was not read; read it first: /a",
  });
  expect(kind(tracker, one)).toBe("unseen-lines");
  tracker.sawLines("/a", one, 13, 20);
  expect(kind(tracker, one, [10, 20])).toBeUndefined();
});

test("parts of another content do not count", () => {
  const tracker = createReadTracker();
  tracker.sawLines("/a", one, 1, 5);
  tracker.sawLines("/a", two, 6, 9);
  expect(kind(tracker, two, [1])).toBe("unseen-lines");
  expect(kind(tracker, two, [6])).toBeUndefined();
});

test("a partial read does not undo a whole one", () => {
  const tracker = createReadTracker();
  tracker.sawFile("/a", one);
  tracker.sawLines("/a", one, 1, 1);
  expect(kind(tracker, one)).toBeUndefined();
});

test("after our own edit what was seen moves along, and our lines are seen", () => {
  const tracker = createReadTracker();
  tracker.sawLines("/a", one, 5, 6);
  tracker.edited("/a", two, [1, 0, 5, 6, 7]);
  expect(kind(tracker, two, [2, 3, 4])).toBeUndefined();
  expect([kind(tracker, two, [1]), kind(tracker, two, [5])]).toEqual(["unseen-lines", "unseen-lines"]);
});

test("after an edit of a file seen whole it is still seen whole, also under a new name", () => {
  const tracker = createReadTracker();
  tracker.sawFile("/from", one);
  tracker.edited("/a", two, [1, 2], "/from");
  expect(kind(tracker, two)).toBeUndefined();
});

test("the policy decides about writing and deleting, and may change at any time", () => {
  const tracker = createReadTracker({ write: false, delete: true });
  expect(tracker.objection("/a", one, "write")).toBeUndefined();
  expect(tracker.objection("/a", one, "delete")?.message).toContain("before it is deleted: /a");
  tracker.policy.write = true;
  expect(kind(tracker, one)).toBe("unread");
});
