import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { GRACE_MS, MOST_MEMORY_PAGES, type ScriptLimits } from "./limits.ts";
import type { FromScript, InnerRefusal, InnerResult, ScriptStart } from "./messages.ts";
import { type ScriptCode, ScriptFailure } from "./script-failure.ts";

export interface ScriptRun {
  readonly source: string;
  /** In error messages. */
  readonly fileName: string;
  readonly inputs: unknown;
  readonly limits: ScriptLimits;
  /** The optional shorthands of `ctx`: `webSearch`. */
  readonly shorthands: readonly string[];
  readonly signal: AbortSignal;
  /** Why a tool may not be called at all; such a call is not counted. */
  refusal(tool: string): InnerRefusal | undefined;
  /** One inner call; `signal` ends it when the script has ended. Never throws for what the script did. */
  call(tool: string, input: Readonly<Record<string, unknown>>, inner: InnerCall): Promise<InnerResult | InnerRefusal>;
  print(line: string): void;
}

export interface InnerCall {
  readonly signal: AbortSignal;
  /** A person is asked: until `answered` settles the script's clock stands still. */
  asked(answered: Promise<unknown>): void;
}

export interface ScriptResult {
  /** Capped and marked. */
  readonly text: string;
  /** What it logged, capped. */
  readonly log: string;
}

/**
 * Runs one script in a thread of its own, so that nothing it does holds up this one. However it ends, the thread is gone
 * and what it had called is cancelled when this settles.
 * @throws ScriptFailure for every way a script can fail
 */
export async function runScript(run: ScriptRun): Promise<ScriptResult> {
  const inner = new AbortController();
  const clock = createClock();
  const worker = startWorker(run, clock.shared);
  try {
    return await outcome(run, worker, clock, inner.signal);
  } finally {
    clock.stop();
    inner.abort();
    await worker.terminate();
  }
}

function outcome(run: ScriptRun, worker: Worker, clock: Clock, inner: AbortSignal): Promise<ScriptResult> {
  return new Promise((resolve, reject) => {
    const fail = (code: ScriptCode, message: string) => reject(new ScriptFailure(code, message));
    const timeout = () => fail("timeout", `the script took longer than ${run.limits.timeoutMs} ms`);
    const cancel = () => fail("cancelled", "the call was cancelled");
    if (run.signal.aborted) return cancel();
    run.signal.addEventListener("abort", cancel, { once: true, signal: inner });

    let calls = 0;
    const answerTo = (tool: string, input: string): Promise<InnerResult | InnerRefusal> | InnerRefusal => {
      const refused = run.refusal(tool);
      if (refused) return refused;
      if (++calls > run.limits.maxToolCalls) return tooManyCalls(run.limits);
      return run.call(tool, JSON.parse(input), { signal: inner, asked: (answered) => clock.pause(answered) });
    };
    const answer = async (id: number, tool: string, input: string) => {
      const answered = await answerTo(tool, input);
      if (!inner.aborted) worker.postMessage({ id, answer: answered });
    };
    worker.on("message", (message: FromScript) => {
      switch (message.type) {
        case "begun":
          clock.start(timeout);
          break;
        case "call":
          answer(message.id, message.tool, message.input).catch(reject);
          break;
        case "print":
          run.print(message.line);
          break;
        case "done":
          resolve(message);
          break;
        case "failed":
          if (message.code === "timeout") timeout();
          else fail(message.code, withLog(wordFailure(message.code, message.message), message.log));
      }
    });
    worker.on("error", (error: Error & { readonly code?: string }) =>
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? fail("out-of-memory", wordFailure("out-of-memory", ""))
        : fail("script-error", `${run.fileName}: the machine it ran in broke: ${error.message}`),
    );
    worker.on("exit", () => fail("script-error", `${run.fileName}: the thread it ran in ended`));
  });
}

const tooManyCalls = ({ maxToolCalls }: ScriptLimits): InnerRefusal => ({
  code: "max-tool-calls",
  message: `a script may make ${maxToolCalls} calls (limits.maxToolCalls)`,
});

const wordFailure = (code: ScriptCode, message: string) =>
  code === "out-of-memory" ? `the script needed more than ${MOST_MEMORY_PAGES / 16} MiB` : message;

const withLog = (message: string, log: string) => (log === "" ? message : `${message}\n\nconsole:\n${log.trimEnd()}`);

interface Clock {
  /** The deadline, where the script's thread sets and reads it. */
  readonly shared: SharedArrayBuffer;
  /** The deadline is set; `over` is called when it and the grace after it have passed. */
  start(over: () => void): void;
  pause(until: Promise<unknown>): void;
  stop(): void;
}

/** The script's thread looks at the deadline whenever its machine asks whether to go on. */
function createClock(): Clock {
  const shared = new SharedArrayBuffer(8);
  const deadline = new BigInt64Array(shared);
  const now = () => process.hrtime.bigint();
  let over: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauses = 0;
  let pausedAt = 0n;
  const arm = () => {
    clearTimeout(timer);
    if (!over || pauses > 0) return;
    const left = Number(Atomics.load(deadline, 0) - now()) / 1e6;
    timer = setTimeout(over, Math.max(0, left) + GRACE_MS);
  };
  return {
    shared,
    start(call) {
      over = call;
      arm();
    },
    pause(until) {
      if (pauses++ === 0) pausedAt = now();
      arm();
      const goOn = () => {
        if (--pauses === 0) Atomics.add(deadline, 0, now() - pausedAt);
        arm();
      };
      until.then(goOn, goOn);
    },
    stop() {
      over = undefined;
      clearTimeout(timer);
    },
  };
}

function startWorker(run: ScriptRun, deadline: SharedArrayBuffer): Worker {
  const start: ScriptStart = {
    source: run.source,
    fileName: run.fileName,
    inputs: JSON.stringify(run.inputs ?? {}),
    shorthands: run.shorthands,
    maxOutputBytes: run.limits.maxOutputBytes,
    timeoutMs: run.limits.timeoutMs,
    wasm: wasmFile(),
    deadline,
  };
  return new Worker(workerFile(), {
    workerData: start,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 192 },
  });
}

/** Beside the source, or one folder above the chunk this became part of (`bin/build.mjs`). */
const isSource = import.meta.url.endsWith(".ts");
const workerFile = () =>
  isSource ? new URL("./worker.ts", import.meta.url) : new URL("../script-worker.js", import.meta.url);
const wasmFile = () =>
  isSource
    ? createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm")
    : fileURLToPath(new URL("../quickjs.wasm", import.meta.url));
