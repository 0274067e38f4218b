export interface ExecOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Added to the pinned environment of the shell. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Per stream; 0 = no cap. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** The whole environment, instead of the shell's pinned one. */
  readonly onlyEnv?: Readonly<Record<string, string>>;
  /** What is started in place of the program, so that it is confined. */
  inside?(program: Startable): { readonly file: string; readonly args: readonly string[] };
  /** Every complete line as it arrives, and the newest partial one at the end. */
  onLine?(line: string, stream: "stdout" | "stderr"): void;
  /** Everything as it arrives, also beyond `maxOutputBytes`. A shell without processes may leave it out. */
  onChunk?(chunk: Buffer, stream: "stdout" | "stderr"): void;
}

/** A program on its way to be started. */
export interface Startable {
  /** Absolute. */
  readonly file: string;
  /** What it hears as its own name. */
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** It reads something from file descriptor 3. */
  readonly readsThree: boolean;
}

export interface ExecOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** A stream hit `maxOutputBytes`; the rest was discarded. */
  readonly capped: boolean;
}

export type ExecResult =
  | ({ readonly kind: "exited" /** 128 + signal when killed by one. */; readonly code: number } & ExecOutput)
  | ({ readonly kind: "timeout"; readonly ms: number; readonly waits?: string } & ExecOutput)
  | ({ readonly kind: "cancelled" } & ExecOutput)
  /** Nothing was run. */
  | { readonly kind: "syntax-error"; readonly message: string };

/** Runs a script and everything it starts; none of it outlives the call unless the script detached it on purpose. */
export interface Shell {
  exec(script: string, options: ExecOptions): Promise<ExecResult>;
}
