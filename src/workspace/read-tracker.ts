export interface ReadBefore {
  /** An existing file must have been read before it is changed. Default true. */
  write: boolean;
  /** …before it is deleted. Default false. */
  delete: boolean;
}

/** Which files this conversation has seen, by content hash (aura 7). */
export interface ReadTracker {
  readonly policy: ReadBefore;
  /** The whole file, with these bytes, was shown to the model. */
  sawFile(path: string, bytes: Uint8Array): void;
  /** Only lines `from`..`to` (1-based) were shown. */
  sawLines(path: string, bytes: Uint8Array, from: number, to: number): void;
  forget(path: string): void;
  /**
   * Why `path` with its present bytes may not be changed (or deleted) yet, worded for the model; undefined when it may.
   * `lines`: the 1-based lines a change touches, so that a partial read can be enough.
   */
  objection(path: string, bytes: Uint8Array, act: "write" | "delete", lines?: readonly number[]): string | undefined;
}
