import type { ServerDef } from "../config/mcp-server.ts";
import type { Absent } from "../mcp/serve/served-server.ts";
import { findServer } from "../mcp/serve/servers.ts";
import { builtinTools } from "../tools/index.ts";

/** The tools of an in-process server that are not there yet, and why, told without opening a conversation. */
export function absentParts({ name, transport, args, input }: ServerDef, cwd: string): readonly Absent[] {
  if (transport !== "in-memory") return [];
  const unasked = () => Promise.reject(new Error("nothing runs here"));
  try {
    return findServer(name)
      .create(args, input, {
        cwd,
        now: () => new Date(),
        view: () => ({ at: "", holds: () => false }),
        find: (wanted) => builtinTools.find((tool) => tool.name === wanted),
        skills: { read: unasked },
        delegate: { instructions: () => "", spawn: () => builtinTools[0]! },
        readText: unasked,
        runCommand: unasked,
      })
      .tools().absent;
  } catch {
    return []; // `aura mcp check` says what is wrong with it
  }
}
