import { join } from "node:path";
import { plainEntry, plainFields, seedFilters } from "./claude.ts";
import { ENV_COLON } from "./reference-syntaxes.ts";
import { wrongKeys } from "./shapes.ts";
import { present, type Target } from "./target.ts";

/** Cursor: `.cursor/mcp.json`, here and in the home directory. The kind of a remote server is found out from its url. */
export const cursor: Target = {
  name: "cursor",
  title: "Cursor",
  alias: [],
  format: "json",
  files: ({ cwd, user }, scope) => [join(scope === "project" ? cwd : user, ".cursor", "mcp.json")],
  mapPath: () => ["mcpServers"],
  references: ENV_COLON,
  says: ["enabledTools", "disabledTools"],
  owned: ["type", "command", "args", "env", "url", "headers", "enabledTools", "disabledTools"],
  write: (server, out) =>
    present({ ...plainEntry(server, out, server.transport === "sse"), ...seedFilters(server, out) }),
  read(entry, from) {
    from.drop(entry, this.owned);
    const { type, url, command } = entry;
    const isRemote = type === undefined && url !== undefined;
    if (isRemote && command !== undefined) from.warn("command-ignored", "command: the entry has a url, which counts");
    return present({
      transport:
        type === "streamable-http" || type === "streamableHttp" ? "http" : (type ?? (isRemote ? "http" : "stdio")),
      ...plainFields(isRemote ? { ...entry, command: undefined, args: undefined } : entry, from),
      enabledTools: entry["enabledTools"],
      disabledTools: entry["disabledTools"],
    });
  },
  check: (entry) =>
    "url" in entry
      ? wrongKeys(entry, { url: "text", headers: "map" }, ["url"])
      : wrongKeys(entry, { command: "text", args: "list", env: "map" }, ["command"]),
};
