import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RunningWords } from "../../../../ui/simple/running-words.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function listening() {
  const told: string[] = [];
  const words = new RunningWords((line) => told.push(line));
  return { told, words };
}

test("after a silence the newest line is told, once", () => {
  const { told, words } = listening();
  for (let at = 1; at <= 40; at++) {
    words.printed(`line ${at}`);
    vi.advanceTimersByTime(100);
  }
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual(["line 40"]);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["line 40"]);
});

test("a tool that never stops talking is heard every five seconds", () => {
  const { told, words } = listening();
  for (let at = 0; at < 200; at++) {
    words.printed(`line ${at}`);
    vi.advanceTimersByTime(100);
  }
  expect(told).toHaveLength(4);
});

test("anything else that is told begins the silence anew, and a tool that ended says nothing more", () => {
  const { told, words } = listening();
  words.printed("one");
  vi.advanceTimersByTime(4_900);
  words.broken();
  vi.advanceTimersByTime(4_900);
  expect(told).toEqual([]);
  words.printed("two");
  vi.advanceTimersByTime(200);
  expect(told).toEqual(["two"]);
  words.printed("three");
  words.forget();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["two"]);
  expect(vi.getTimerCount()).toBe(0);
});
