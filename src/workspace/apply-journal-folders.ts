import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Staged } from "./apply-journal-staged.ts";
import { isThere } from "./apply-journal-steps.ts";
import type { TreeChange } from "./tree-change.ts";

interface Folders {
  /** On the way to files that are to be written, outermost first. */
  readonly missing: readonly string[];
  /** Where the new and the old bytes of a change wait. */
  roomFor(change: TreeChange): string;
}

/** The folders a set of changes needs. */
export async function foldersOf(staged: readonly Staged[]): Promise<Folders> {
  const made = new Set(staged.flatMap(({ change }) => (change.kind === "make-directory" ? [change.path] : [])));
  const gone = new Set(staged.flatMap(({ change }) => (change.kind === "remove-directory" ? [change.path] : [])));
  const missing = new Set<string>();
  const rooms = new Map<string, string>();
  for (const { change } of staged) {
    const folder = dirname(change.path);
    if (change.kind !== "remove")
      for (let at = folder; !missing.has(at) && !made.has(at) && !(await isThere(at)); at = dirname(at))
        missing.add(at);
    if (rooms.has(folder)) continue;
    let room = folder;
    while (!missing.has(room) && dirname(room) !== room && (made.has(room) || gone.has(room) || (await isClosed(room))))
      room = dirname(room);
    rooms.set(folder, room);
  }
  return {
    missing: [...missing].sort((a, b) => a.length - b.length),
    roomFor: ({ path }) => rooms.get(dirname(path))!,
  };
}

/** A folder that is none, or that nothing can be put into. */
async function isClosed(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return true;
  return access(path, constants.W_OK).then(
    () => false,
    () => true,
  );
}
