import { release, tmpdir } from "node:os";
import { runProgram } from "../system/process.ts";
import { confine, type Machine } from "./confine.ts";
import { makeControlFolder, removeControlFolder } from "./control-folder.ts";
import { findProgram } from "./find-program.ts";
import type { Launch, Wish } from "./sandbox.ts";
import { type TrialMachine, trialLaunch } from "./trial-launch.ts";

export interface Probed<T> {
  /** Undefined: nothing here can. */
  readonly found: T | undefined;
  /** What was tried before and why it could not, one line each. */
  readonly failed: readonly string[];
}

/** What this machine can enforce. Found out by doing it, when it is first asked for, and once. */
export interface Probe {
  confinement(): Promise<Probed<Machine>>;
  trials(): Promise<Probed<TrialMachine>>;
}

/**
 * @param env what commands run in
 * @param top where folders to try with are made; what a killed process left there goes at the next start
 * @param only the mechanisms to try
 */
export function createProbe(
  env: Readonly<Record<string, string | undefined>>,
  top: string = tmpdir(),
  only: readonly Machine["mechanism"][] = ["bubblewrap", "namespaces", "landlock", "seatbelt"],
): Probe {
  let confinement: Promise<Probed<Machine>> | undefined;
  let trials: Promise<Probed<TrialMachine>> | undefined;
  const path = env["PATH"];
  const find = (name: string) => findProgram(name, path);
  return {
    confinement() {
      confinement ??= first(only, (mechanism) => tryConfinement(mechanism, find, top));
      return confinement;
    },
    trials() {
      trials ??= first(["an overlay"], () => tryOverlay(find, top));
      return trials;
    },
  };
}

async function first<Way extends string, T>(
  ways: readonly Way[],
  attempt: (way: Way) => Promise<{ readonly found: T } | { readonly why: string }>,
): Promise<Probed<T>> {
  const failed: string[] = [];
  for (const way of ways) {
    const tried = await attempt(way);
    if ("found" in tried) return { found: tried.found, failed };
    failed.push(`${way}: ${tried.why}`);
  }
  return { found: undefined, failed };
}

type Find = (name: string) => string | undefined;

const STARTERS = { bubblewrap: "bwrap", namespaces: "unshare", landlock: "perl", seatbelt: "sandbox-exec" } as const;

async function tryConfinement(mechanism: Machine["mechanism"], find: Find, top: string) {
  const isMac = process.platform === "darwin";
  if (isMac !== (mechanism === "seatbelt")) return { why: `not on ${process.platform}` };
  const starter = find(STARTERS[mechanism]);
  if (starter === undefined) return { why: `${STARTERS[mechanism]} is not installed` };
  const perl = find("perl");
  if (mechanism === "namespaces" && perl === undefined) return { why: "perl is not installed" };
  const machine: Machine = { mechanism, starter, ...(perl !== undefined && { perl }) };
  const folder = await makeControlFolder(top);
  try {
    const wish: Wish = { readOnly: [], readWrite: [folder], network: "inherit", guarded: [], home: folder };
    const program = { file: "/bin/sh", name: "sh", args: ["-c", ": >it"], cwd: folder, readsThree: false };
    const why = await fails(confine(machine, { ...wish, home: "/nonexistent" }, program, undefined), folder);
    return why === undefined ? { found: machine } : { why };
  } finally {
    await removeControlFolder(folder);
  }
}

async function tryOverlay(find: Find, top: string) {
  if (process.platform !== "linux") return { why: `not on ${process.platform}` };
  const [starter, perl] = [find("unshare"), find("perl")];
  if (starter === undefined || perl === undefined) return { why: "unshare or perl is not installed" };
  // User attributes, by which an overlay remembers what was deleted, came to memory file systems with 6.6.
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const machine: TrialMachine = { starter, perl, inMemory: major > 6 || (major === 6 && minor >= 6) };
  const folder = await makeControlFolder(top);
  const control = await makeControlFolder(top);
  try {
    const program = { file: "/bin/sh", name: "sh", args: ["-c", ": >it"], cwd: folder, readsThree: false };
    const around = { control, workspace: folder, home: "/nonexistent", path: undefined, seconds: 10 };
    const why = await fails(trialLaunch(machine, program, around), folder);
    return why === undefined ? { found: machine } : { why };
  } finally {
    await removeControlFolder(folder);
    await removeControlFolder(control);
  }
}

/** Why a launch does not work; undefined when it does. */
async function fails({ file, args }: Launch, cwd: string): Promise<string | undefined> {
  try {
    const result = await runProgram(file, args, {
      cwd,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" },
      timeoutMs: 5_000,
      maxOutputBytes: 10_000,
    });
    if (result.kind === "exited" && result.code === 0) return undefined;
    return result.stderr.trim().split("\n")[0] || `it ended with ${result.kind}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
