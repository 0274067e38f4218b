/** "12.50" -> 1250. Throws on anything that is not an amount. */
export function parseAmount(text) {
  const match = /^\s*(\d+)(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!match) throw new TypeError(`not an amount: "${text}"`);
  const [, whole, fraction = ""] = match;
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

/** 1250 -> "12.50" */
export function formatAmount(cents) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
