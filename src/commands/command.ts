import type { Controls } from "./controls.ts";

/** What a command gives back: data. It never prints and never draws. */
export interface CommandResult {
  readonly text?: string;
  /** Sent to the model as if the person had typed it. */
  readonly prompt?: string;
  readonly failed?: boolean;
  /** The same as data, for `--output-format json`. */
  readonly data?: unknown;
}

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: "agent" | "session" | "context" | "tools" | "settings" | "info" | "custom";
  /** One line. */
  readonly about: string;
  /** What may follow, for usage errors and ghost text: `[write|delete|all] [on|off]`. */
  readonly hints?: string;
  /** `rest` is everything behind the name as it was typed. */
  run(args: readonly string[], controls: Controls, rest: string): Promise<CommandResult> | CommandResult;
}

/** Thrown by a command whose arguments are off; the registry words it as `usage: …`. */
export class UsageError extends Error {}
