import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { ServedPrompt } from "../mcp/serve/served-server.ts";
import type { Servers } from "../mcp/servers.ts";
import type { Engine } from "./engine.ts";
import type { ToolProxy } from "./tool-proxy.ts";

/** The MCP servers of a conversation, as the engine uses them. Absent while none is configured. */
export interface Mcp {
  readonly servers: Servers;
  readonly proxy: ToolProxy;
  /** What a person may start by name: the prompts of the servers inside this process. */
  readonly prompts: readonly ServedPrompt[];
  /** Takes the definitions that are in force now. */
  refresh(): Promise<void>;
  /** Before a request is built: nothing is waited for but a short introduction at the first. */
  beforeTurn(signal: AbortSignal): Promise<void>;
  /** Their instructions for a system prompt. Only ever grows at its end, until agent or mode change. */
  instructions(engine: Engine): string;
  close(): Promise<void>;
}

/**
 * Opens the servers where there are any: reads what is known of them and starts nothing. A person's screen is there
 * before the first of them runs.
 * @param say hears what is wrong with definitions, as long as nobody listens to the conversation yet
 */
export async function openMcp(engine: Engine, say?: (text: string) => void): Promise<void> {
  if (engine.mcp || !mayHaveServers(engine) || !hasOwnServers(engine)) return;
  const { createMcp } = await import("./mcp-servers.ts");
  engine.mcp = await createMcp(engine, say);
}

/** Whether it is worth loading what reads definitions. */
function mayHaveServers({ config, settings, cwd }: Engine): boolean {
  if (config.mcp.size > 0) return true;
  return listedBy(config, settings.agent.name).length > 0 || existsSync(join(cwd, "mcp.json"));
}

/** An agent that was set to work has the servers of the one it works for, unless it lists other files than that one. */
function hasOwnServers({ above, config, settings }: Engine): boolean {
  if (!above) return true;
  const lists = [above.engine.settings, settings].map(({ agent }) => listedBy(config, agent.name));
  return JSON.stringify(lists[0]) !== JSON.stringify(lists[1]);
}

const listedBy = (config: Config, agent: string) => config.agents.get(agent.toLowerCase())?.value.mcps ?? [];

/** Those of the conversation an agent works in, whoever set it to work. */
export function mcpOf(engine: Engine): Mcp | undefined {
  return engine.mcp ?? (engine.above && mcpOf(engine.above.engine));
}
