/** Something wrong in a configuration file, worded for the person who wrote it. */
export interface ConfigProblem {
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly message: string;
  /** A word that programs can act on, where the kind has such (other-systems 9). */
  readonly code?: string;
  /** The name of the entity that is wrong, beside a code. */
  readonly entity?: string;
}

/** `file:line: message`, the form editors can jump to. */
export function describeProblem({ file, line, message }: ConfigProblem): string {
  return `${file}${line === undefined ? "" : `:${line}`}: ${message}`;
}

export function problem(file: string, line: number | undefined, message: string): ConfigProblem {
  return line === undefined ? { file, message } : { file, line, message };
}
