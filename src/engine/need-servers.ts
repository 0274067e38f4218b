import { join } from "node:path";
import { wordState } from "../mcp/server-state.ts";
import { isInside } from "../system/paths.ts";
import type { Engine } from "./engine.ts";

/** Waits for the servers a directory declares. One that cannot be reached is a sentence that names its file. */
export async function whichServerIsMissing(engine: Engine, dir: string): Promise<string | undefined> {
  await engine.settleSources();
  const missing = engine.mcp?.servers.statuses.find(
    ({ state, file }) =>
      file !== undefined &&
      isInside(join(dir, "tools"), file) &&
      ["failed", "crashed", "needs-auth"].includes(state.kind),
  );
  return missing && `mcp-connect: ${missing.file}: server "${missing.name}" ${wordState(missing)}`;
}
