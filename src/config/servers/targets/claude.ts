import { join } from "node:path";
import type { ServerDef } from "../../mcp-server.ts";
import type { Tree } from "../../traced.ts";
import { BRACED_WITH_DEFAULT } from "./reference-syntaxes.ts";
import { wrongKeys } from "./shapes.ts";
import { present, type Reading, some, type Target, type Writing } from "./target.ts";

/** Claude Code: `.mcp.json`, and `mcpServers` of `~/.claude.json`. */
export const claude: Target = {
  name: "claude",
  title: "Claude Code",
  alias: ["claude-code"],
  format: "json",
  files: ({ cwd, user }, scope) => [scope === "project" ? join(cwd, ".mcp.json") : join(user, ".claude.json")],
  mapPath: () => ["mcpServers"],
  references: BRACED_WITH_DEFAULT,
  reserved: ["workspace"],
  says: ["enabledTools", "disabledTools"],
  owned: ["type", "command", "args", "env", "url", "headers", "enabledTools", "disabledTools"],
  write(server, out) {
    if (server.transport === "sse")
      out.warn("sse-deprecated", "transport: sse is deprecated there; http is its successor");
    return present({ ...plainEntry(server, out, true), ...seedFilters(server, out) });
  },
  read(entry, from) {
    from.drop(entry, this.owned);
    const { type } = entry;
    return present({
      transport: type === "streamable-http" ? "http" : (type ?? "stdio"),
      ...plainFields(entry, from),
      enabledTools: entry["enabledTools"],
      disabledTools: entry["disabledTools"],
    });
  },
  check: (entry) =>
    "url" in entry
      ? wrongKeys(entry, { type: ["http", "sse"], url: "text", headers: "map" }, ["type", "url"])
      : wrongKeys(entry, { type: ["stdio"], command: "text", args: "list", env: "map" }, ["command"]),
};

/** `command`, `args`, `env`, or `type`, `url`, `headers`: what most files agree on. */
export function plainEntry(server: ServerDef, out: Writing, withType: boolean): Tree {
  if (server.transport === "stdio")
    return {
      command: out.text(server.command ?? "", "command"),
      args: some(out.texts(server.args, "args")),
      env: out.map(server.env, "env"),
    };
  return {
    ...(withType && { type: server.transport }),
    url: out.text(server.url ?? "", "url"),
    headers: out.map(server.headers, "headers"),
  };
}

export function plainFields(entry: Tree, from: Reading): Tree {
  return {
    command: from.text(entry["command"], "command"),
    args: from.texts(entry["args"], "args"),
    env: from.map(entry["env"], "env"),
    url: from.text(entry["url"], "url"),
    headers: from.map(entry["headers"], "headers"),
  };
}

/** Written as dotai's page says, though nobody enforces them there. */
export function seedFilters({ name, enabledTools, disabledTools }: ServerDef, out: Writing): Tree {
  const field = enabledTools ? "enabledTools" : "disabledTools";
  if (enabledTools ?? disabledTools)
    out.warn(
      "filter-unenforced",
      `${field}: written, but not enforced there; its own permission rules for mcp__${name}__… are`,
    );
  return { enabledTools, disabledTools };
}
