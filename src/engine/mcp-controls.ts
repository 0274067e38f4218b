import type { McpControls } from "../commands/controls.ts";
import type { Server } from "../mcp/server.ts";
import { wordState } from "../mcp/server-state.ts";
import type { Engine } from "./engine.ts";
import { type Mcp, openMcp } from "./mcp.ts";

/** What `/mcp` and `/context` may know and do of the servers. */
export function mcpControls(engine: Engine): McpControls {
  const found = async (name: string): Promise<{ mcp: Mcp; server: Server }> => {
    const mcp = await refreshed(engine);
    const server = mcp?.servers.find(name);
    if (mcp && server) return { mcp, server };
    const names = mcp?.servers.statuses.map((status) => status.name).join(", ");
    throw new Error(`there is no MCP server "${name}"${names ? `: there are ${names}` : ""}`);
  };
  return {
    async list() {
      const mcp = await refreshed(engine);
      const costs = mcp?.servers.costs ?? [];
      return (mcp?.servers.statuses ?? []).map((status) => {
        const cost = costs.find(({ name }) => name === status.name);
        const { name, transport, state, tools, file } = status;
        return {
          name,
          transport,
          state: state.kind,
          words: wordState(status),
          tools,
          ...(cost && { cost: { tokens: cost.tokens, visibility: cost.visibility } }),
          ...(file !== undefined && { file }),
        };
      });
    },
    get costs() {
      return engine.mcp?.servers.costs ?? [];
    },
    async reconnect(name) {
      const mcp = await refreshed(engine);
      const servers = mcp?.servers;
      const which = name === undefined ? (servers?.statuses ?? []).map((status) => status.name) : [name];
      const started = await Promise.all(
        which.map(async (one) => {
          const { server } = await found(one);
          if (server.state.kind === "disabled") return `${one}: ${wordState(server.status)}`;
          await server.reconnect().catch(() => undefined); // its state says how it went
          return `${one}: ${wordState(server.status)}`;
        }),
      );
      return started.length > 0 ? started.join("\n") : "No MCP servers are configured.";
    },
    async auth(name, how) {
      const { server } = await found(name);
      const { beginSignIn } = await import("./sign-in-at-server.ts");
      return beginSignIn(engine, server, how);
    },
  };
}

/** With what the configuration says now. */
async function refreshed(engine: Engine): Promise<Mcp | undefined> {
  await openMcp(engine);
  await engine.mcp?.refresh();
  return engine.mcp;
}
