/** Milliseconds in each unit, as Go's time package names them: https://pkg.go.dev/time#ParseDuration */
const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3, // micro sign
  μs: 1e-3, // Greek mu
  ns: 1e-6,
};
const TERM = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;

/** `90_000` → `1m30s`, `100` → `100ms`, `1500` → `1.5s`, as Go prints a duration. `ms` in milliseconds. */
export function formatDuration(ms: number): string {
  if (ms === 0) return "0s";
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 1e-3) return `${Math.round(ms * 1e6)}ns`;
  if (ms < 1) return `${trim(ms * 1e3)}µs`;
  if (ms < 1000) return `${trim(ms)}ms`;
  // In whole nanoseconds, so that fractions of a second do not collect rounding errors.
  const nanoseconds = BigInt(Math.round(ms * 1e6));
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${trim(Number(nanoseconds % 60_000_000_000n) / 1e9)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** `1m30s` → 90000 milliseconds; undefined when `text` is no duration. A number needs a unit, except `0`. */
export function parseDuration(text: string): number | undefined {
  const [, sign, rest = ""] = /^([-+]?)(.*)$/s.exec(text.trim()) ?? [];
  if (rest === "0") return 0;
  let total = 0;
  let end = 0;
  for (const [term, amount, unit] of rest.matchAll(TERM)) {
    total += Number(amount) * UNITS[unit!]!;
    end += term.length;
  }
  if (end === 0 || end !== rest.length) return undefined;
  return sign === "-" ? -total : total;
}

function trim(amount: number): string {
  return String(Number(amount.toFixed(9)));
}
