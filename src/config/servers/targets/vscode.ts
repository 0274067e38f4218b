import { join } from "node:path";
import { plainEntry, plainFields } from "./claude.ts";
import { dropFilters } from "./opencode.ts";
import { ENV_COLON } from "./reference-syntaxes.ts";
import { wrongKeys } from "./shapes.ts";
import { present, type Target, type Where } from "./target.ts";

/** Copilot in VS Code: `servers` of `.vscode/mcp.json`, or of the profile's `mcp.json`. */
export const vscode: Target = {
  name: "vscode",
  title: "VS Code (Copilot)",
  alias: ["copilot", "vs-code", "github-copilot"],
  format: "jsonc",
  files: (where, scope) => (scope === "project" ? [join(where.cwd, ".vscode", "mcp.json")] : profiles(where)),
  mapPath: () => ["servers"],
  references: ENV_COLON,
  says: [],
  owned: ["type", "command", "args", "env", "url", "headers"],
  write(server, out) {
    dropFilters(server, out);
    const type = server.transport;
    return present({ type, ...plainEntry(server, out, false) });
  },
  read(entry, from) {
    from.drop(entry, [...this.owned, "cwd"], ["gallery", "version"]);
    const { type, url } = entry;
    return present({
      transport: type === "streamable-http" ? "http" : (type ?? (url === undefined ? "stdio" : "http")),
      ...plainFields(entry, from),
      cwd: entry["cwd"],
    });
  },
  check: (entry) =>
    "url" in entry
      ? wrongKeys(entry, { type: ["http", "sse"], url: "text", headers: "map" }, ["type", "url"])
      : wrongKeys(entry, { type: ["stdio"], command: "text", args: "list", env: "map" }, ["type", "command"]),
};

/** The file that is there, on whichever system. */
function profiles({ user, env }: Where): readonly string[] {
  const folders = [
    join(env["XDG_CONFIG_HOME"] || join(user, ".config"), "Code"),
    join(user, "Library", "Application Support", "Code"),
    ...(env["APPDATA"] ? [join(env["APPDATA"], "Code")] : []),
  ];
  const likely = process.platform === "darwin" ? [folders[1]!, folders[0]!] : folders;
  return likely.map((folder) => join(folder, "User", "mcp.json"));
}
