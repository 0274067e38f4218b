import { dirname, join } from "node:path";
import type { ServerDef } from "../config/mcp-server.ts";
import { isInside, personalFolders } from "../system/paths.ts";
import { hashOf, serverEntry } from "./executable-entries.ts";
import type { OpenOptions } from "./open-options.ts";
import { real, type TrustedConfig } from "./resolve-config.ts";
import type { Trust } from "./trust.ts";

/** Whether the whole project may run things: a person trusted its folder, its `.aura` or its `.aether`, or said so. */
export async function trustsProject(options: Pick<OpenOptions, "cwd" | "trust">, trust: Trust): Promise<boolean> {
  if (options.trust) return true;
  const folders = [options.cwd, join(options.cwd, ".aura"), join(options.cwd, ".aether")];
  return (await Promise.all(folders.map(real))).some((folder) => trust.trusts(folder));
}

/**
 * The servers that may be started, and the files of those that may not until a person trusts the project: what lies in
 * a person's own homes may, what we wrote on a person's yes may while it is unchanged, anything else only with the
 * project, and as it was when a person accepted it.
 */
export async function trustedServers(
  servers: readonly ServerDef[],
  { config, trust, untrusted, entries }: Pick<TrustedConfig, "config" | "trust" | "untrusted" | "entries">,
  options: OpenOptions,
): Promise<{ readonly allowed: readonly ServerDef[]; readonly held: readonly ServerDef[] }> {
  if (servers.length === 0 || options.trust) return { allowed: servers, held: [] };
  const isTrusted = await trustsProject(options, trust);
  const mayRun = async (server: ServerDef) => {
    const { file } = server;
    if (file === undefined) return isTrusted;
    if (isOwnServer(server, { config, entries, untrusted }, options)) return true;
    const entry = serverEntry(server);
    if (await vouchesForServer(trust, file, hashOf(entry))) return true;
    // Only as a person accepted it: a pull may have changed it since.
    return isTrusted && entries.accepts(entry);
  };
  const verdicts = await Promise.all(servers.map(mayRun));
  return { allowed: servers.filter((_, at) => verdicts[at]), held: servers.filter((_, at) => !verdicts[at]) };
}

/**
 * A person accepted this very definition: by itself, or with its file where that holds nothing else. A tool file of a
 * folder (`tools/*.md`) is one definition and is shown whole; a YAML file may hold others beside it.
 */
export async function vouchesForServer(trust: Trust, file: string, hash: string): Promise<boolean> {
  return trust.trustsEntry(file, hash) || (file.endsWith(".md") && (await trust.trustsFile(file)));
}

/** Defined in a home of the person's. */
export function isOwnServer(
  { file }: ServerDef,
  { config, entries, untrusted }: Pick<TrustedConfig, "config" | "entries" | "untrusted">,
  options: OpenOptions,
): boolean {
  if (file === undefined) return false;
  const aether = options.env["AETHER_HOME"] || join(personalFolders(options.env).user, ".aether");
  return [config.homes.global, ...config.homes.projects, aether].some(
    (home) =>
      home !== undefined && !untrusted.includes(home) && !entries.isForeign(home) && isInside(home, dirname(file)),
  );
}
