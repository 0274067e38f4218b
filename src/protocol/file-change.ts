/** What stood at a path. Nothing is told by the absence of a state. */
export type FileState =
  | {
      readonly kind: "file";
      /** Permission bits. */
      readonly mode: number;
      /** Bytes. */
      readonly size: number;
      /** SHA-256 in hexadecimal; absent for a file whose content was not looked at. */
      readonly hash?: string;
      /** Milliseconds since 1970; only without a hash, which tells more. */
      readonly mtime?: number;
    }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode: number };

/** One path as it was and as it became. */
export interface PathChange {
  /** Relative to the conversation's folder, with slashes; absolute outside of it. */
  readonly path: string;
  readonly before?: FileState;
  readonly after?: FileState;
}
