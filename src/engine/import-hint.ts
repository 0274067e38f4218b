import { existsSync } from "node:fs";
import { join } from "node:path";

/** Somebody else's file lies in `cwd`, which is never read unasked: how to take its servers over. */
export function importHint(cwd: string): string | undefined {
  if (existsSync(join(cwd, ".mcp.json")))
    return '.mcp.json is not read: "aura mcp import --from claude --dry-run" shows its MCP servers';
  if (existsSync(join(cwd, ".ai", "config.yaml")))
    return '.ai/config.yaml is not read: "aura mcp import --from dotai --dry-run" shows its MCP servers';
  return undefined;
}
