/** What asked us to stop, and how the process should end then. */
export interface Signals {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, or when our output's reader is gone. */
  readonly stop: AbortSignal;
  /** 128 + signal number of what stopped us; 0 for a closed pipe; undefined when nothing did. */
  readonly exitCode: number | undefined;
  pipeClosed(): void;
  /** Leaves SIGINT to a front end that reads keys itself. */
  release(): void;
}

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

export function watchSignals(): Signals {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const stop = (code: number) => {
    // A second signal means now: what is on disk is enough to go on from.
    if (exitCode !== undefined && code !== 0) process.exit(code);
    exitCode = code;
    controller.abort();
  };
  const handlers = Object.entries(NUMBERS).map(([signal, number]) => {
    const handler = () => stop(128 + number);
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return {
    stop: controller.signal,
    get exitCode() {
      return exitCode;
    },
    pipeClosed: () => stop(0),
    release() {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    },
  };
}
