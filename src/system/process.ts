import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, statSync } from "node:fs";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { OutputPipe } from "./named-pipes.ts";
import { captureOutput } from "./output-capture.ts";
import { endFamily, livingMembers } from "./process-tree.ts";
import { whatTheyWaitFor } from "./process-waits.ts";

export interface RunOptions {
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** 0 = none. */
  readonly timeoutMs: number;
  /** Per stream; 0 = no cap. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
  /** What the process hears as its own name (`argv[0]`). Default: `file`. */
  readonly name?: string;
  /** For its standard output and error, taken over with all that is to be closed. Default: sockets of Node. */
  readonly pipes?: readonly [OutputPipe, OutputPipe] | undefined;
  /** Readable by the process as file descriptor 3. Its standard input is always empty. */
  readonly extraInput?: string;
  /** `NAME=value` of `env` by which descendants that left the process group are found when it is ended. */
  readonly mark?: string;
  /** The limit by which they are found when they cleared their environment as well (limit-mark.ts). */
  readonly limit?: string;
  /** Every complete line as it arrives, and the newest partial one at the end. */
  onLine?(line: string, stream: "stdout" | "stderr"): void;
  /** Everything as it arrives, also beyond `maxOutputBytes`. */
  onChunk?(chunk: Buffer, stream: "stdout" | "stderr"): void;
  /** The process runs; its id is also that of its process group. */
  onStart?(pid: number): void;
}

export interface RunOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** A stream hit `maxOutputBytes`; the rest was discarded. */
  readonly capped: boolean;
}

export type RunResult =
  | ({ readonly kind: "exited" /** 128 + signal when killed by one. */; readonly code: number } & RunOutput)
  | ({
      readonly kind: "timeout";
      readonly ms: number;
      /** What it seemed to wait for, as far as the system tells. */
      readonly waits?: string;
    } & RunOutput)
  | ({ readonly kind: "cancelled" } & RunOutput);

/** A timer set for longer than 2^31 - 1 ms (24 days) would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 1000;

/**
 * Runs a program in a process group of its own, with empty standard input, and captures what it writes. Resolves when
 * the program itself has ended and what it wrote by then is read; something it left running in the background keeps
 * its pipes but is not waited for. On time-out and abort the whole family is ended first.
 * @throws Error when the program or `cwd` does not exist or cannot be used.
 */
export async function runProgram(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  if (options.signal?.aborted) return { kind: "cancelled", stdout: "", stderr: "", capped: false };
  const { onLine } = options;
  const out = captureOutput(options.maxOutputBytes, onLine && ((line) => onLine(line, "stdout")));
  const err = captureOutput(options.maxOutputBytes, onLine && ((line) => onLine(line, "stderr")));

  const child = start(file, args, options);
  const exited = exitCode(child, file, options.cwd);
  const outputs = [options.pipes?.[0].reader ?? child.stdout, options.pipes?.[1].reader ?? child.stderr] as const;
  if (child.pid === undefined || !outputs[0] || !outputs[1]) {
    for (const output of outputs) output?.destroy();
    throw await exited.then(noProcess, (problem) => problem);
  }
  const stdout = readInto(outputs[0], (chunk) => {
    out.push(chunk);
    options.onChunk?.(chunk, "stdout");
  });
  const stderr = readInto(outputs[1], (chunk) => {
    err.push(chunk);
    options.onChunk?.(chunk, "stderr");
  });
  const stop = stopOn(options, child);
  try {
    options.onStart?.(child.pid);
    const code = await exited;
    await stop.ended();
    await drained([stdout, stderr]);
    stdout.release();
    stderr.release();
    out.end();
    err.end();
    const output = { stdout: out.text(), stderr: err.text(), capped: out.capped || err.capped };
    const reason = stop.reason();
    if (reason === "timeout") {
      const waits = stop.waits();
      return { kind: "timeout", ms: options.timeoutMs, ...(waits !== undefined && { waits }), ...output };
    }
    return reason === "cancelled" ? { kind: "cancelled", ...output } : { kind: "exited", code, ...output };
  } finally {
    stop.forget();
  }
}

function start(file: string, args: readonly string[], options: RunOptions): ChildProcess {
  const { extraInput: extra, pipes } = options;
  const output = pipes ? pipes.map((pipe) => pipe.writeFd) : (["pipe", "pipe"] as const);
  const child = trySpawn(file, args, {
    cwd: options.cwd,
    env: options.env,
    argv0: options.name ?? file,
    detached: true,
    stdio: ["ignore", ...output, ...(extra === undefined ? [] : ["pipe" as const])],
    ...(pipes && { pipes }),
  });
  const pipe = child.stdio[3] as Writable | undefined; // one we write to, as asked for above
  // The process may end without reading it.
  pipe?.on("error", () => {});
  pipe?.end(extra);
  return child;
}

