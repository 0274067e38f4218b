import type { FileChange } from "./project-files.ts";

/** What a set of changes may hold beyond what tools ask for. Paths name the thing itself: no link is followed. */
export type TreeChange = (
  | FileChange
  /** A file whose bytes are read when they are needed; `state` is their hash. Takes the place of a link. */
  | {
      readonly kind: "restore";
      readonly path: string;
      readonly mode: number;
      readonly state: string;
      read(): Promise<Uint8Array>;
    }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  /** Permission bits of a file or folder. */
  | { readonly kind: "mode"; readonly path: string; readonly mode: number }
  | { readonly kind: "make-directory"; readonly path: string; readonly mode?: number }
  /** Only when it is empty by then. */
  | { readonly kind: "remove-directory"; readonly path: string }
) & {
  /** What stands there (`path-state.ts`), null for nothing: with anything else there, the whole set is refused. */
  readonly expect?: string | null;
};

/**
 * In the order in which they can be made: what goes makes room for what comes, and modes are last, lest a folder be
 * closed before it is filled.
 */
export function inOrder(changes: readonly TreeChange[]): readonly TreeChange[] {
  const depth = ({ path }: TreeChange) => path.split("/").length;
  return [...changes].sort((a, b) => {
    const byRank = RANKS[a.kind] - RANKS[b.kind];
    if (byRank !== 0) return byRank;
    if (a.kind === "remove-directory" || a.kind === "mode") return depth(b) - depth(a);
    return a.kind === "make-directory" ? depth(a) - depth(b) : 0;
  });
}

const RANKS: Readonly<Record<TreeChange["kind"], number>> = {
  write: 3,
  remove: 0,
  restore: 3,
  link: 3,
  mode: 4,
  "make-directory": 2,
  "remove-directory": 1,
};
