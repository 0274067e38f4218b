import { AETHER_ALIASES } from "./aether-aliases.ts";
import type { KnownTool } from "./known-tool.ts";

/** The names by which lists of patterns match one tool (other-systems 5.4). */
export interface ToolNames {
  /** In lists that let through. */
  readonly allow: readonly string[];
  /** In lists that keep out. */
  readonly deny: readonly string[];
}

/**
 * The canonical name, the name without `mcp__`, and what its source calls it. A built-in also answers to the name it has
 * in Aether's servers: always where that keeps it out, but only while no server of that name is there where it lets it
 * through, or one list would offer the same thing twice.
 */
export function namesOf({ tool, aliases = [], server }: KnownTool, servers: ReadonlySet<string>): ToolNames {
  const { name } = tool;
  const own = name.startsWith("mcp__") ? [name, name.slice(5), ...aliases] : [name, ...aliases];
  const foreign = server === undefined && Object.hasOwn(AETHER_ALIASES, name) ? AETHER_ALIASES[name]! : [];
  if (foreign.length === 0) return { allow: own, deny: own };
  return {
    allow: [...own, ...foreign.filter((alias) => !servers.has(alias.slice(0, alias.indexOf("__"))))],
    deny: [...own, ...foreign],
  };
}
