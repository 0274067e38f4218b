export interface ReadBefore {
  /** An existing file must have been read before it is changed. Default true. */
  write: boolean;
  /** …before it is deleted. Default false. */
  delete: boolean;
}

/** Why a file may not be changed yet. */
export interface Objection {
  readonly kind:
    | "unread"
    /** Read once, but its content is another one now. */
    | "changed"
    /** Read in part, and the change touches lines that were not shown. */
    | "unseen-lines";
  /** Worded for the model. */
  readonly message: string;
}

/** Which files this conversation has seen, by content hash (aura 7). Paths are real paths: links are the caller's. */
export interface ReadTracker {
  readonly policy: ReadBefore;
  /** The whole file, with these bytes, was shown to the model, or written by it. */
  sawFile(path: string, bytes: Uint8Array): void;
  /** Only lines `from`..`to` (1-based) were shown. Adds to what was seen of the same bytes before. */
  sawLines(path: string, bytes: Uint8Array, from: number, to: number): void;
  /**
   * We changed the file to `bytes`. `origins` holds, for each line it has now, the 1-based line it was before, or 0 for
   * a line we wrote: what had been seen stays seen, and our own lines are. `from` is its path before a move.
   */
  edited(path: string, bytes: Uint8Array, origins: readonly number[], from?: string): void;
  forget(path: string): void;
  /**
   * Why `path` with its present bytes may not be changed (or deleted) yet; undefined when it may.
   * `lines`: the 1-based lines a change touches, so that a partial read can be enough. Without it: all of them.
   */
  objection(path: string, bytes: Uint8Array, act: "write" | "delete", lines?: readonly number[]): Objection | undefined;
}
