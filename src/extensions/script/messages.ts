import type { ScriptCode } from "./script-failure.ts";

/** What a worker is started with. */
export interface ScriptStart {
  readonly source: string;
  /** As the definition writes it; in error messages. */
  readonly fileName: string;
  /** JSON. */
  readonly inputs: string;
  /** The optional shorthands of `ctx` this session has tools for: `webSearch`. */
  readonly shorthands: readonly string[];
  readonly maxOutputBytes: number;
  /** The file of the QuickJS machine. */
  readonly wasm: string;
  /** From when the script begins; its machine is loaded before. */
  readonly timeoutMs: number;
  /**
   * One BigInt64: nanoseconds of the process's monotonic clock. The script's side sets it when the script begins, the
   * other side moves it when a person was asked.
   */
  readonly deadline: SharedArrayBuffer;
}

/** What `ctx.tool` resolves to, `metadata` as JSON. */
export interface InnerResult {
  readonly name: string;
  readonly output: string;
  /** `output` without line numbers, where it has such. */
  readonly text: string;
  readonly exitCode: number;
  readonly metadata: string;
}

/** What `ctx.tool` rejects with; the script may catch it. */
export interface InnerRefusal {
  readonly code: ScriptCode;
  readonly message: string;
}

export type FromScript =
  | { readonly type: "begun" }
  | { readonly type: "call"; readonly id: number; readonly tool: string; readonly input: string }
  | { readonly type: "print"; readonly line: string }
  | { readonly type: "done"; readonly text: string; readonly log: string }
  | { readonly type: "failed"; readonly code: ScriptCode; readonly message: string; readonly log: string };

export interface ToScript {
  readonly id: number;
  readonly answer: InnerResult | InnerRefusal;
}
