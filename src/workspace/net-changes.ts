import type { FileState, PathChange } from "../protocol/file-change.ts";

export interface NetChanges {
  /** From before the first to after the last of them. */
  readonly changes: readonly PathChange[];
  /** Paths that somebody else changed between two of them: only what came after that is in `changes`. */
  readonly broken: readonly string[];
}

/** Several sets of changes, oldest first, as one. Pure. */
export function netChanges(sets: readonly (readonly PathChange[])[]): NetChanges {
  const net = new Map<string, PathChange>();
  const broken = new Set<string>();
  for (const set of [...sets].reverse())
    for (const { path, before, after } of set) {
      const later = net.get(path);
      if (broken.has(path)) continue;
      if (!later) net.set(path, changeOf(path, before, after));
      else if (isSameState(after, later.before)) net.set(path, changeOf(path, before, later.after));
      else broken.add(path);
    }
  const changes = [...net.values()].filter(({ before, after }) => !isSameState(before, after));
  return { changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)), broken: [...broken].sort() };
}

export function reversed({ path, before, after }: PathChange): PathChange {
  return changeOf(path, after, before);
}

/** For people: a folder that came or went with what is in it is not worth a word of its own. */
export function withoutFullFolders(changes: readonly PathChange[]): readonly PathChange[] {
  const full = new Set<string>();
  for (const { path } of changes)
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) full.add(path.slice(0, end));
  const isFolder = (state: FileState | undefined) => state === undefined || state.kind === "directory";
  return changes.filter(
    ({ path, before, after }) => !full.has(path) || (before && after) || !isFolder(before) || !isFolder(after),
  );
}

export function changeOf(path: string, before: FileState | undefined, after: FileState | undefined): PathChange {
  return { path, ...(before && { before }), ...(after && { after }) };
}

/** Without hashes, size and time decide. */
export function isSameState(a: FileState | undefined, b: FileState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "link" || b.kind === "link") return a.kind === "link" && b.kind === "link" && a.target === b.target;
  return a.mode === b.mode && isSameContent(a, b);
}

/** Whatever the permission bits. */
export function isSameContent(a: FileState | undefined, b: FileState | undefined): boolean {
  if (a === undefined || b === undefined || a.kind !== b.kind) return false;
  if (a.kind !== "file" || b.kind !== "file") return a.kind === "directory" || isSameState(a, b);
  if (a.hash !== undefined && b.hash !== undefined) return a.hash === b.hash;
  return a.size === b.size && a.mtime === b.mtime && a.mtime !== undefined;
}
