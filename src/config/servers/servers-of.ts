import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { ServerDef, ServerError, ServerWarning } from "../mcp-server.ts";
import { warningsOf } from "./check-server.ts";
import { serverDef } from "./read-entry.ts";

export interface ServersRequest {
  /** Absolute; what listed files are relative to. */
  readonly cwd: string;
  /** Whose list of files counts; undefined: nobody's. */
  readonly agent?: string | undefined;
}

export interface FoundServers {
  /** By name, disabled ones included; of a name that comes twice the last whole definition. Values are unexpanded. */
  readonly servers: readonly ServerDef[];
  /** Of Aether-style files; those of our own are among the problems of the configuration. */
  readonly errors: readonly ServerError[];
  readonly warnings: readonly ServerWarning[];
}

/**
 * The servers of an agent (other-systems 5.2): the homes' `config/mcp` in their order, then the Aether-style files the
 * agent lists, or, when it lists none, `mcp.json` in the working directory. Without any of these it reads nothing.
 */
export async function serversOf(config: Config, { cwd, agent }: ServersRequest): Promise<FoundServers> {
  const servers = new Map<string, ServerDef>();
  for (const { name, value, file, line } of config.mcp.values()) {
    const server = serverDef(name, value, {
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
    });
    servers.set(server.name, server);
  }
  const lister = agent === undefined ? undefined : config.agents.get(agent.toLowerCase());
  const listed = lister?.value.mcps ?? [];
  const refs = listed.length > 0 || !(await isFile(join(cwd, "mcp.json"))) ? listed : ["mcp.json"];
  let errors: readonly ServerError[] = [];
  if (refs.length > 0) {
    const { readServerRefs } = await import("./aether-servers.ts");
    const read = await readServerRefs(refs, cwd, lister?.file);
    for (const server of read.servers) servers.set(server.name, server);
    errors = read.errors;
  }
  const sorted = [...servers.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { servers: sorted, errors, warnings: sorted.flatMap(warningsOf) };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
