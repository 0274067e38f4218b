/** Time as the throttle needs it; tests bring their own. */
export interface ThrottleClock {
  /** Milliseconds from any fixed point. */
  now(): number;
  /** Calls `act` once after `ms`; returns how to prevent it. */
  after(ms: number, act: () => void): () => void;
}

export interface LineThrottle {
  push(line: string): void;
  /** The end: shows the newest line if it was held back. */
  flush(): void;
}

const SYSTEM_CLOCK: ThrottleClock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * At most one line per `everyMs` (aura 5.1): the first at once, then the newest of each interval at its end, so what is
 * shown last is always what came last.
 */
export function throttleLines(
  show: (line: string) => void,
  everyMs = 200,
  clock: ThrottleClock = SYSTEM_CLOCK,
): LineThrottle {
  let held: string | undefined;
  let cancel: (() => void) | undefined;

  const open = () => {
    cancel = undefined;
    if (held === undefined) return;
    pass(held);
  };
  const pass = (line: string) => {
    held = undefined;
    cancel = clock.after(everyMs, open);
    show(line);
  };
  return {
    push(line) {
      if (cancel) held = line;
      else pass(line);
    },
    flush() {
      cancel?.();
      cancel = undefined;
      if (held === undefined) return;
      const line = held;
      held = undefined;
      show(line);
    },
  };
}
