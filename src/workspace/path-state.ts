import { createHash } from "node:crypto";
import { lstat, readFile, readlink } from "node:fs/promises";

/**
 * What stands at a path, in a word that can be kept and compared: the SHA-256 of a file's bytes in hexadecimal, or
 * `link:` and where a link points. Undefined for nothing and for what is neither. Links are not followed.
 */
export async function stateOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) return stateOfLink(await readlink(path));
  return found?.isFile() ? hashOf(await readFile(path)) : undefined;
}

export const stateOfLink = (target: string): string => `link:${target}`;

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
