import assert from "node:assert/strict";
import test from "node:test";
import { addTip, settle, splitEvenly } from "../src/index.js";

test("a tip is added in percent", () => {
  assert.equal(addTip(2000, 10), 2200);
});

test("a bill that divides evenly gives equal shares", () => {
  assert.deepEqual(splitEvenly(3000, 3), [1000, 1000, 1000]);
});

test("no cent is lost when a bill does not divide evenly", () => {
  assert.deepEqual(splitEvenly(1000, 3), [334, 333, 333]);
});

test("nobody cannot pay", () => {
  assert.throws(() => splitEvenly(1000, 0), RangeError);
});

test("settle says who pays what", () => {
  assert.equal(settle("12.50 + 7.50", ["Ada", "Ben"], { tip: 10 }), "Ada pays 11.00\nBen pays 11.00");
});
