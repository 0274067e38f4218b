import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { parseEnv } from "node:util";
import { isProviderSecret } from "../../src/system/secrets.ts";
import { ExpectedStop } from "./expected-stop.ts";

export interface FilledEnvironment {
  readonly env: Record<string, string | undefined>;
  /** What was not taken of a file that may have come with a clone. */
  readonly left?: { readonly file: string; readonly names: readonly string[]; readonly isTrusted: boolean };
}

/**
 * Adds `NAME=value` lines of files to an environment, without touching the process's own: child processes never see
 * them. Variables that are set already win. `secrets.env` is read when it is there; a named file must exist.
 *
 * `secrets.env` may have come with a clone. Before a person trusts the project nothing of it counts: requests made with
 * somebody else's key are that person's to read. Afterwards it may still not give a provider's key, say where requests
 * go, or where we keep our own state: the list of trusted projects is part of that.
 *
 * @param trusts whether the project in `cwd` is trusted; asked only when it matters
 */
export async function withEnvFiles(
  env: Readonly<Record<string, string | undefined>>,
  files: readonly string[] | undefined,
  cwd: string,
  trusts: () => Promise<boolean>,
): Promise<FilledEnvironment> {
  let added: Record<string, string | undefined> = {};
  for (const file of files ?? ["secrets.env"]) {
    const text = read(resolve(cwd, file), files !== undefined);
    if (text !== undefined) added = { ...added, ...parseEnv(text) };
  }
  const fresh = Object.keys(added).filter((name) => env[name] === undefined);
  const isPersons = files !== undefined && !isAnyClones(files, env);
  const isTrusted = isPersons || fresh.length === 0 || (await trusts());
  const names = isPersons ? [] : fresh.filter((name) => !isTrusted || STEERS.test(name) || isProviderSecret(name));
  for (const name of names) delete added[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) added[name] = value;
  return { env: added, ...(names.length > 0 && { left: { file: files?.[0] ?? "secrets.env", names, isTrusted } }) };
}

/** A relative `AURA_ENV_FILE` is another file in every clone. */
const isAnyClones = (files: readonly string[], { AURA_ENV_FILE: fromEnv }: typeof process.env) =>
  fromEnv !== undefined && files.length === 1 && files[0] === fromEnv && !isAbsolute(fromEnv);

/** Folders, servers, proxies, programs and cloud accounts that are looked up in the environment. */
const STEERS =
  /^(XDG_.*|(.*_)?HOME|AURA_.*|(AWS|AZURE|GOOGLE)_.*|EDITOR|VISUAL|.*_PROXY|(.*_)?(URL|URI|HOST|ENDPOINT|API_BASE))$/i;

function read(path: string, required: boolean): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (!required && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ExpectedStop(`--env-file: cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
