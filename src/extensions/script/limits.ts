/** What one call of a script tool may use (other-systems 4.3). */
export interface ScriptLimits {
  /** While a person is being asked the clock stands still. */
  readonly timeoutMs: number;
  readonly maxToolCalls: number;
  /** Of one inner call's output, and of the result; UTF-8. */
  readonly maxOutputBytes: number;
}

export const LIMIT_BOUNDS: Readonly<Record<keyof ScriptLimits, { readonly least: number; readonly most: number }>> = {
  timeoutMs: { least: 1, most: 600_000 },
  maxToolCalls: { least: 1, most: 1_000 },
  maxOutputBytes: { least: 1, most: 16 * 1024 * 1024 },
};

/** A script that may delegate waits for whole conversations, so it gets longer. */
export function defaultLimits(delegates: boolean): ScriptLimits {
  return { timeoutMs: delegates ? 600_000 : 30_000, maxToolCalls: 20, maxOutputBytes: 65_536 };
}

/** Bytes of a script's source. */
export const MOST_SOURCE_BYTES = 192 * 1024;
/** 64 KiB each: 64 MiB in all. The runtime's own memory limit does not see arrays grow, the WebAssembly memory does. */
export const MOST_MEMORY_PAGES = 1024;
/** Bytes; with more, a deep recursion overflows the host's stack instead of the script's. */
export const STACK_BYTES = 256 * 1024;
/** Bytes of what a script logs. */
export const MOST_LOG_BYTES = 4096;
/** How long after the deadline a worker that is stuck in one long operation is left alive. */
export const GRACE_MS = 250;
