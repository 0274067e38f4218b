import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The ripgrep binary that came with us, else the one on the machine. */
export async function findRipgrep(): Promise<string> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return "rg";
  }
}

/**
 * Whether there is a ripgrep at all. Starts nothing.
 * @param path as in the environment
 * @param from where it is asked: a file two folders below the package
 */
export function hasRipgrep(path: string | undefined, from: string = import.meta.url): boolean {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  const ours = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`;
  // The usual place first: resolving costs a millisecond of every start.
  if (existsSync(join(fileURLToPath(new URL("../..", from)), "node_modules", ours))) return true;
  if ((path ?? "").split(delimiter).some((dir) => dir !== "" && existsSync(join(dir, name)))) return true;
  try {
    createRequire(from).resolve(ours);
    return true;
  } catch {
    return false;
  }
}
