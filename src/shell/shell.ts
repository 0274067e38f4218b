export interface ExecOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Added to the pinned environment of the shell. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Per stream; 0 = no cap. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** Every complete line as it arrives, and the newest partial one at the end. */
  onLine?(line: string, stream: "stdout" | "stderr"): void;
}

export interface ExecOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** A stream hit `maxOutputBytes`; the rest was discarded. */
  readonly capped: boolean;
}

export type ExecResult =
  | ({ readonly kind: "exited" /** 128 + signal when killed by one. */; readonly code: number } & ExecOutput)
  | ({ readonly kind: "timeout"; readonly ms: number } & ExecOutput)
  | ({ readonly kind: "cancelled" } & ExecOutput)
  /** Nothing was run. */
  | { readonly kind: "syntax-error"; readonly message: string };

/** Runs a script and everything it starts; none of it outlives the call unless the script detached it on purpose. */
export interface Shell {
  exec(script: string, options: ExecOptions): Promise<ExecResult>;
}
