import { wordState } from "../mcp/server-state.ts";
import type { AbsentServer } from "../toolkit/known-tool.ts";
import type { Engine } from "./engine.ts";
import { mcpOf } from "./mcp.ts";

/** The servers of which not one tool is known, and how they are: what became of their tools is asked as well. */
export function absentServers(engine: Engine): readonly AbsentServer[] {
  return (mcpOf(engine)?.servers.statuses ?? []).flatMap((status) =>
    status.tools > 0
      ? []
      : [{ server: status.name, because: { value: wordState(status), ...(status.file && { file: status.file }) } }],
  );
}
