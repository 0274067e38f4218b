import type { ExecResult, Shell } from "./shell.ts";

/** A command that runs on while the conversation goes on. Plain data. */
export interface Job {
  /** `b1`, `b2`, …: short, because a model and a person type it. */
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly state: JobState;
}

export type JobState =
  | { readonly kind: "running" }
  | { readonly kind: "exited"; readonly code: number }
  /** `why` for people and the model: stopped, over its time, too much output, no such folder. */
  | { readonly kind: "ended"; readonly why: string };

/** What one said since it was last asked, or all that is kept. */
export interface JobOutput {
  readonly job: Job;
  readonly text: string;
  /** Bytes that came before `text`, were never read and are not kept any more. */
  readonly lost: number;
}

/** The commands of one conversation that run in the background; they end with it. */
export interface Jobs {
  readonly all: readonly Job[];
  readonly running: number;
  /** @throws Error when too many run already */
  start(command: string, how: JobStart): Job;
  find(id: string): Job | undefined;
  /** Everything that is kept, for people; undefined when there is no such job. */
  show(id: string): JobOutput | undefined;
  /** What is new since the last time, and after it: the reader's place moves on. */
  read(id: string): JobOutput | undefined;
  /** Until it ended, or said something new, or this long has passed. */
  settled(id: string, what: "ended" | "news", ms: number, signal: AbortSignal): Promise<void>;
  /** Ends it and all it started. False when it had ended, or there is no such job. */
  stop(id: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface JobStart {
  /** Absolute. */
  readonly cwd: string;
  /** 0 = none. */
  readonly timeoutMs: number;
  /** The same, and as confined, as for a command that is waited for. */
  readonly shell: Shell;
}

export interface JobsOptions {
  readonly now: () => number;
  /** One was started or ended. */
  changed(job: Job): void;
}

const MOST_RUNNING = 16;
/** Ended ones that are kept for being read. */
const MOST_ENDED = 32;
/** The newest output of each is kept, up to this many bytes. */
const KEPT_BYTES = 256 * 1024;
/** Whoever writes more than this has gone wild. */
const MOST_BYTES = 64 * 1024 * 1024;

export function createJobs({ now, changed }: JobsOptions): Jobs {
  const running = new Map<string, Run>();
  const runs = new Map<string, Run>();
  let count = 0;

  function forgetOldest(): void {
    const ended = [...runs.values()].filter(({ job }) => job.state.kind !== "running");
    for (const { job } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) runs.delete(job.id);
  }

  async function follow(run: Run, { shell, timeoutMs }: JobStart): Promise<void> {
    let state: JobState;
    try {
      const result = await shell.exec(run.job.command, {
        cwd: run.job.cwd,
        timeoutMs,
        maxOutputBytes: 1, // what it says is kept here
        signal: run.stop.signal,
        onChunk: (chunk) => run.hear(chunk),
      });
      if (result.kind === "syntax-error") run.say(`syntax error: ${result.message}\n`);
      state = stateOf(result, run);
    } catch (error) {
      state = { kind: "ended", why: error instanceof Error ? error.message : String(error) };
    }
    run.end(state);
    running.delete(run.job.id);
    forgetOldest();
    changed(run.job);
  }

  return {
    get all() {
      return [...runs.values()].map(({ job }) => job);
    },
    get running() {
      return running.size;
    },
    start(command, how) {
      if (running.size >= MOST_RUNNING)
        throw new Error(`${MOST_RUNNING} commands run in the background already: stop one of them first`);
      const run = new Run({ id: `b${++count}`, command, cwd: how.cwd, startedAt: now(), state: { kind: "running" } });
      running.set(run.job.id, run);
      runs.set(run.job.id, run);
      run.done = follow(run, how);
      changed(run.job);
      return run.job;
    },
    find: (id) => runs.get(id)?.job,
    show: (id) => runs.get(id)?.show(),
    read: (id) => runs.get(id)?.read(),
    async settled(id, what, ms, signal) {
      const run = runs.get(id);
      if (run) await run.settled(what, ms, signal);
    },
    async stop(id) {
      const run = running.get(id);
      if (!run) return false;
      run.why = "stopped";
      run.stop.abort();
      await run.done;
      return true;
    },
    async close() {
      await Promise.all(
        [...running.values()].map((run) => {
          run.why = "ended with the session";
          run.stop.abort();
          return run.done;
        }),
      );
    },
  };
}

function stateOf(result: ExecResult, { why }: Run): JobState {
  switch (result.kind) {
    case "exited":
      return { kind: "exited", code: result.code };
    case "timeout":
      return { kind: "ended", why: "its time was over" };
    case "cancelled":
      return { kind: "ended", why: why ?? "stopped" };
    case "syntax-error":
      return { kind: "ended", why: "bash could not read it" };
  }
}

class Run {
  job: Job;
  readonly stop = new AbortController();
  done: Promise<void> = Promise.resolve();
  /** Why it is being ended, when we do. */
  why: string | undefined;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  /** Bytes heard, dropped and read so far. */
  #heard = 0;
  #dropped = 0;
  #read = 0;
  readonly #waiting = new Set<() => void>();

  constructor(job: Job) {
    this.job = job;
  }

  hear(chunk: Buffer): void {
    this.#heard += chunk.length;
    this.#kept += chunk.length;
    this.#chunks.push(chunk);
    while (this.#kept > KEPT_BYTES) this.#dropSome();
    if (this.#heard > MOST_BYTES && !this.stop.signal.aborted) {
      this.why = `it wrote more than ${MOST_BYTES / 1024 / 1024} MiB`;
      this.stop.abort();
    }
    this.#tell();
  }

  /** Instead of what was heard. */
  say(text: string): void {
    this.#chunks.length = 0;
    this.#kept = 0;
    this.#dropped = this.#heard;
    this.hear(Buffer.from(text));
  }

  end(state: JobState): void {
    this.job = { ...this.job, state };
    this.#tell();
  }

  show(): JobOutput {
    return { job: this.job, text: Buffer.concat(this.#chunks).toString(), lost: this.#dropped };
  }

  read(): JobOutput {
    const from = Math.max(this.#read, this.#dropped);
    const lost = from - this.#read;
    const text = Buffer.concat(this.#chunks).subarray(from - this.#dropped);
    this.#read = this.#heard;
    return { job: this.job, text: text.toString(), lost };
  }

  async settled(what: "ended" | "news", ms: number, signal: AbortSignal): Promise<void> {
    const isSettled = () => this.job.state.kind !== "running" || (what === "news" && this.#heard > this.#read);
    if (isSettled() || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const look = () => {
        if (isSettled()) leave();
      };
      const timer = setTimeout(leave, ms);
      this.#waiting.add(look);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #dropSome(): void {
    const first = this.#chunks[0]!;
    const surplus = Math.min(first.length, this.#kept - KEPT_BYTES);
    if (surplus === first.length) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(surplus);
    this.#kept -= surplus;
    this.#dropped += surplus;
  }

  #tell(): void {
    for (const look of [...this.#waiting]) look();
  }
}
