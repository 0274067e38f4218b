import { realpathSync } from "node:fs";
import type { Jobs } from "../shell/jobs.ts";
import type { Shell } from "../shell/shell.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import { commandTrial } from "./command-trial.ts";
import type { Engine } from "./engine.ts";

/** What a call runs commands with: the machine's shell in its sandbox, or one that only reads the project. */
export function commandAccess(
  engine: Engine,
  shell: Shell,
  jobs: Jobs,
  print: (line: string) => void,
): Pick<ToolAccess, "shell" | "jobs" | "trial"> {
  if (isVirtual(engine)) return { shell: virtualShell(engine) };
  const { preview } = engine.settings.features.policy;
  // A rule that answers does not look at what a command would change.
  const tries = preview === "always" || (preview === "auto" && engine.options.canAsk === true);
  return { shell: engine.sandbox.around(shell), jobs, ...(tries && { trial: commandTrial(engine, print) }) };
}

/** Loaded with the first command: it brings a shell of its own. */
function virtualShell(engine: Engine): Shell {
  return {
    async exec(script, options) {
      const { createVirtualShell } = await import("../shell/virtual-shell.ts");
      return createVirtualShell(realpathSync(engine.cwd), engine.folders.user).exec(script, options);
    },
  };
}

/** An agent set to work has no more of a machine than whoever set it to work. */
export function isVirtual({ settings, above }: Engine): boolean {
  return settings.features.tools.bash.engine === "virtual" || (above !== undefined && isVirtual(above.engine));
}
