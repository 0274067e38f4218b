export interface FileStat {
  readonly kind: "file" | "directory" | "other";
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink" | "other";
}

/** One line for the model: `<op> <path>: <reason>` (aura 1). */
export class FileProblem extends Error {
  readonly op: string;
  readonly path: string;
  readonly reason: string;

  constructor(op: string, path: string, reason: string, options?: ErrorOptions) {
    super(`${op} ${path}: ${reason}`, options);
    this.name = "FileProblem";
    this.op = op;
    this.path = path;
    this.reason = reason;
  }
}

/** One change of a set that is applied whole or not at all. Paths are absolute. */
export type FileChange =
  /** Goes through a symlink to its target. Without `mode` an existing file keeps its own. Missing parents are made. */
  | { readonly kind: "write"; readonly path: string; readonly bytes: Uint8Array; readonly mode?: number }
  /** Removes the name itself: a symlink, not what it points to. */
  | { readonly kind: "remove"; readonly path: string };

/**
 * The project's files. Tools and shell stand on the same one: on disk for real work, in memory for tests.
 * Methods take paths as `resolve` returns them and throw FileProblem.
 */
export interface ProjectFiles {
  /** Trims, expands `~` and set `$VAR`s when no such file exists literally, joins to `cwd`; refuses `/` (aura 1). */
  resolve(path: string, cwd: string): Promise<string>;
  /** `resolve`d path with every link followed as far as it exists. */
  realPath(path: string): Promise<string>;
  /** Follows links; undefined when there is nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  read(path: string): Promise<Uint8Array>;
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Creates missing parents. Returns whether it was made (false: it was there). */
  makeDirectory(path: string): Promise<boolean>;
  /** Applies all changes or none; a crash in the middle is finished or undone at the next start. */
  apply(changes: readonly FileChange[]): Promise<void>;
  /**
   * Runs `work` when no other `exclusively` work runs on these files, so that what it read is still true when it
   * applies. Not reentrant.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}
