import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface WriteOptions {
  /** Permission bits of a new file; an existing one keeps its own. Default 0o666 less the umask. */
  readonly mode?: number;
  /** Survive a power cut, not only a crash of ours. Default true. */
  readonly sync?: boolean;
}

/**
 * Replaces a file whole: readers see the old or the new content, never a part. Follows symbolic links, keeps the mode of
 * an existing file and creates missing folders.
 * @throws NodeJS.ErrnoException when it cannot be written; the old file is then unharmed
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true });
  const present = await stat(target).catch(() => undefined);
  // The same folder, because a rename is atomic only within one file system.
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.tmp`);
  try {
    const file = await open(draft, "wx", options.mode ?? 0o666);
    try {
      await file.writeFile(content);
      if (options.sync !== false) await file.sync();
    } finally {
      await file.close();
    }
    if (present) await chmod(draft, present.mode & 0o7777);
    await rename(draft, target);
  } catch (problem) {
    await rm(draft, { force: true });
    throw problem;
  }
}

export { type LockOptions, withLock } from "./file-lock.ts";
