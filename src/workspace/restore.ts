/** Brings paths from the state they have back to another one, where they still have the state they were left in. */
import { lstat, readFile, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import type { FileState, PathChange } from "../protocol/file-change.ts";
import { codeOf } from "./file-errors.ts";
import { changeOf, isSameContent, isSameState, reversed } from "./net-changes.ts";
import { hashOf, stateOfLink } from "./path-state.ts";
import type { TreeChange } from "./tree-change.ts";

export interface RestorePlan {
  readonly changes: readonly TreeChange[];
  /** What `changes` do, in the terms of what was asked. */
  readonly does: readonly PathChange[];
  /** As wanted already, for one because a process died behind its last change; what was asked, turned around. */
  readonly already: readonly PathChange[];
  /** Left as they are: somebody else changed them since. */
  readonly kept: readonly string[];
  /** Left as they are: their old content is not kept. */
  readonly lost: readonly string[];
}

/**
 * Plans to take `wanted` back, each from its `after` to its `before`. Looks at the disk, changes nothing.
 * @param contentOf undefined for content that is not kept
 */
export async function planRestore(
  root: string,
  wanted: readonly PathChange[],
  contentOf: (hash: string) => Uint8Array | undefined,
): Promise<RestorePlan> {
  const changes: TreeChange[] = [];
  const does: PathChange[] = [];
  const already: PathChange[] = [];
  const kept: string[] = [];
  const lost: string[] = [];
  const emptied = new Set<string>();
  for (const change of wanted) if (change.after?.kind !== "directory") emptied.add(fullPath(root, change.path));
  const made = new Set(
    wanted.filter(({ before }) => before?.kind === "directory").map(({ path }) => fullPath(root, path)),
  );
  for (const change of wanted) {
    const full = fullPath(root, change.path);
    const way = await wayTo(full, emptied, made);
    const byTime = change.after?.kind === "file" && change.after.hash === undefined;
    // Behind what gives way to a folder there is nothing yet, even if it is a link to somewhere.
    const now = way === "open" ? await pathStateOf(full, byTime) : undefined;
    if (way !== "blocked" && isSameState(now, change.before)) {
      already.push(reversed(change));
      continue;
    }
    const isOurs = isSameState(now, change.after) || isSameFolder(now, change.after);
    if (!isOurs || way === "blocked") kept.push(change.path);
    else if (!hasContent(change, contentOf)) lost.push(change.path);
    else {
      changes.push(...stepsOf(full, now, change.before, contentOf));
      does.push(changeOf(change.path, now, change.before));
    }
  }
  return { changes, does, already, kept, lost };
}

export const fullPath = (root: string, path: string): string => (isAbsolute(path) ? path : join(root, path));

/** What stands at a path now. `byTime`: its content is not looked at. */
export async function pathStateOf(path: string, byTime = false): Promise<FileState | undefined> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  });
  if (!found) return undefined;
  const mode = found.mode & 0o7777;
  if (found.isSymbolicLink()) return { kind: "link", target: await readlink(path) };
  if (found.isDirectory()) return { kind: "directory", mode };
  // What is neither is nobody's to touch: it is like no state we know.
  if (!found.isFile()) return { kind: "file", mode: -1, size: -1 };
  if (byTime) return { kind: "file", mode, size: found.size, mtime: found.mtimeMs };
  return { kind: "file", mode, size: found.size, hash: hashOf(await readFile(path)) };
}

/** Whose permission bits somebody changed is still the folder we made. */
const isSameFolder = (a: FileState | undefined, b: FileState | undefined) =>
  a?.kind === "directory" && b?.kind === "directory";

function hasContent({ before, after }: PathChange, contentOf: (hash: string) => Uint8Array | undefined): boolean {
  if (before?.kind !== "file" || isSameContent(before, after)) return true;
  return before.hash !== undefined && contentOf(before.hash) !== undefined;
}

/**
 * Are the folders on the way the real ones, or about to be? Else we would write through somebody's link.
 * "made": not yet, something else stands there.
 */
async function wayTo(
  path: string,
  emptied: ReadonlySet<string>,
  made: ReadonlySet<string>,
): Promise<"open" | "made" | "blocked"> {
  let way: "open" | "made" = "open";
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() && (await realpath(folder)) === folder) return way;
    if (found?.isDirectory()) {
      // One of the folders above it is not the real one: it is looked at next.
    } else if (found && emptied.has(folder) && made.has(folder)) way = "made";
    else if (found) return "blocked";
    if (dirname(folder) === folder) return "blocked";
  }
}

function stepsOf(
  path: string,
  now: FileState | undefined,
  wanted: FileState | undefined,
  contentOf: (hash: string) => Uint8Array | undefined,
): TreeChange[] {
  if (now && wanted && now.kind === wanted.kind && wanted.kind !== "link" && isSameContent(now, wanted))
    return [{ kind: "mode", path, mode: wanted.mode }];
  const steps: TreeChange[] = [];
  const expect = expectation(now);
  if (now?.kind === "directory") steps.push({ kind: "remove-directory", path });
  else if (now && (!wanted || wanted.kind === "directory")) steps.push({ kind: "remove", path, ...expect });
  if (wanted?.kind === "directory") steps.push({ kind: "make-directory", path, mode: wanted.mode });
  if (wanted?.kind === "link") steps.push({ kind: "link", path, target: wanted.target, ...expect });
  if (wanted?.kind === "file" && wanted.hash !== undefined) {
    const { hash, mode } = wanted;
    const read = async () => {
      const bytes = contentOf(hash);
      if (!bytes) throw new Error(`the content that ${path} had is not kept any more`);
      return bytes;
    };
    steps.push({ kind: "restore", path, mode, state: hash, read, ...expect });
  }
  return steps;
}

function expectation(now: FileState | undefined): { readonly expect?: string | null } {
  if (now === undefined || now.kind === "directory") return { expect: null };
  if (now.kind === "link") return { expect: stateOfLink(now.target) };
  return now.hash === undefined ? {} : { expect: now.hash };
}
