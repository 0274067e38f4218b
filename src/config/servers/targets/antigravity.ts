import { join } from "node:path";
import { plainFields } from "./claude.ts";
import { NOT_EXPANDED } from "./reference-syntaxes.ts";
import { wrongKeys } from "./shapes.ts";
import { present, some, type Target } from "./target.ts";

const URLS = ["serverUrl", "url", "httpUrl"];

/** Antigravity: `mcp_config.json`. Strict JSON; a remote server's address is `serverUrl`; its values are literal. */
export const antigravity: Target = {
  name: "antigravity",
  title: "Antigravity",
  alias: [],
  format: "json",
  files: ({ cwd, user }, scope) =>
    scope === "project"
      ? [join(cwd, ".agents", "mcp_config.json")]
      : [join(user, ".gemini", "config", "mcp_config.json"), join(user, ".gemini", "antigravity", "mcp_config.json")],
  mapPath: () => ["mcpServers"],
  references: NOT_EXPANDED,
  says: ["disabled", "enabledTools", "disabledTools"],
  owned: ["command", "args", "env", ...URLS, "headers", "disabled", "disabledTools"],
  write(server, out) {
    if (server.transport === "sse") out.warn("sse-as-http", "transport: sse is not told from http there");
    if (server.enabledTools)
      out.warn("filter-dropped", "enabledTools: only disabledTools is known there: every tool is offered");
    const pattern = server.disabledTools?.find((name) => name.includes("*"));
    if (pattern !== undefined)
      out.warn("filter-unenforced", `disabledTools: "${pattern}" is a name there, not a pattern`);
    return present({
      ...(server.transport === "stdio"
        ? {
            command: out.text(server.command ?? "", "command"),
            args: some(out.texts(server.args, "args")),
            env: out.map(server.env, "env"),
          }
        : { serverUrl: out.text(server.url ?? "", "url"), headers: out.map(server.headers, "headers") }),
      disabled: server.disabled ? true : undefined,
      disabledTools: server.disabledTools,
    });
  },
  read(entry, from) {
    from.drop(entry, this.owned);
    const key = URLS.find((name) => entry[name] !== undefined);
    const isRemote = key !== undefined;
    if (isRemote && entry["command"] !== undefined)
      from.warn("command-ignored", `command: the entry has ${key}, which counts`);
    const { command, args, env, ...rest } = entry;
    const kept = isRemote ? { ...rest, url: entry[key] } : { ...rest, command, args, env };
    return present({
      transport: isRemote ? "http" : "stdio",
      ...plainFields(kept, from),
      disabled: entry["disabled"],
      disabledTools: entry["disabledTools"],
    });
  },
  check: (entry) =>
    wrongKeys(
      entry,
      {
        command: "text",
        args: "list",
        env: "map",
        serverUrl: "text",
        headers: "map",
        disabled: "flag",
        disabledTools: "list",
      },
      "serverUrl" in entry ? [] : ["command"],
      true,
    ),
};
