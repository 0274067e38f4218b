import { join } from "node:path";
import type { ServerDef } from "../../mcp-server.ts";
import { isTree, type Tree } from "../../traced.ts";
import { BRACES_ENV } from "./reference-syntaxes.ts";
import { wrongKeys } from "./shapes.ts";
import { present, type Target, type Writing } from "./target.ts";

/** OpenCode: `mcp` of `opencode.json` or `.jsonc`, in version 2 `mcp.servers`. Its schema is strict. */
export const opencode: Target = {
  name: "opencode",
  title: "OpenCode",
  alias: ["open-code"],
  format: "jsonc",
  files({ cwd, user, env }, scope) {
    const folder = scope === "project" ? cwd : join(env["XDG_CONFIG_HOME"] || join(user, ".config"), "opencode");
    return [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
  },
  mapPath: (data) => (isSecondVersion(data) ? ["mcp", "servers"] : ["mcp"]),
  references: BRACES_ENV,
  says: ["cwd", "timeout", "disabled"],
  owned: ["type", "command", "environment", "cwd", "url", "headers", "enabled", "disabled", "timeout"],
  write(server, out, data) {
    if (server.transport === "sse") out.warn("sse-as-remote", "transport: sse is written as remote there, like http");
    dropFilters(server, out, `use "tools": {"${server.name}_*": …} beside the servers there`);
    const isLocal = server.transport === "stdio";
    return present({
      type: isLocal ? "local" : "remote",
      ...(isLocal
        ? {
            command: [out.text(server.command ?? "", "command"), ...out.texts(server.args, "args")],
            environment: out.map(server.env, "env"),
            cwd: server.cwd,
          }
        : { url: out.text(server.url ?? "", "url"), headers: out.map(server.headers, "headers") }),
      ...(server.disabled && (isSecondVersion(data) ? { disabled: true } : { enabled: false })),
      timeout: server.timeout === 10_000 ? undefined : server.timeout,
    });
  },
  read(entry, from) {
    const { type, command, enabled, disabled } = entry;
    if (type === undefined && Object.keys(entry).every((key) => key === "enabled" || key === "disabled")) {
      from.warn("field-dropped", "enabled: switches a server that is defined elsewhere");
      return undefined;
    }
    for (const key of ["args", "env"].filter((key) => key in entry))
      from.fail(
        "unknown-field",
        `${key}: OpenCode refuses it; it has ${key === "env" ? "environment" : "command: [command, …args]"}`,
      );
    if (type !== "local" && type !== "remote") {
      from.fail("unknown-transport", `type: ${JSON.stringify(type) ?? "nothing"} is neither local nor remote`);
      return undefined;
    }
    from.drop(entry, [...this.owned, "args", "env"]);
    const [first, ...args] = Array.isArray(command) ? command : [command];
    return present({
      transport: type === "local" ? "stdio" : "http",
      command: from.text(first, "command"),
      args: from.texts(args, "command"),
      env: from.map(entry["environment"], "environment"),
      cwd: entry["cwd"],
      url: from.text(entry["url"], "url"),
      headers: from.map(entry["headers"], "headers"),
      disabled: enabled === false || disabled === true ? true : undefined,
      timeout: entry["timeout"],
    });
  },
  check(entry, data) {
    const both = { enabled: "flag", disabled: "flag", timeout: "number" } as const;
    const { enabled: _e, ...second } = both;
    const { disabled: _d, ...first } = both;
    const common = isSecondVersion(data) ? second : first;
    return entry["type"] === "local"
      ? wrongKeys(
          entry,
          { type: ["local"], command: "list", environment: "map", cwd: "text", ...common },
          ["command"],
          true,
        )
      : wrongKeys(entry, { type: ["remote"], url: "text", headers: "map", ...common }, ["type", "url"], true);
  },
};

/** A server could be called "servers"; then it has a type. */
function isSecondVersion(data: Tree): boolean {
  const servers = isTree(data["mcp"]) ? data["mcp"]["servers"] : undefined;
  return isTree(servers) && typeof servers["type"] !== "string";
}

/** For files that have no filter. */
export function dropFilters({ enabledTools, disabledTools }: ServerDef, out: Writing, instead?: string): void {
  const field = enabledTools ? "enabledTools" : "disabledTools";
  if (enabledTools ?? disabledTools)
    out.warn(
      "filter-dropped",
      `${field}: the file has no filter: every tool is offered there${instead ? `; ${instead}` : ""}`,
    );
}
