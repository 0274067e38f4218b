/** `work`, or a rejection with `why` as soon as the signal aborts; the work itself goes on. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal, why: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error(why));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
