import { programFolders, SECRET_FILES } from "./base-folders.ts";
import { inNamespaces } from "./namespaces.ts";
import type { Launch, Program } from "./sandbox.ts";

/** What a trial needs of the machine. */
export interface TrialMachine {
  readonly starter: string;
  readonly perl: string;
  /** Changes are kept in memory while the command runs, so the disk is bounded; else beside the control folder. */
  readonly inMemory: boolean;
}

export interface TrialPlace {
  /** An empty folder of ours, outside the workspace. */
  readonly control: string;
  /** Absolute, links followed. */
  readonly workspace: string;
  readonly home: string;
  readonly path: string | undefined;
  /** More of the person's files that may be read. */
  readonly readable?: readonly string[];
  /** Of processor time. */
  readonly seconds: number;
}

/** Of what a trial may change before it counts as too much to show. */
const MOST_FILES = 5_000;
const MOST_MB = 64;
const SCRATCH_MB = 512;

/**
 * A command on a copy of the workspace that costs nothing to make: everything else read-only, nothing of the person's
 * own in sight, nobody to talk to.
 */
export function trialLaunch(machine: TrialMachine, program: Program, place: TrialPlace): Launch {
  const { control, workspace, home, path, seconds, readable = [] } = place;
  const homes = [...new Set(["/root", "/home", home])];
  return inNamespaces(
    machine,
    "none",
    [
      ...["control", control, "base"],
      ...[...homes, "/tmp", "/var/tmp", "/mnt", "/media", "/srv"].flatMap((at) => ["tmpfs", at, "64"]),
      // Sockets of other programs: a read-only mount does not close them.
      ...["/run", "/var/run", "/var/lib/docker", "/var/lib/kubelet", "/var/spool", "/var/mail"].flatMap((at) => [
        "hide",
        at,
      ]),
      ...SECRET_FILES.flatMap((file) => ["hide", file]),
      ...[...programFolders(path, home), ...readable].flatMap((folder) => ["bind", "ro", folder]),
      ...["overlay", workspace, machine.inMemory ? String(SCRATCH_MB) : "0"],
      ...["proc", "dev", "loopback"],
      ...[home, "/tmp"].flatMap((at) => ["watch", at]),
      ...LIMITED.flatMap(([number, value]) => ["limit", String(number), String(value)]),
      ...["limit", "0", String(seconds)],
      ...["collect", String(MOST_FILES), String(MOST_MB)],
    ],
    program,
  );
}

/** Numbers of setrlimit(2) with values: size of a file, data, core files, processes. */
const LIMITED = [
  [1, SCRATCH_MB * 1024 * 1024],
  [2, 4 * 1024 * 1024 * 1024],
  [4, 0],
  [6, 1024],
] as const;
