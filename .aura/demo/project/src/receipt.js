import { formatAmount, parseAmount } from "./money.js";

/** "12.50 + 7.50" -> 2000 */
export function totalOf(bill) {
  return bill.split("+").reduce((sum, amount) => sum + parseAmount(amount), 0);
}

/** One line a person: "Ada pays 11.00". */
export function receipt(names, shares) {
  return names.map((name, i) => `${name} pays ${formatAmount(shares[i])}`).join("\n");
}
