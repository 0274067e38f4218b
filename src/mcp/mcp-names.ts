import { createHash } from "node:crypto";

/** The longest name several providers take for a function. */
const LONGEST_NAME = 64;

export interface McpNames {
  /** `mcp__<server>__<tool>`, fit for every provider. */
  readonly canonical: string;
  /** Other spellings that filters and rules may use. */
  readonly aliases: readonly string[];
}

/**
 * The names of a server's tool. Characters no provider takes become `_`; what was changed by that, or is too long, ends
 * in a hash of the whole name, so that it is the same in every session and two tools never share one.
 */
export function nameTool(server: string, tool: string): McpNames {
  const full = `mcp__${server}__${tool}`;
  const clean = full.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  const canonical = clean === full && full.length <= LONGEST_NAME ? full : shortened(clean, full);
  const short = `${server}__${tool}`;
  return { canonical, aliases: canonical === full ? [short] : [short, full] };
}

function shortened(clean: string, full: string): string {
  const hash = createHash("sha256").update(full).digest("hex").slice(0, 8);
  return `${clean.slice(0, LONGEST_NAME - hash.length - 1)}_${hash}`;
}
