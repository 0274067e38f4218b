import type { ToolAccess } from "../toolkit/tool-access.ts";
import { commandAccess } from "./command-access.ts";
import type { Engine } from "./engine.ts";

/** What one call may touch, without the parts only the loop can give. */
export function toolAccess(
  engine: Engine,
  callId: string,
  signal: AbortSignal,
  print: (line: string) => void,
): Omit<ToolAccess, "callTools" | "ask"> {
  const { files, reads, todos, memory, shell, jobs } = engine.services;
  const { toolSettings } = engine.settings;
  return {
    callId,
    cwd: engine.cwd,
    signal,
    files,
    reads,
    todos,
    memory,
    guardProcess: (pid) => shell.guardGroup(pid),
    ...commandAccess(engine, shell, jobs, print),
    settings: toolSettings,
    estimate: engine.estimate,
    print,
    rewrite: (command) => rewriteCommand(toolSettings.bash.rewrite, command),
  };
}

async function rewriteCommand(template: string, command: string): Promise<string> {
  if (template === "") return command;
  const { renderTemplate } = await import("../text/template.ts");
  return renderTemplate(template, { Command: command }, { name: "bash.rewrite" });
}
