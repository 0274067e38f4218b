import { basename, dirname, join } from "node:path";
import type { ProjectFiles } from "./project-files.ts";

/**
 * The same files, telling `before` which names are about to change, folders that will be made for them included, while
 * they are still as they were.
 */
export function recordingFiles(files: ProjectFiles, before: (paths: readonly string[]) => Promise<void>): ProjectFiles {
  /** A write goes through a link, a removal is of the name. */
  const targetOf = async (kind: "write" | "remove", path: string) =>
    kind === "write" ? files.realPath(path) : join(await files.realPath(dirname(path)), basename(path));
  const withFolders = async (path: string) => {
    const paths = [path];
    for (let at = dirname(path); at !== dirname(at) && !(await files.stat(at)); at = dirname(at)) paths.push(at);
    return paths;
  };
  return {
    ...files,
    async makeDirectory(path) {
      const real = await files.realPath(path).catch(() => undefined);
      if (real !== undefined) await before(await withFolders(real));
      return files.makeDirectory(path);
    },
    async apply(changes) {
      // What cannot be resolved fails below, in the words of the files themselves.
      const targets = await Promise.all(changes.map(({ kind, path }) => targetOf(kind, path).catch(() => undefined)));
      const known = targets.filter((path) => path !== undefined);
      await before((await Promise.all(known.map(withFolders))).flat());
      return files.apply(changes);
    },
  };
}
