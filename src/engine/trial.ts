import { existsSync } from "node:fs";
import { lutimes } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { effectsOf, type ShellReading } from "../policy/shell/reading.ts";
import type { Preview, PreviewedChange } from "../protocol/request.ts";
import { makeControlFolder, removeControlFolder } from "../sandbox/control-folder.ts";
import { readManifest } from "../sandbox/manifest.ts";
import { firstOutside } from "../sandbox/path-guard.ts";
import { type TrialMachine, trialLaunch } from "../sandbox/trial-launch.ts";
import type { ExecOptions, ExecResult } from "../shell/shell.ts";
import { isInside } from "../system/paths.ts";
import { FileProblem } from "../workspace/project-files.ts";
import type { Engine } from "./engine.ts";
import { whyNotTried } from "./may-try.ts";
import { ourFolders, withReading } from "./read-command.ts";
import { isInternal, showChanges } from "./show-changes.ts";
import { findChanges, type TrialChanges } from "./trial-changes.ts";
import type { TrialEnvironment } from "./trial-environment.ts";
import { gitOutside } from "./trial-git.ts";
import { missedVariable } from "./trial-variables.ts";

/** A command that ran on a copy, and what it did there. */
export interface Tried {
  readonly preview: Preview;
  /**
   * Does exactly that to the workspace, all or nothing, and returns what it printed. Throws with the name of a file
   * that changed meanwhile. Undefined, with nothing done: it failed on the copy and is to be run for real.
   */
  keep(): Promise<ExecResult | undefined>;
  discard(): Promise<void>;
}

/** `why`: the end of a sentence that says why it was not tried. */
export type TrialOutcome = Tried | { readonly why: string; readonly reading: ShellReading };

/** How long a command may take to be tried unasked, where the person did not say `always`. */
const PATIENCE_MS = 5_000;
const MOST_OUTPUT = 1024 * 1024;

/** Runs `script` over a copy of the workspace, if it may and can be; nothing outside of the copy is touched. */
export async function tryCommand(
  engine: Engine,
  script: string,
  options: ExecOptions,
  isAgain = false,
): Promise<TrialOutcome> {
  const reading = await readScript(engine, script, options.cwd);
  const instead = (why: string) => ({ why, reading });
  const workspace = await engine.services.files.realPath(engine.cwd);
  const home = engine.folders.user;
  const why = whyNotTried(reading, { workspace, home }) ?? whyNotHere(workspace, home, options.cwd);
  if (why !== undefined) return instead(why);
  const held = engine.sandbox.wish();
  if (held && firstOutside({ reads: [workspace], writes: [] }, held))
    return instead("the sandbox hides parts of this folder");
  const { found: machine, failed } = await (await engine.sandbox.probe()).trials();
  if (!machine) {
    const { simulateCommand } = await import("./simulate-command.ts");
    const simulated = await simulateCommand(script, { root: workspace, home }, options);
    return simulated ?? instead(`this machine cannot: ${failed.join("; ")}`);
  }
  const git = await engine.sandbox.gitSettings();
  const variables = await missedVariable({ script, reading, cwd: options.cwd, missing: git.missing });
  if (variables !== undefined) return instead(variables);
  const gitDiffers = git.gitDiffers ?? gitOutside(workspace);
  if (gitDiffers !== undefined && /\bgit\b/.test(script)) return instead(gitDiffers);
  return runOnCopy(engine, script, options, { machine, workspace, home, git, reading, isAgain });
}

/** As the judge reads it, for the very text that runs. */
async function readScript(engine: Engine, command: string, workdir: string): Promise<ShellReading> {
  const place = { cwd: engine.cwd, home: engine.folders.user, ours: ourFolders(engine) };
  const { shell } = await withReading(engine, undefined, { tool: "Bash", input: { command, workdir }, ...place });
  return shell?.reading ?? { kind: "unreadable", reason: "it is empty" };
}

interface Place {
  readonly machine: TrialMachine;
  readonly workspace: string;
  readonly home: string;
  readonly git: TrialEnvironment;
  readonly reading: ShellReading;
  /** It is tried for the second time. */
  readonly isAgain: boolean;
}

