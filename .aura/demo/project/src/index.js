import { receipt, totalOf } from "./receipt.js";
import { addTip, splitEvenly } from "./split.js";

/** Who pays what for a bill such as "12.50 + 7.50", as text. `tip` is a percentage. */
export function settle(bill, names, { tip = 0 } = {}) {
  return receipt(names, splitEvenly(addTip(totalOf(bill), tip), names.length));
}

export { addTip, splitEvenly };
