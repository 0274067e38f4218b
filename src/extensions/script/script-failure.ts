/** Why a call of a script tool ended without a result (other-systems 9). */
export type ScriptCode =
  | "tool-not-allowed"
  | "max-tool-calls"
  | "timeout"
  | "out-of-memory"
  | "no-run"
  | "script-error"
  | "bad-result"
  | "bad-arguments"
  | "read-error"
  | "bad-extension"
  | "path-escape"
  | "source-too-large"
  | "cancelled";

/** Becomes the failed call; its message begins with the code, for the model and for whoever reads a log. */
export class ScriptFailure extends Error {
  readonly code: ScriptCode;

  constructor(code: ScriptCode, message: string) {
    super(`${code}: ${message}`);
    this.name = "ScriptFailure";
    this.code = code;
  }
}
