import assert from "node:assert/strict";
import test from "node:test";
import { formatAmount, parseAmount } from "../src/money.js";

test("amounts are read with and without cents", () => {
  assert.equal(parseAmount("12.50"), 1250);
  assert.equal(parseAmount(" 7.5 "), 750);
  assert.equal(parseAmount("3"), 300);
});

test("what is not an amount is refused", () => {
  assert.throws(() => parseAmount("a fiver"), /not an amount/);
  assert.throws(() => parseAmount("1.234"), /not an amount/);
});

test("amounts are written with two digits", () => {
  assert.equal(formatAmount(1205), "12.05");
  assert.equal(formatAmount(0), "0.00");
});
