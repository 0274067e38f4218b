import { randomUUID } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, normalize } from "node:path";
import { limitCommand, limitMarks } from "../system/limit-mark.ts";
import { createPipePool, discardPipe } from "../system/named-pipes.ts";
import { isInside } from "../system/paths.ts";
import { type RunResult, runProgram } from "../system/process.ts";
import { endFamily, groupExists } from "../system/process-tree.ts";
import { pinEnvironment } from "./environment.ts";
import { type BashInvocation, invokeCheck, invokeScript, mayBeUnread, syntaxProblem } from "./script-check.ts";
import type { ExecOptions, ExecResult, Shell } from "./shell.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

/** A shell that holds processes until it is closed. */
export interface HostShell extends Shell {
  /** Ends everything a command left running: SIGTERM, and SIGKILL a second later. Nothing runs afterwards. */
  close(): Promise<void>;
  /** A program started elsewhere, as the leader of its group: ended if we die; the result takes that back. */
  guardGroup(pid: number): () => void;
  /** A folder for what a command leaves: removed if we die; the result takes that back. */
  guardFolder(path: string): () => void;
}

export interface HostShellOptions {
  /** The environment to start from; credentials of model providers are taken out of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; found on the `PATH` of `env` when not given. */
  readonly bash?: string;
}

/** Carried by everything we start, so that it is found again wherever it moved to. */
const MARK = "STARTED_BY_AURA";
const NOTHING = { stdout: "", stderr: "", capped: false };
const GRACE_MS = 1000;

/** The machine's bash. Every command has a process group of its own, empty standard input and a pinned environment. */
export function createHostShell(options: HostShellOptions): HostShell {
  const family = randomUUID().slice(0, 8);
  const base = pinEnvironment(options.env);
  /** Groups in which a command that ended left something running. */
  const left = new Set<number>();
  const running = new Set<AbortController>();
  const pipes = createPipePool();
  const limits = limitMarks();
  let closed = false;
  let count = 0;
  let bash: string | undefined;
  let watchdog: Watchdog | undefined;

  function watch(): Watchdog {
    watchdog ??= startWatchdog(`${MARK}=${family}.`, base["PATH"], limits?.prefix);
    return watchdog;
  }

  async function run(invocation: BashInvocation, exec: ExecOptions, limit?: string): Promise<RunResult> {
    if (exec.signal.aborted || closed) return { kind: "cancelled", ...NOTHING };
    bash ??= options.bash ?? findBash(base["PATH"], exec.cwd);
    // Before the first command, so that there is no moment in which a command is unwatched.
    watch();
    const taken = await pipes.take();
    if (exec.signal.aborted || closed) {
      for (const pipe of taken ?? []) discardPipe(pipe);
      return { kind: "cancelled", ...NOTHING };
    }
    const mark = `${family}.${++count}.`;
    const stop = new AbortController();
    const forward = () => stop.abort();
    exec.signal.addEventListener("abort", forward, { once: true });
    let group = 0;
    running.add(stop);
    try {
      const program = {
        file: bash,
        name: "bash",
        args: invocation.args,
        cwd: exec.cwd,
        readsThree: invocation.extraInput !== undefined,
      };
      const started = exec.inside?.(program) ?? program;
      return await runProgram(started.file, started.args, {
        ...exec,
        env: { ...(exec.onlyEnv ?? base), ...exec.env, PWD: exec.cwd, [MARK]: mark },
        mark: `${MARK}=${mark}`,
        ...(limit !== undefined && { limit }),
        signal: stop.signal,
        ...(started === program && { name: "bash" }),
        pipes: taken,
        ...(invocation.extraInput !== undefined && { extraInput: invocation.extraInput }),
        onStart(pid) {
          group = pid;
          watchdog?.watch(pid);
        },
      });
    } finally {
      running.delete(stop);
      exec.signal.removeEventListener("abort", forward);
      if (group !== 0) left.add(group);
      forgetEmptyGroups();
    }
  }

  function forgetEmptyGroups(): void {
    for (const group of left)
      if (!groupExists(group)) {
        left.delete(group);
        watchdog?.forget(group);
      }
  }

  async function syntaxError(script: string, exec: ExecOptions): Promise<string | undefined> {
    // Reading runs nothing, so it needs no confinement.
    const { onLine: _, onChunk: __, inside: ___, ...quietly } = exec;
    const result = await run(invokeCheck(script), { ...quietly, maxOutputBytes: 64 * 1024 });
    return result.kind === "exited" ? syntaxProblem(result.code, result.stderr) : undefined;
  }

  return {
    async exec(script, exec): Promise<ExecResult> {
      if (script.includes("\0")) return { kind: "syntax-error", message: "the script contains a NUL character" };
      const limit = limits?.next();
      const invocation = invokeScript(limit === undefined ? script : limitCommand(limit) + script);
      if (!invocation.checked) {
        const message = await syntaxError(script, exec);
        if (message !== undefined) return { kind: "syntax-error", message };
      }
      const result = await run(invocation, exec, limit);
      // Only a failure that showed nothing but complaints can be one of syntax; bash itself says whether it was.
      if (invocation.checked && result.kind === "exited" && mayBeUnread(result.code, result.stdout, result.stderr)) {
        const message = await syntaxError(script, exec);
        if (message !== undefined) return { kind: "syntax-error", message };
      }
      return result;
    },
    guardGroup(pid) {
      if (closed) return () => {};
      watch().watch(pid);
      return () => watchdog?.forget(pid);
    },
    guardFolder: (path) => (closed ? () => {} : watch().guardFolder(path)),
    async close() {
      closed = true;
      for (const stop of running) stop.abort();
      const marks = { mark: `${MARK}=${family}.`, ...(limits && { limit: limits.prefix }) };
      if (count > 0) await endFamily({ groups: [...left], ...marks }, GRACE_MS);
      pipes.close();
      watchdog?.dismiss();
      watchdog = undefined;
    },
  };
}

const SYSTEM = ["/bin", "/usr/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** @throws Error when there is no bash on `path`. */
function findBash(path: string | undefined, cwd: string): string {
  const folders = [...(path ?? "").split(delimiter), ...SYSTEM];
  // A relative entry, or one inside the project, would let the project choose the shell; the system's own folders are
  // nobody's project, also where somebody works in one of them or in "/".
  const found = folders
    .filter(
      (folder) =>
        SYSTEM.includes(normalize(folder)) ||
        (isAbsolute(folder) && !isInside(cwd, folder) && !folder.includes("/node_modules/")),
    )
    .map((folder) => join(folder, "bash"))
    .find(isExecutable);
  if (found === undefined) throw new Error("bash was not found: install it, or put it on the PATH");
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
