import { expect, test } from "vitest";
import { createRequests } from "../../../src/loop/requests.ts";
import type { Event } from "../../../src/protocol/event.ts";

function asking() {
  const events: Event[] = [];
  const requests = createRequests((event) => events.push(event));
  const controller = new AbortController();
  const open = () => requests.open("pick", { title: "Model", items: [] }, controller.signal);
  return { events, requests, controller, open };
}

test("a request is open until it is answered", async () => {
  const { events, requests, open } = asking();
  const { id, answered } = open();
  expect(requests.pending).toEqual([{ id, kind: "pick", title: "Model", items: [] }]);
  expect(requests.answer(id, { kind: "pick", value: "small" })).toBe(true);
  expect(await answered).toEqual({ answer: "small" });
  expect(requests.pending).toEqual([]);
  expect(events).toEqual([
    { type: "request-opened", request: { id, kind: "pick", title: "Model", items: [] } },
    { type: "request-closed", requestId: id, how: "answered" },
  ]);
});

test("the first answer wins", async () => {
  const { requests, open } = asking();
  const { id, answered } = open();
  requests.answer(id, { kind: "pick", value: "first" });
  expect(requests.answer(id, { kind: "pick", value: "second" })).toBe(false);
  expect(await answered).toEqual({ answer: "first" });
});

test("an answer of another kind, or to a request nobody made, is not taken", () => {
  const { requests, open } = asking();
  const { id } = open();
  expect(requests.answer(id, { kind: "edit", value: "x" })).toBe(false);
  expect(requests.answer("r99", { kind: "pick", value: "x" })).toBe(false);
  expect(requests.pending).toHaveLength(1);
});

test("a cancel withdraws every open request", async () => {
  const { events, requests, controller, open } = asking();
  const opened = [open(), open()];
  controller.abort();
  expect(await Promise.all(opened.map(({ answered }) => answered))).toEqual(["withdrawn", "withdrawn"]);
  expect(events.slice(2)).toEqual(
    opened.map(({ id }) => ({ type: "request-closed", requestId: id, how: "withdrawn" })),
  );
  expect(requests.answer(opened[0]!.id, { kind: "pick", value: "late" })).toBe(false);
});

test("after a cancel nothing is opened any more", async () => {
  const { events, controller, open } = asking();
  controller.abort();
  expect(await open().answered).toBe("withdrawn");
  expect(events).toEqual([]);
});
