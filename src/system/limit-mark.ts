/**
 * A mark that a process cannot lose by clearing its environment or leaving its session: a resource limit, inherited
 * over fork and exec. The kernel has not looked at RLIMIT_LOCKS since 2.4.25 (getrlimit(2)), so any value does; it is
 * shown in `/proc/<pid>/limits` (proc_pid_limits(5)) and, once lowered, only a privileged process can raise it again.
 */
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";

/** The limits one shell marks its commands with. */
export interface LimitMarks {
  /** How they all begin. */
  readonly prefix: string;
  /** Another one. */
  next(): string;
}

/** Below this many decimal places commands are told apart, above them shells. */
const PLACES = 7;
const HIGHEST = 2n ** 62n;

/** Undefined where limits cannot be seen. Whatever started us may have marked us: ours are always lower than that. */
export function limitMarks(): LimitMarks | undefined {
  const own = limitOf("self");
  if (own === undefined) return undefined;
  const top = own === "unlimited" || BigInt(own) > HIGHEST ? HIGHEST : BigInt(own);
  const shell = top / 10n ** BigInt(PLACES) - 1n - BigInt(randomInt(10 ** 10));
  if (shell <= 0n) return undefined;
  const most = 10 ** PLACES;
  let count = 0;
  return {
    prefix: String(shell),
    next: () => `${shell}${String(most - 1 - (count++ % most)).padStart(PLACES, "0")}`,
  };
}

/** Whether a process has this limit, or one of a shell that is told by its prefix. */
export function carriesLimit(pid: number, limit: string | undefined): boolean {
  if (limit === undefined || pid === process.pid) return false;
  const other = limitOf(pid);
  return other === limit || (other?.length === limit.length + PLACES && other.startsWith(limit));
}

/** The same as an extended regular expression over the text of `/proc/<pid>/limits`, for a shell's prefix. */
export const limitPattern = (prefix: string): string => `^Max file locks +${prefix}[0-9]{${PLACES}} `;

/** In front of a script on its first line: marks bash and all it starts. Where that cannot be, nothing happens. */
export const limitCommand = (limit: string): string => `ulimit -x ${limit} 2>&-||:;`;

/**
 * A program and its arguments so that it carries the limit from its first moment. A plain sh sets it and becomes the
 * program: bash calls this limit `-x`, dash `-w`. Where that cannot be, the program runs without.
 */
export const underLimit = (limit: string, program: string, args: readonly string[]) => ({
  file: "/bin/sh",
  args: ["-c", `(ulimit -x 0) 2>&- && o=-x || o=-w; ulimit "$o" ${limit} 2>&-; exec "$@"`, "sh", program, ...args],
});

function limitOf(pid: number | "self"): string | undefined {
  try {
    return /^Max file locks +(\d+|unlimited)/m.exec(readFileSync(`/proc/${pid}/limits`, "latin1"))?.[1];
  } catch {
    return undefined; // gone, somebody else's, or a system without /proc
  }
}
