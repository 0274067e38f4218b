import { beforeEach, expect, test } from "vitest";
import { type ThrottleClock, throttleLines } from "../../../src/text/throttle-lines.ts";

/** A clock that stands still until told. */
function handClock(): ThrottleClock & { pass(ms: number): void; readonly waiting: number } {
  let now = 0;
  let alarms: { at: number; act: () => void }[] = [];
  return {
    now: () => now,
    after(ms, act) {
      const alarm = { at: now + ms, act };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((one) => one !== alarm);
      };
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const next = alarms.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        alarms = alarms.filter((one) => one !== next);
        now = next.at;
        next.act();
      }
      now = end;
    },
    get waiting() {
      return alarms.length;
    },
  };
}

let clock: ReturnType<typeof handClock>;
let shown: string[];
const start = () => throttleLines((line) => void shown.push(`${clock.now()} ${line}`), 200, clock);
beforeEach(() => {
  clock = handClock();
  shown = [];
});

test("shows the first line at once", () => {
  start().push("a");
  expect(shown).toEqual(["0 a"]);
});

test("shows the newest line of each interval at its end", () => {
  const lines = start();
  for (const line of ["a", "b", "c"]) lines.push(line);
  clock.pass(199);
  expect(shown).toEqual(["0 a"]);
  clock.pass(1);
  expect(shown).toEqual(["0 a", "200 c"]);
  lines.push("d");
  clock.pass(500);
  expect(shown).toEqual(["0 a", "200 c", "400 d"]);
});

test("shows a line at once again after a quiet interval", () => {
  const lines = start();
  lines.push("a");
  clock.pass(200);
  clock.pass(50);
  lines.push("b");
  expect(shown).toEqual(["0 a", "250 b"]);
});

test("shows the newest line at the end, once, and leaves no timer", () => {
  const lines = start();
  lines.push("a");
  lines.push("b");
  lines.flush();
  lines.flush();
  expect(shown).toEqual(["0 a", "0 b"]);
  expect(clock.waiting).toBe(0);
});

test("a thousand lines in a second are at most six", () => {
  const lines = start();
  for (let line = 0; line < 1000; line++) {
    lines.push(String(line));
    clock.pass(1);
  }
  lines.flush();
  expect(shown).toEqual(["0 0", "200 199", "400 399", "600 599", "800 799", "1000 999"]);
});
