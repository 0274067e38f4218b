/** Why a tool directory does not load (other-systems 9), and what else can be wrong in an agent's directory. */
export type DirErrorCode =
  | "no-frontmatter"
  | "bad-frontmatter"
  | "unknown-kind"
  | "missing-path"
  | "bad-extension"
  | "path-escape"
  | "bad-limit"
  | "duplicate-name"
  | "mcp-invalid"
  | "bad-name"
  | "bad-schedule"
  | "bad-agent"
  | "no-directory"
  | "read-error";

export type DirWarningCode = "symlink-escape" | "no-instructions";

interface Problem<Code> {
  readonly code: Code;
  /** Relative to the directory. */
  readonly file: string;
  /** Names the file, and the line where one is known. */
  readonly message: string;
}
export type DirError = Problem<DirErrorCode>;
export type DirWarning = Problem<DirWarningCode>;

/** @param line 1-based */
export function dirError(code: DirErrorCode, file: string, message: string, line?: number): DirError {
  return { code, file, message: `${file}${line === undefined ? "" : `:${line}`}: ${message}` };
}

export function dirWarning(code: DirWarningCode, file: string, message: string): DirWarning {
  return { code, file, message: `${file}: ${message}` };
}
