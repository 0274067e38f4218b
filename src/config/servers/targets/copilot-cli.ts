import { join } from "node:path";
import { plainEntry, plainFields } from "./claude.ts";
import { BRACED } from "./reference-syntaxes.ts";
import { wrongKeys } from "./shapes.ts";
import { present, type Target } from "./target.ts";

/** GitHub Copilot's command line: `.github/mcp.json` here, `~/.copilot/mcp-config.json` for a person. */
export const copilotCli: Target = {
  name: "copilot-cli",
  title: "Copilot CLI",
  alias: [],
  format: "json",
  files: ({ cwd, user }, scope) => [
    scope === "project" ? join(cwd, ".github", "mcp.json") : join(user, ".copilot", "mcp-config.json"),
  ],
  mapPath: () => ["mcpServers"],
  references: BRACED,
  says: ["enabledTools"],
  owned: ["type", "command", "args", "env", "url", "headers", "tools"],
  write(server, out) {
    if (server.disabledTools)
      out.warn("filter-dropped", "disabledTools: only a list of allowed tools is known there: every tool is offered");
    const type = server.transport === "stdio" ? "local" : server.transport;
    return present({ type, ...plainEntry(server, out, false), tools: server.enabledTools ?? ["*"] });
  },
  read(entry, from) {
    from.drop(entry, this.owned);
    const { type, url, tools } = entry;
    const isAll = Array.isArray(tools) && tools.includes("*");
    return present({
      transport: type === "local" ? "stdio" : (type ?? (url === undefined ? "stdio" : "http")),
      ...plainFields(entry, from),
      enabledTools: isAll ? undefined : tools,
    });
  },
  check: (entry) =>
    "url" in entry
      ? wrongKeys(entry, { type: ["http", "sse"], url: "text", headers: "map", tools: "list" }, ["type", "url"])
      : wrongKeys(entry, { type: ["local", "stdio"], command: "text", args: "list", env: "map", tools: "list" }, [
          "type",
          "command",
        ]),
};
