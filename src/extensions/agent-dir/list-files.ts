import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../system/paths.ts";
import { type DirError, type DirWarning, dirError, dirWarning } from "./problems.ts";

export interface DirFile {
  /** Relative to the directory. */
  readonly file: string;
  /** Absolute, links followed. */
  readonly path: string;
  readonly text: string;
}

export interface ListedFiles {
  readonly files: readonly DirFile[];
  readonly errors: readonly DirError[];
  readonly warnings: readonly DirWarning[];
}

/**
 * The Markdown files of one folder of a directory, without those of folders in it, in the order of their names. A link
 * that leads out of the directory is passed over with a warning.
 */
export async function listFiles(dir: string, folder: string): Promise<ListedFiles> {
  const errors: DirError[] = [];
  const warnings: DirWarning[] = [];
  const files: DirFile[] = [];
  const root = await realpath(dir);
  const inside = async (file: string) => {
    const path = await realpath(join(dir, file));
    if (isInside(root, path)) return path;
    warnings.push(dirWarning("symlink-escape", file, "it is a link that leads out of the directory, and is left out"));
    return undefined;
  };
  const names = await readdir(join(dir, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  if (names.length > 0 && (await inside(folder)) === undefined) return { files, errors, warnings };
  for (const name of names.sort()) {
    if (!name.endsWith(".md") || name.startsWith(".")) continue;
    const file = `${folder}/${name}`;
    try {
      const path = await inside(file);
      if (path !== undefined) files.push({ file, path, text: await readFile(path, "utf8") });
    } catch (error) {
      const reason = error as NodeJS.ErrnoException;
      if (reason.code !== "EISDIR") errors.push(dirError("read-error", file, reason.message));
    }
  }
  return { files, errors, warnings };
}
