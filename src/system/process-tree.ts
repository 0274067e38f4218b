import { readdirSync, readFileSync } from "node:fs";
import { carriesLimit } from "./limit-mark.ts";

/** Processes started for one purpose, found by their group and by a text in the environment they inherited. */
export interface ProcessFamily {
  /** Process group ids. */
  readonly groups: readonly number[];
  /** `NAME=value` (or its beginning) that every member has in its environment unless it was cleared. */
  readonly mark?: string;
  /** The limit every member inherited, or how it begins (limit-mark.ts): kept also by who cleared the environment. */
  readonly limit?: string;
}

/**
 * The living members of a family: its groups, whoever carries a mark (so also those that left the group by
 * `setsid`), and all descendants of these. Reads `/proc` (proc(5)); where there is none, only the groups are known,
 * as negative ids the way kill(2) takes them. Zombies do not count.
 */
export function livingMembers(family: ProcessFamily): number[] {
  const processes = listProcesses();
  if (!processes) return family.groups.filter((group) => signal(-group, 0)).map((group) => -group);
  const members = new Set<number>();
  const ownStart = processes.find((one) => one.pid === process.pid)?.startedAt ?? 0;
  for (const one of processes) {
    // What is older than we are was not started by us; most of a machine's processes are.
    const isOurs = () =>
      one.startedAt >= ownStart && (carriesMark(one.pid, family.mark) || carriesLimit(one.pid, family.limit));
    if (family.groups.includes(one.group) || isOurs()) members.add(one.pid);
  }
  for (let grown = true; grown; ) {
    grown = false;
    for (const one of processes)
      if (members.has(one.parent) && !members.has(one.pid)) {
        members.add(one.pid);
        grown = true;
      }
  }
  return processes.filter((one) => members.has(one.pid) && one.alive).map((one) => one.pid);
}

/** Is anybody left in this process group? */
export function groupExists(group: number): boolean {
  return signal(-group, 0);
}

/** Ends a family: SIGTERM, and SIGKILL for whoever is left after `graceMs`. Resolves when nobody is left. */
export async function endFamily(family: ProcessFamily, graceMs: number): Promise<void> {
  if (livingMembers(family).length === 0) return;
  signalFamily(family, "SIGTERM");
  if (await isGone(family, graceMs)) return;
  signalFamily(family, "SIGKILL");
  // A process in an uninterruptible wait dies when the kernel lets it; we do not wait for that forever.
  await isGone(family, 1000);
}

function signalFamily(family: ProcessFamily, name: NodeJS.Signals): void {
  // The groups first and whole: between reading /proc and the signal, members may fork.
  const members = livingMembers(family);
  for (const group of family.groups) signal(-group, name);
  for (const member of members) if (member > 0) signal(member, name);
}

async function isGone(family: ProcessFamily, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    if (livingMembers(family).length === 0) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
  }
}

/** False when there is nobody to signal. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (problem) {
    // EPERM: it is there and belongs to someone else.
    return (problem as NodeJS.ErrnoException).code === "EPERM";
  }
}

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly alive: boolean;
  /** Clock ticks since boot. */
  readonly startedAt: number;
}

function listProcesses(): ProcessEntry[] | undefined {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readEntry(Number(name)));
  } catch {
    return undefined;
  }
}

function readEntry(pid: number): ProcessEntry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may itself hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent, group] = fields;
    const alive = state !== "Z" && state !== "X";
    return [{ pid, parent: Number(parent), group: Number(group), alive, startedAt: Number(fields[19]) }];
  } catch {
    return []; // gone meanwhile
  }
}

function carriesMark(pid: number, mark: string | undefined): boolean {
  if (mark === undefined || pid === process.pid) return false;
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${mark}`);
  } catch {
    return false; // gone, or somebody else's
  }
}
