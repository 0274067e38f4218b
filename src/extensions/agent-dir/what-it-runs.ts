import { join } from "node:path";
import type { DirTool } from "./tool-folder.ts";

/** What a person sees before they trust a directory's tools: every command and script they would run. */
export function whatItRuns(tools: readonly DirTool[]): readonly string[] {
  return tools.map((tool) => {
    if (tool.kind === "script") {
      const { path, allowedTools } = tool.script;
      return `${tool.file}: script ${path}, which may call ${allowedTools.join(", ") || "no tool"}`;
    }
    const { transport, command, args, url, env, headers } = tool.server;
    const secrets = [...Object.keys(env), ...Object.keys(headers)];
    const what = transport === "stdio" ? `command ${[command, ...args].join(" ")}` : `${transport} ${url}`;
    return `${tool.file}: ${what}${secrets.length > 0 ? `, given ${secrets.join(", ")}` : ""}`;
  });
}

/** The files whose content is trusted with the tools: their definitions, and the scripts they run. */
export function filesItRuns(tools: readonly DirTool[], workspace: string): readonly string[] {
  return tools.flatMap((tool) =>
    tool.kind === "script" ? [tool.path, join(workspace, tool.script.path)] : [tool.path],
  );
}
