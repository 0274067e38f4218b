/** A change with what its place looks like before it. */
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, worded } from "./file-errors.ts";
import { stateOf } from "./path-state.ts";
import { FileProblem } from "./project-files.ts";
import type { TreeChange } from "./tree-change.ts";

export interface Staged {
  readonly change: TreeChange;
  readonly exists: boolean;
  readonly isFile: boolean;
  /** Permission bits it has. */
  readonly oldMode: number;
  readonly before: string | undefined;
}

export function refuseDuplicates(changes: readonly TreeChange[]) {
  const paths = new Set(changes.map(({ kind, path }) => (kind === "mode" ? `mode ${path}` : isOfFolder(kind, path))));
  if (paths.size < changes.length) throw new Error("a set of changes names one path twice");
}

/** A folder may give way to a file, and the other way round, in one set. */
const isOfFolder = (kind: TreeChange["kind"], path: string) =>
  kind === "make-directory" || kind === "remove-directory" ? `${path}/` : path;

/** @param gone names the set removes */
export async function prepare(change: TreeChange, gone: ReadonlySet<string>): Promise<Staged> {
  const { kind, path } = change;
  const op = OPERATIONS[kind];
  // Behind a link that gives way to a folder there is nothing, whatever it points to.
  if (isBelow(gone, path)) return { change, exists: false, isFile: false, oldMode: 0o777, before: undefined };
  const found = await worded(op, path, () =>
    lstat(path).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
      throw error;
    }),
  );
  const isFile = found?.isFile() === true;
  const fail = (reason: string) => {
    throw new FileProblem(op, path, reason);
  };
  if (!found && (kind === "remove" || kind === "mode")) fail("no such file or directory");
  // What takes the place of a folder comes in a set that removes the folder first.
  if (found?.isDirectory() && (kind === "remove" || kind === "write")) fail("is a directory, not a file");
  if (found && kind === "write" && !isFile) fail("is not a regular file");
  const before = kind === "mode" ? undefined : await worded(op, path, () => stateOf(path));
  if (change.expect !== undefined && change.expect !== (before ?? null)) fail(MEANWHILE);
  return { change, exists: found !== undefined, isFile, oldMode: (found?.mode ?? 0o777) & 0o7777, before };
}

function isBelow(gone: ReadonlySet<string>, path: string): boolean {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) if (gone.has(at)) return true;
  return false;
}

export const MEANWHILE = "was changed by another program at the same moment; try again";

export const OPERATIONS: Readonly<Record<TreeChange["kind"], string>> = {
  write: "writing",
  restore: "writing",
  link: "writing",
  remove: "deleting",
  mode: "changing the mode of",
  "make-directory": "creating",
  "remove-directory": "deleting",
};
