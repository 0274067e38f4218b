import { readFileSync } from "node:fs";

/** Is there a process with this id that is more than a zombie? */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return process.platform !== "linux";
  }
}

/** Waits for a state of the machine nobody announces; fails after `withinMs`. */
export async function until(claim: () => boolean, what: string, withinMs = 5000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!claim()) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export async function untilGone(pids: readonly number[]): Promise<void> {
  await until(() => !pids.some(isRunning), `processes ${pids.join(", ")} are gone`);
}
