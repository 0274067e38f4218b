import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { parseEnv } from "node:util";
import { ExpectedStop } from "./expected-stop.ts";

export interface FilledEnvironment {
  readonly env: Record<string, string | undefined>;
  /** Names in `secrets.env` that were not taken. */
  readonly leftOut: readonly string[];
}

/**
 * Adds `NAME=value` lines of files to an environment, without touching the process's own: child processes never see
 * them. Variables that are set already win. `secrets.env` is read when it is there; a named file must exist.
 *
 * `secrets.env` may have come with a clone, so it can hold keys, but not say where requests go or where we keep our
 * own state: the list of trusted projects is part of that.
 */
export function withEnvFiles(
  env: Readonly<Record<string, string | undefined>>,
  files: readonly string[] | undefined,
  cwd: string,
): FilledEnvironment {
  let added: Record<string, string | undefined> = {};
  for (const file of files ?? ["secrets.env"]) {
    const text = read(resolve(cwd, file), files !== undefined);
    if (text !== undefined) added = { ...added, ...parseEnv(text) };
  }
  const leftOut =
    files && !isAnyClones(files, env)
      ? []
      : Object.keys(added).filter((name) => STEERS.test(name) && env[name] === undefined);
  for (const name of leftOut) delete added[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) added[name] = value;
  return { env: added, leftOut };
}

/** A relative `AURA_ENV_FILE` is another file in every clone. */
const isAnyClones = (files: readonly string[], { AURA_ENV_FILE: fromEnv }: typeof process.env) =>
  fromEnv !== undefined && files.length === 1 && files[0] === fromEnv && !isAbsolute(fromEnv);

/** Folders, servers, proxies and programs that are looked up in the environment. */
const STEERS = /^(XDG_.*|HOME|EDITOR|VISUAL|.*_PROXY|(.*_)?(URL|URI|HOST|ENDPOINT|API_BASE))$/i;

function read(path: string, required: boolean): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (!required && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ExpectedStop(`--env-file: cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
