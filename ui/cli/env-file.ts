import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { ExpectedStop } from "./expected-stop.ts";

/**
 * Adds `NAME=value` lines of files to an environment, without touching the process's own: child processes never see
 * them. Variables that are set already win. `secrets.env` is read when it is there; a named file must exist.
 */
export function withEnvFiles(
  env: Readonly<Record<string, string | undefined>>,
  files: readonly string[] | undefined,
  cwd: string,
): Record<string, string | undefined> {
  let added: Record<string, string | undefined> = {};
  for (const file of files ?? ["secrets.env"]) {
    const text = read(resolve(cwd, file), files !== undefined);
    if (text !== undefined) added = { ...added, ...parseEnv(text) };
  }
  for (const [name, value] of Object.entries(env)) if (value !== undefined) added[name] = value;
  return added;
}

function read(path: string, required: boolean): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (!required && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ExpectedStop(`--env-file: cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
