import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Where one of the system's programs is that we run for ourselves. The system's own folders come first, and folders of
 * packages do not count, because what confines a project must not come from it.
 */
export function findProgram(name: string, path: string | undefined): string | undefined {
  const listed = (path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.includes("/node_modules/"));
  return [...SYSTEM, ...listed].map((folder) => join(folder, name)).find(isExecutable);
}

const SYSTEM = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
