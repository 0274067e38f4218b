import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Engine } from "./engine.ts";
import { importHint } from "./import-hint.ts";
import { instructionsOf } from "./system-prompt.ts";

const FIRST_STEPS = 'Try: "explain this project" • @ to name a file • /help for all commands';

/** What a person at a screen is told at the start, in a line or two: what instructs the model here, and how to begin. */
export async function greeting(engine: Engine): Promise<readonly string[]> {
  const { files } = await instructionsOf(engine);
  const names = files.map(({ path }) => nameOf(path, engine.cwd));
  const read = names.length === 0 ? [] : [`The model reads ${names.join(", ")}.`];
  const isFirst = engine.sessions.store.list().sessions.length === 0;
  const hint = hasServers(engine) ? undefined : importHint(engine.cwd);
  return [...read, ...(hint === undefined ? [] : [hint]), ...(isFirst ? [FIRST_STEPS] : [])];
}

/** Whether anything says which MCP servers there are. */
function hasServers({ config, cwd }: Engine): boolean {
  const isListed = [...config.agents.values()].some(({ value }) => (value.mcps ?? []).length > 0);
  return config.mcp.size > 0 || isListed || existsSync(join(cwd, "mcp.json"));
}

/** As a person in `cwd` would write it. */
function nameOf(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") ? path : near;
}
