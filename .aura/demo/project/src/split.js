/** Adds a tip of `percent` to an amount of cents, rounded to the nearest cent. */
export function addTip(cents, percent) {
  return cents + Math.round((cents * percent) / 100);
}

/** Splits an amount of cents between `people`. Returns one share each. */
export function splitEvenly(cents, people) {
  if (!Number.isInteger(people) || people < 1) {
    throw new RangeError("at least one person has to pay");
  }
  const share = Math.floor(cents / people);
  return Array.from({ length: people }, () => share);
}