/** Node reports some failures by throwing and others by an event. */
function trySpawn(
  file: string,
  args: readonly string[],
  { pipes, ...options }: SpawnOptions & { cwd: string } & Pick<RunOptions, "pipes">,
): ChildProcess {
  try {
    return spawn(file, args, options);
  } catch (problem) {
    for (const pipe of pipes ?? []) pipe.reader.destroy();
    throw new Error(startProblem(file, options.cwd, problem as Error), { cause: problem });
  } finally {
    for (const pipe of pipes ?? []) closeSync(pipe.writeFd);
  }
}

function exitCode(child: ChildProcess, file: string, cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    child.on("error", (problem) => reject(new Error(startProblem(file, cwd, problem), { cause: problem })));
  });
}

function noProcess(): Error {
  return new Error("a process was reported to have ended before it was started");
}

function startProblem(file: string, cwd: string, problem: Error): string {
  const folder = statSync(cwd, { throwIfNoEntry: false });
  if (!folder) return `cannot run in ${cwd}: no such directory`;
  if (!folder.isDirectory()) return `cannot run in ${cwd}: not a directory`;
  const code = (problem as NodeJS.ErrnoException).code;
  return `cannot run ${file}: ${code === "ENOENT" ? "no such program" : problem.message}`;
}

interface ReadStream {
  readonly ended: boolean;
  /** Bytes seen so far. */
  readonly bytes: number;
  /** Keeps emptying the pipe, so that a background process can go on writing, without holding up our own exit. */
  release(): void;
}

function readInto(stream: Readable, take: (chunk: Buffer) => void): ReadStream {
  let ended = false;
  let bytes = 0;
  const hear = (chunk: Buffer) => {
    bytes += chunk.length;
    take(chunk);
  };
  stream.on("data", hear);
  stream.once("close", () => {
    ended = true;
  });
  stream.once("end", () => {
    ended = true;
  });
  // A reset of the pipe is an end like any other.
  stream.on("error", () => {
    ended = true;
  });
  return {
    get ended() {
      return ended;
    },
    get bytes() {
      return bytes;
    },
    release() {
      if (ended) return;
      stream.off("data", hear);
      stream.resume();
      if ("unref" in stream) (stream as Readable & { unref(): void }).unref();
    },
  };
}

/**
 * What a process wrote before it ended is in the pipe when we hear of the end. Every turn of the event loop reads what
 * is there, so two turns without news mean the pipe is empty. Somebody else may go on writing: the number of turns is
 * bounded, and large enough for all a pipe can hold.
 */
async function drained(streams: readonly ReadStream[]): Promise<void> {
  let quiet = 0;
  for (let turn = 0; turn < 64 && quiet < 2 && streams.some((stream) => !stream.ended); turn++) {
    const before = streams.reduce((sum, stream) => sum + stream.bytes, 0);
    await new Promise((resolve) => setImmediate(resolve));
    quiet = streams.reduce((sum, stream) => sum + stream.bytes, 0) === before ? quiet + 1 : 0;
  }
}

interface Stop {
  reason(): "timeout" | "cancelled" | undefined;
  /** What was seen of it when its time was over. */
  waits(): string | undefined;
  /** Resolves when a stop under way has ended the whole family; at once when there is none. */
  ended(): Promise<void>;
  forget(): void;
}

function stopOn(options: RunOptions, child: ChildProcess): Stop {
  let reason: "timeout" | "cancelled" | undefined;
  let waits: string | undefined;
  let ending: Promise<void> = Promise.resolve();
  const end = (why: "timeout" | "cancelled") => {
    if (reason || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    reason = why;
    const { mark, limit } = options;
    const family = {
      groups: [child.pid],
      ...(mark !== undefined && { mark }),
      ...(limit !== undefined && { limit }),
    };
    if (why === "timeout") waits = whatTheyWaitFor(livingMembers(family));
    ending = endFamily(family, GRACE_MS);
  };
  const onAbort = () => end("cancelled");
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const limit = Math.min(options.timeoutMs, LONGEST_TIMER_MS);
  const timer = limit > 0 ? setTimeout(() => end("timeout"), limit) : undefined;
  return {
    reason: () => reason,
    waits: () => waits,
    ended: () => ending,
    forget() {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
    },
  };
}