async function runOnCopy(engine: Engine, script: string, options: ExecOptions, place: Place): Promise<TrialOutcome> {
  const { machine, workspace, home, git, reading, isAgain } = place;
  const control = await makeControlFolder(engine.sandbox.controlFolders);
  const release = engine.services.shell.guardFolder(control);
  const discard = async () => {
    await removeControlFolder(control);
    release();
  };
  const instead = async (why: string) => {
    await discard();
    return { why, reading };
  };
  try {
    const always = engine.settings.features.policy.preview === "always";
    const timeoutMs = always ? options.timeoutMs : Math.min(options.timeoutMs, PATIENCE_MS);
    // One more, because times of files are finer than this clock.
    const since = Date.now() + 1;
    const result = await engine.services.shell.exec(script, {
      ...options,
      timeoutMs,
      maxOutputBytes: options.maxOutputBytes || MOST_OUTPUT,
      onlyEnv: git.env,
      inside: (program) =>
        trialLaunch(machine, program, {
          ...{ control, workspace, home, path: git.env["PATH"] },
          readable: git.readable,
          seconds: Math.ceil(timeoutMs / 1000) + 1,
        }),
    });
    if (result.kind === "timeout") return await instead(`it takes longer than ${timeoutMs / 1000} s`);
    if (result.kind !== "exited") return await instead("it could not be run");
    const manifest = await readManifest(control);
    if (!manifest) return await instead(firstLine(result.stderr) || "the copy could not be made");
    const missed = whatItMissed(result, manifest.network) ?? (foundNoGit(result) ? gitOutside(workspace) : undefined);
    if (missed !== undefined) return await instead(missed);
    const found = await findChanges(manifest, workspace, since);
    if ("refused" in found) return await instead(found.refused);
    const held = engine.sandbox.wish();
    const outside =
      held && firstOutside({ reads: [], writes: [...found.changes, ...found.touched].map(({ path }) => path) }, held);
    if (outside) return await instead(`the sandbox does not allow to write ${relative(workspace, outside.path)}`);
    const failed = result.code !== 0;
    const left = manifest.left.filter((path) => !isCache(path, home));
    const shown = await showChanges(found.seen);
    const preview: Preview = {
      title: failed ? "Tried on a copy: it failed there" : titleOf(shown.changes, found),
      kind: "run",
      changes: shown.changes,
      ...(shown.diff !== "" && { diff: shown.diff }),
      output: outputOf(result),
      notes: [
        ...shown.notes,
        ...timesNote(found, workspace),
        // Perhaps for want of something that is here; only a real run tells.
        ...(failed ? [`it ended with exit code ${result.code} there; a yes runs it here`] : []),
        ...(manifest.network ? ["it tried to use the network, which was out of reach"] : []),
        ...(left.length > 0 ? [`what it left outside this folder is not kept: ${left.slice(0, 5).join(", ")}`] : []),
      ],
    };
    return {
      preview,
      keep: async () => {
        try {
          if (failed) return undefined;
          await keepChanges(engine, found, workspace);
          return result;
        } catch (error) {
          // Two commands of one reply may both stage files: nobody was shown what git keeps for itself.
          if (isAgain || !(error instanceof ChangedMeanwhile) || !isInternal(error.path)) throw error;
          const again = await tryCommand(engine, script, options, true);
          if ("why" in again) throw error;
          if (isDeepStrictEqual(again.preview, preview)) return await again.keep();
          await again.discard();
          throw error;
        } finally {
          await discard();
        }
      },
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function keepChanges(engine: Engine, found: TrialChanges, workspace: string): Promise<void> {
  const stop = (path: string, cause?: unknown) => {
    const name = isInside(workspace, path) ? relative(workspace, path) : path;
    throw new ChangedMeanwhile(name, cause);
  };
  await engine.services.files.exclusively(async () => {
    const other = await found.changedMeanwhile();
    if (other !== undefined) stop(other);
    try {
      await engine.services.applyTree(found.changes);
      for (const { path, at } of found.touched) await lutimes(path, at, at).catch(() => undefined);
    } catch (error) {
      if (error instanceof FileProblem && /changed by another program|no such file|is a directory/.test(error.reason))
        stop(error.path, error);
      throw error;
    }
  });
}

class ChangedMeanwhile extends Error {
  /** As seen from the workspace, or absolute. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(
      `${path} changed after the command was tried, so nothing was done: run it again to see what it would do now`,
      { cause },
    );
    this.path = path;
  }
}

/** The whole machine, or all of a home folder, is no workspace to copy. */
function whyNotHere(workspace: string, home: string, cwd: string): string | undefined {
  if (isInside(workspace, home) || dirname(workspace) === workspace) return "this folder holds your whole home folder";
  if (!isInside(workspace, cwd)) return "it runs outside this folder";
  return undefined;
}

/** A script of the project may ask git, and go on without an answer. */
const foundNoGit = ({ stdout, stderr }: ExecResult & { kind: "exited" }) =>
  /not a git repository/.test(stdout + stderr);

/** What was out of reach, where that shows: then the real run would do something else. */
function whatItMissed({ code, stderr, stdout }: ExecResult & { kind: "exited" }, network: boolean): string | undefined {
  if (code === 0) return undefined;
  if (network || NO_NETWORK.test(stderr + stdout)) return "it needs the network";
  if (/Read-only file system|EROFS/.test(stderr)) return "it writes outside this folder";
  if (/Value too large for defined data type|EOVERFLOW/.test(stderr)) return "it changes files that belong to others";
  if (/No space left on device|ENOSPC|File size limit exceeded/.test(stderr)) return "it writes too much";
  if (code === 125 && stderr.startsWith("aura-sandbox:")) return firstLine(stderr);
  return undefined;
}

const NO_NETWORK =
  /Network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|Could not resolve host|Temporary failure in name resolution|Name or service not known/;

/** What programs keep for themselves; losing it changes nothing. */
function isCache(path: string, home: string): boolean {
  const inHome = isInside(home, path) ? relative(home, path) : undefined;
  if (inHome !== undefined)
    return /^\.(?:npm|cache|config|local|yarn|pnpm-store|cargo|rustup|gradle|m2|node-gyp)$/.test(inHome);
  return /^\/tmp\/(?:node-compile-cache|v8-compile-cache|npm-|yarn-|go-build|\.)/.test(path);
}

const firstLine = (text: string) => text.trim().split("\n")[0] ?? "";

function outputOf({ stdout, stderr }: ExecResult & { kind: "exited" }): string {
  if (stderr === "") return stdout;
  return `${stdout}${stdout === "" || stdout.endsWith("\n") ? "" : "\n"}${stderr}`;
}

function titleOf(changes: readonly PreviewedChange[], { changes: all }: TrialChanges): string {
  if (all.length === 0) return "Tried on a copy: it changes nothing";
  const count = changes.length;
  return count === 0
    ? "Tried on a copy: it changes only what git keeps"
    : `Tried on a copy: it changes ${count} ${count === 1 ? "path" : "paths"}`;
}

function timesNote({ touched }: TrialChanges, workspace: string): readonly string[] {
  const names = touched.map(({ path }) => relative(workspace, path)).filter((name) => !isInternal(name));
  if (names.length === 0) return [];
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return [`it sets only the time of ${names.slice(0, 3).join(", ")}${more}`];
}

/** What a command would do as far as reading it tells. */
export function judgedPreview(reading: ShellReading, why: string, workspace: string): Preview {
  const effects = reading.kind === "read" ? effectsOf(reading.parts) : [];
  const changes = effects.flatMap(({ kind, path }): PreviewedChange[] =>
    path !== undefined && (kind === "write" || kind === "delete")
      ? [
          {
            path: isInside(workspace, path) ? relative(workspace, path) : path,
            what: kind === "delete" ? "deleted" : existsSync(path) ? "modified" : "added",
          },
        ]
      : [],
  );
  const concerns = effects.flatMap(({ concern }) => concern ?? []);
  return {
    title: `Not tried beforehand: ${why}`,
    kind: "judged",
    changes,
    notes: [...new Set(concerns)].slice(0, 8),
  };
}
