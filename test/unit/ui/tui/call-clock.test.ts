import { expect, test } from "vitest";
import type { Event } from "../../../../src/protocol/event.ts";
import { onOurClock } from "../../../../ui/tui/call-clock.ts";
import { reduce } from "../../../../ui/view/reduce.ts";
import { emptyView } from "../../../../ui/view/view-state.ts";

const call = { id: "c", tool: "Bash", input: {} };
const running: Event = { type: "call-changed", call: { ...call, status: "running", startedAt: 17 } };

test("a call runs since it was first seen to, whatever clock it was started by", () => {
  const first = onOurClock(running, [], 5_000);
  const { calls } = reduce(emptyView, first);
  const again = onOurClock(running, calls, 9_000);
  expect([first, again]).toEqual(
    [5_000, 5_000].map((startedAt) => ({ ...running, call: { ...call, status: "running", startedAt } })),
  );
});

test("other events stay as they are", () => {
  const done: Event = { type: "call-changed", call: { ...call, status: "pending" } };
  expect(onOurClock(done, [], 5_000)).toBe(done);
});
