import { expect, test } from "vitest";
import { createChildren } from "../../../src/engine/children.ts";

const NEVER = new AbortController().signal;
const child = (id: string, status: "running" | "done" = "running") => ({
  id,
  callId: "c1",
  name: "Helper",
  agent: "Helper",
  model: "p/m",
  description: "",
  status,
  calls: 0,
});
const message = (id: string) => ({ id, role: "user", kind: "normal", at: "now", parts: [] }) as const;

test("as many work at once as there are places, and the next begins when one leaves, in the order asked", async () => {
  const children = createChildren(2);
  const began: number[] = [];
  const entering = [1, 2, 3, 4].map((number) =>
    children.enter(1, NEVER).then((leave) => {
      began.push(number);
      return leave!;
    }),
  );
  const [first, second] = await Promise.all(entering.slice(0, 2));
  expect(began).toEqual([1, 2]);
  first!();
  (await entering[2])!();
  expect(began).toEqual([1, 2, 3]);
  await entering[3];
  second!();
  expect(began).toEqual([1, 2, 3, 4]);
});

test("a place that was given back twice over is one place again", async () => {
  const children = createChildren(1);
  (await children.enter(1, NEVER))!();
  (await children.enter(1, NEVER))!();
  const leave = await children.enter(1, NEVER);
  let began = false;
  const waiting = children.enter(1, NEVER).then(() => {
    began = true;
  });
  await Promise.resolve();
  expect(began).toBe(false);
  leave!();
  await waiting;
});

test("who is cancelled while waiting gets no place and takes none", async () => {
  const children = createChildren(1);
  const leave = await children.enter(1, NEVER);
  const cancelled = new AbortController();
  const waiting = children.enter(1, cancelled.signal);
  cancelled.abort();
  expect(await waiting).toBeUndefined();
  expect(await children.enter(1, cancelled.signal)).toBeUndefined();
  leave!();
  expect(await children.enter(1, NEVER)).toBeTypeOf("function");
});

test("each depth has places of its own, so that who waits for its children does not keep them waiting", async () => {
  const children = createChildren(1);
  await children.enter(1, NEVER);
  expect(await children.enter(2, NEVER)).toBeTypeOf("function");
});

test("a transcript keeps the newest state and every message, and another session's take its place", () => {
  const children = createChildren();
  children.take(child("a"));
  children.add("a", message("m1"));
  children.add("unknown", message("m2"));
  children.take(child("a", "done"));
  expect(children.all).toEqual([{ ...child("a", "done"), messages: [message("m1")] }]);
  children.replace([{ ...child("b"), messages: [] }]);
  expect(children.all).toEqual([{ ...child("b"), messages: [] }]);
});
