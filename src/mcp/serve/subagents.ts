import { resolve } from "node:path";
import { readArguments } from "./read-arguments.ts";
import type { ServedServer, ServeHost } from "./served-server.ts";

/** Other agents, spawned for tasks: `spawn_subagent` over the same engine as Task (other-systems 2). */
export function subagentsServer(args: readonly string[], _input: unknown, host: ServeHost): ServedServer {
  const { options } = readArguments(
    "subagents",
    args,
    { "--project-root": "value" },
    { aliases: { "--dir": "--project-root" } },
  );
  const root = resolve(host.cwd, options["--project-root"] ?? ".");
  // An agent of another project would work here under rules that were never written for it.
  if (root !== resolve(host.cwd))
    throw new Error(`subagents: --project-root is ${root}, but only agents of ${host.cwd} can be spawned here`);
  return {
    name: "subagents",
    instructions: host.delegate.instructions(),
    tools: () => ({ present: [{ tool: host.delegate.spawn(), structured: true }], absent: [] }),
  };
}
