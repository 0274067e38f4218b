import { resolve } from "node:path";
import { agentDirs, type OpenOptions } from "../../src/index.ts";
import type { Outputs } from "../headless/writers.ts";
import type { Invocation } from "./arguments.ts";

/** `aura agentdir check`. */
export async function checkDir(
  { dir, json }: Extract<Invocation, { command: "agentdir-check" }>,
  options: OpenOptions,
  out: Outputs,
): Promise<number> {
  const { checkAgentDir } = await agentDirs();
  const check = await checkAgentDir(resolve(options.cwd, dir));
  if (json) out.data(`${JSON.stringify(check, null, 2)}\n`);
  else {
    for (const { code, message } of check.errors) out.data(`error ${code}: ${message}\n`);
    for (const { code, message } of check.warnings) out.data(`warning ${code}: ${message}\n`);
    for (const { name, kind, file } of check.tools) out.data(`${name}  ${kind}  ${file}\n`);
  }
  return check.errors.length > 0 ? 1 : 0;
}
