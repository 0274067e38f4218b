import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { maskSecrets } from "./secrets.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
const LOG_LEVELS = ["debug", "info", "warn", "error"] as const satisfies readonly LogLevel[];

export interface Log {
  write(level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>): void;
}

export interface LogOptions {
  /** Entries below it are dropped. */
  readonly level: LogLevel;
  /** Values that must never be written, such as keys from the configuration. */
  readonly secrets?: readonly string[];
  /** When the file is larger than this many bytes, it becomes `<file>.1` and a new one is begun. */
  readonly maxBytes?: number;
  readonly now?: () => Date;
}

/**
 * A log of JSON lines in `file`, never on the screen. Writing must not throw and must not be lost by a crash, so every
 * entry is appended at once; a log that cannot be written is silently off.
 */
export function openLog(file: string, options: LogOptions): Log {
  const lowest = LOG_LEVELS.indexOf(options.level);
  const now = options.now ?? (() => new Date());
  let ready = false;
  let broken = false;
  return {
    write(level, message, facts = {}) {
      if (broken || LOG_LEVELS.indexOf(level) < lowest) return;
      try {
        if (!ready) makeRoom(file, options.maxBytes ?? 5_000_000);
        ready = true;
        const entry = JSON.stringify({ at: now().toISOString(), level, message, ...facts }, plainValue);
        appendFileSync(file, `${maskSecrets(entry, options.secrets)}\n`, { mode: 0o600 });
      } catch {
        broken = true;
      }
    },
  };
}

function makeRoom(file: string, maxBytes: number): void {
  mkdirSync(dirname(file), { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.1`);
}

/** Errors have no enumerable members, and JSON knows no big integers. */
function plainValue(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
  return typeof value === "bigint" ? String(value) : value;
}
