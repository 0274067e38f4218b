import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FoundChanges, findChanges } from "../../src/engine/trial-changes.ts";
import { type Manifest, readManifest } from "../../src/sandbox/manifest.ts";
import { createProbe } from "../../src/sandbox/probe.ts";
import { trialLaunch } from "../../src/sandbox/trial-launch.ts";
import { createHostShell, type HostShell } from "../../src/shell/host-shell.ts";
import type { ExecResult } from "../../src/shell/shell.ts";

/** What this machine tries commands with, and why it cannot. */
export const trials = await createProbe(process.env).trials();

export interface Bench {
  readonly workspace: string;
  readonly home: string;
  readonly shell: HostShell;
  /** Runs a script on a copy of the workspace. */
  attempt(script: string, timeoutMs?: number): Promise<Attempt>;
  remove(): Promise<void>;
}
export interface Attempt {
  readonly result: ExecResult;
  /** Undefined when the command was killed before it was written. */
  readonly manifest: Manifest | undefined;
  readonly found: FoundChanges;
  readonly control: string;
}

/** A throwaway workspace in a throwaway home. */
export function createBench(): Bench {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "aura-trial-")));
  const home = join(top, "home");
  const workspace = join(home, "project");
  mkdirSync(workspace, { recursive: true });
  const shell = createHostShell({ env: { PATH: process.env["PATH"], HOME: home } });
  let count = 0;
  return {
    workspace,
    home,
    shell,
    async attempt(script, timeoutMs = 10_000) {
      const control = join(top, `control-${++count}`);
      mkdirSync(control);
      const since = Date.now() + 1;
      const result = await shell.exec(script, {
        cwd: workspace,
        timeoutMs,
        maxOutputBytes: 100_000,
        signal: new AbortController().signal,
        onlyEnv: { PATH: process.env["PATH"] ?? "", HOME: home },
        inside: (program) =>
          trialLaunch(trials.found!, program, { control, workspace, home, path: process.env["PATH"], seconds: 10 }),
      });
      const manifest = await readManifest(control);
      const found = manifest ? await findChanges(manifest, workspace, since) : { refused: "no manifest" };
      return { result, manifest, found, control };
    },
    async remove() {
      await shell.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}
