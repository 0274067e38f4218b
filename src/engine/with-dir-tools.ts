import type { Entity, McpServerEntry } from "../config/config.ts";
import type { ServerDef } from "../config/mcp-server.ts";
import { readDirTools } from "./dir-tools.ts";
import type { OpenOptions } from "./open-options.ts";
import type { TrustedConfig } from "./resolve-config.ts";

/** The configuration with what tool folders declare: their script tools beside it, their servers among its own. */
export async function withDirTools(
  trusted: TrustedConfig,
  options: OpenOptions,
  wantsHomes: boolean,
): Promise<TrustedConfig> {
  const dirTools = await readDirTools(trusted, options, wantsHomes);
  const { config } = trusted;
  const mcp = new Map(config.mcp);
  const notices: string[] = [...dirTools.notices];
  for (const { server, file } of dirTools.servers) {
    if (mcp.has(server.name)) notices.push(`name-conflict: ${file}: there is a server "${server.name}" already`);
    else mcp.set(server.name, entityOf(server));
  }
  return { ...trusted, dirTools, config: { ...config, mcp, notices: [...config.notices, ...notices] } };
}

function entityOf({ name, file, line, ...value }: ServerDef): Entity<McpServerEntry> {
  return {
    kind: "mcp",
    name,
    body: "",
    scope: "project",
    value,
    origins: new Map(),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  };
}
