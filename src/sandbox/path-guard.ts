import { isInside } from "../system/paths.ts";
import type { Wish } from "./sandbox.ts";

/** A path that may not be touched in the way wanted. */
export interface Outside {
  readonly path: string;
  readonly access: "read" | "write";
}

/**
 * The first path the wish does not allow. `reads` and `writes`, like the paths of the wish, are absolute with every
 * link followed: what is compared is where a name leads, not how it is written.
 */
export function firstOutside(
  { reads, writes }: { readonly reads: readonly string[]; readonly writes: readonly string[] },
  wish: Pick<Wish, "readOnly" | "readWrite" | "guarded">,
): Outside | undefined {
  const isIn = (folders: readonly string[], path: string) => folders.some((folder) => isInside(folder, path));
  // Files of other processes and of this one, under names that lead anywhere.
  const isLoophole = (path: string) => isInside("/proc", path);
  const written = writes.find((path) => isLoophole(path) || isIn(wish.guarded, path) || !isIn(wish.readWrite, path));
  if (written !== undefined) return { path: written, access: "write" };
  const read = reads.find((path) => isLoophole(path) || !isIn([...wish.readOnly, ...wish.readWrite], path));
  return read === undefined ? undefined : { path: read, access: "read" };
}
