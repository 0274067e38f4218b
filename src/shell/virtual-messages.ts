/** What the thread of the virtual shell is started with. */
export interface VirtualStart {
  readonly script: string;
  /** The folder that is seen, at its own path. */
  readonly root: string;
  /** Inside `root`, or `/tmp`. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** What is written below `root` is never kept. `read`: then the script fails in the end. `record`: it is told. */
  readonly mode: "read" | "record";
}

export type VirtualEnd =
  | {
      readonly kind: "ran";
      readonly stdout: string;
      readonly stderr: string;
      readonly code: number;
      readonly changes: readonly RecordedChange[];
    }
  | { readonly kind: "syntax-error"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** Below the root, relative to it. */
export interface RecordedChange {
  readonly path: string;
  readonly what: "added" | "modified" | "deleted";
  readonly isFolder: boolean;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}
