import { Worker } from "node:worker_threads";
import { isInside } from "../system/paths.ts";
import type { ExecOptions, ExecResult, Shell } from "./shell.ts";
import type { RecordedChange, VirtualEnd, VirtualStart } from "./virtual-messages.ts";

/**
 * A shell without a machine: it reads one folder, keeps what is written elsewhere in memory until the script ends, and
 * starts no program. It knows about eighty commands and is not bash in every detail.
 */
export function createVirtualShell(root: string, home: string): Shell {
  return {
    async exec(script, options) {
      return (await play(script, { root, home, mode: "read" }, options)).result;
    },
  };
}

export interface Simulated {
  readonly result: ExecResult;
  readonly changes: readonly RecordedChange[];
}

/** Plays a script over `root` without touching it, and tells what it would have changed. */
export function simulate(
  script: string,
  place: { root: string; home: string },
  options: ExecOptions,
): Promise<Simulated> {
  return play(script, { ...place, mode: "record" }, options);
}

/** Where a script may be that is nowhere in the folder. */
const SCRATCH = "/tmp";
/** From the time limit of the script to that of its thread, which may be in a loop that notices nothing. */
const GRACE_MS = 250;

interface Place {
  readonly root: string;
  readonly home: string;
  readonly mode: VirtualStart["mode"];
}

async function play(script: string, { root, home, mode }: Place, options: ExecOptions): Promise<Simulated> {
  const { cwd, env, timeoutMs, maxOutputBytes, signal, onLine } = options;
  const nothing = { stdout: "", stderr: "", capped: false };
  if (signal.aborted) return { result: { kind: "cancelled", ...nothing }, changes: [] };
  const start: VirtualStart = {
    script,
    root,
    cwd: isInside(root, cwd) ? cwd : SCRATCH,
    env: { HOME: home, PATH: "/usr/bin:/bin", LANG: "C.UTF-8", ...env },
    timeoutMs,
    maxOutputBytes,
    mode,
  };
  const end = await inThread(start, signal);
  if (end === "cancelled") return { result: { kind: "cancelled", ...nothing }, changes: [] };
  if (end === "timeout") return { result: { kind: "timeout", ms: timeoutMs, ...nothing }, changes: [] };
  if (end.kind === "syntax-error") return { result: { kind: "syntax-error", message: end.message }, changes: [] };
  if (end.kind === "ran" && end.code === 124 && end.stderr.includes("execution deadline"))
    return { result: { kind: "timeout", ms: timeoutMs, stdout: end.stdout, stderr: "", capped: false }, changes: [] };
  if (end.kind === "failed") throw new Error(`the virtual shell stopped: ${end.message}`);
  const [stdout, stderr] = [cap(end.stdout, maxOutputBytes), cap(end.stderr, maxOutputBytes)];
  for (const [text, stream] of [
    [stdout, "stdout"],
    [stderr, "stderr"],
  ] as const)
    for (const line of text.split("\n").filter((one) => one !== "")) onLine?.(line, stream);
  const capped = stdout.length < end.stdout.length || stderr.length < end.stderr.length;
  return { result: { kind: "exited", code: end.code, stdout, stderr, capped }, changes: end.changes };
}

function inThread(start: VirtualStart, signal: AbortSignal): Promise<VirtualEnd | "cancelled" | "timeout"> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(), {
      workerData: start,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const settle = (end: VirtualEnd | "cancelled" | "timeout") => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(end);
      void worker.terminate();
    };
    const onAbort = () => settle("cancelled");
    const timer = start.timeoutMs > 0 ? setTimeout(() => settle("timeout"), start.timeoutMs + GRACE_MS) : undefined;
    signal.addEventListener("abort", onAbort, { once: true });
    worker.once("message", (end: VirtualEnd) => settle(end));
    worker.once("error", (error) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      reject(new Error(`the virtual shell stopped: ${error instanceof Error ? error.message : String(error)}`));
    });
  });
}

/** By bytes, at a whole character. */
function cap(text: string, maxBytes: number): string {
  if (maxBytes <= 0 || Buffer.byteLength(text) <= maxBytes) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes), { stream: true });
}

/** Beside the source, or one folder above the chunk this became part of (`bin/build.mjs`). */
const workerFile = () =>
  import.meta.url.endsWith(".ts")
    ? new URL("./virtual-worker.ts", import.meta.url)
    : new URL("../virtual-worker.js", import.meta.url);
