import { createHash } from "node:crypto";
import type { Objection, ReadBefore, ReadTracker } from "./read-tracker.ts";

interface Seen {
  readonly hash: string;
  /** 1-based lines; "all" after a whole read. */
  readonly lines: "all" | ReadonlySet<number>;
}

/** Remembers a hash of each file as it was shown. `policy` is kept, not copied: `/readbefore` changes it in place. */
export function createReadTracker(policy: ReadBefore = { write: true, delete: false }): ReadTracker {
  const seen = new Map<string, Seen>();

  return {
    policy,
    sawFile(path, bytes) {
      seen.set(path, { hash: hashOf(bytes), lines: "all" });
    },
    sawLines(path, bytes, from, to) {
      const hash = hashOf(bytes);
      const before = seen.get(path);
      const known = before?.hash === hash ? before.lines : new Set<number>();
      if (known === "all") return;
      const lines = new Set(known);
      for (let line = from; line <= to; line++) lines.add(line);
      seen.set(path, { hash, lines });
    },
    edited(path, bytes, origins, from = path) {
      const before = seen.get(from)?.lines ?? new Set<number>();
      seen.set(path, { hash: hashOf(bytes), lines: before === "all" ? "all" : movedAlong(before, origins) });
    },
    forget(path) {
      seen.delete(path);
    },
    objection(path, bytes, act, lines) {
      if (!policy[act]) return undefined;
      const known = seen.get(path);
      if (!known) return { kind: "unread", message: unread(path, act) };
      if (known.hash !== hashOf(bytes)) return { kind: "changed", message: changed(path) };
      return known.lines === "all" ? undefined : objectionToLines(path, known.lines, lines);
    },
  };
}

function movedAlong(seen: ReadonlySet<number>, origins: readonly number[]): ReadonlySet<number> {
  return new Set(origins.flatMap((origin, index) => (origin === 0 || seen.has(origin) ? [index + 1] : [])));
}

function objectionToLines(
  path: string,
  seen: ReadonlySet<number>,
  lines: readonly number[] | undefined,
): Objection | undefined {
  if (!lines)
    return { kind: "unseen-lines", message: `file was read only in part, read the rest of it first: ${path}` };
  const unseen = lines.filter((line) => !seen.has(line));
  if (unseen.length === 0) return undefined;
  const first = Math.min(...unseen);
  return {
    kind: "unseen-lines",
    message: `file was read only in part, and this changes line ${first}, which was not read; read it first: ${path}`,
  };
}

const unread = (path: string, act: "write" | "delete") =>
  `file was modified or not yet read, it must be read before it is ${act === "write" ? "changed" : "deleted"}: ${path}`;

const changed = (path: string) => `file was modified since it was read, it must be read again: ${path}`;

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64");
