import { readFileSync } from "node:fs";

/** A process that owns something on disk. Its id alone is used again, in containers at every start. */
export interface ProcessOwner {
  readonly pid: number;
  /** Clock ticks from boot to its start, where the kernel tells. */
  readonly started?: string | undefined;
}

export function processOwner(pid: number = process.pid): ProcessOwner {
  const started = statOf(pid)?.started;
  return started === undefined ? { pid } : { pid, started };
}

/** Whether that very process still runs. One that died and was not yet collected by its parent runs no more. */
export function isRunning(owner: ProcessOwner): boolean {
  const stat = statOf(owner.pid);
  if (stat) return stat.state !== "Z" && stat.state !== "X" && (!owner.started || owner.started === stat.started);
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Fields 3 and 22 of proc_pid_stat(5); the name in field 2 may hold anything, so count from its closing parenthesis. */
function statOf(pid: number): { readonly state: string | undefined; readonly started: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined; // no such process, or a system without /proc
  }
}
