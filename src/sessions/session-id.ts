import { randomBytes } from "node:crypto";

/**
 * A new session id, `yymmdd-hhmmss-xxxxxx` in UTC: sorts by time, is a plain file name on every system, can be read
 * aloud, and its last six characters are as good as the whole.
 */
export function newSessionId(now: Date, random: (size: number) => Uint8Array = randomBytes): string {
  const [day, time] = now.toISOString().slice(2, 19).replaceAll(/[-:]/g, "").split("T") as [string, string];
  const tail = [...random(6)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
  return `${day}-${time}-${tail}`;
}

/** What a list shows; `find` accepts it. */
export function shortId(id: string): string {
  return id.slice(id.lastIndexOf("-") + 1);
}

/** Whether `id` may become part of a file name. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id);
}

// 32 of them, so that a byte falls on each equally often; without i, l, o and u, which read like others or spell words.
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
