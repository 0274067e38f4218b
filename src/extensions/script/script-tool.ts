import { defineTool, type Tool } from "../../toolkit/tool.ts";
import type { ToolAccess } from "../../toolkit/tool-access.ts";
import { innerCalls, type ScriptSession } from "./inner-calls.ts";
import type { ScriptLimits } from "./limits.ts";
import { readSource } from "./read-source.ts";
import { ScriptFailure } from "./script-failure.ts";
import { toolOf } from "./tool-aliases.ts";

/** A tool that runs a script of the workspace (other-systems 4.3). */
export interface ScriptDef {
  readonly name: string;
  readonly description: string;
  /** Relative to the workspace. */
  readonly path: string;
  /** As written; aliases are understood. */
  readonly allowedTools: readonly string[];
  readonly limits: ScriptLimits;
}

export interface ScriptToolOptions {
  readonly session: ScriptSession;
  /** A sentence for why the script that lies there now must not run; it gets the file with links followed. */
  objection?(file: string): Promise<string | undefined>;
}

/** The model sees one parameter. What a script costs, its machine and its thread, is loaded when it is called. */
export function scriptTool(def: ScriptDef, { session, objection }: ScriptToolOptions): Tool {
  const source = async (access: ToolAccess) => {
    const read = await readSource(def.path, access);
    const refused = await objection?.(read.file);
    if (refused !== undefined) throw new ScriptFailure("read-error", refused);
    return read.text;
  };
  return defineTool({
    name: def.name,
    description: def.description || `Runs ${def.path}.`,
    input: {
      type: "object",
      properties: {
        inputs: { type: "object", description: "what the script is given", properties: {}, additionalProperties: true },
      },
      additionalProperties: false,
    },
    parallel: def.allowedTools.map(toolOf).every((tool) => session.isParallel(tool)),
    sandboxable: false,

    preview: async () => ({ title: `${def.path}, which may call: ${def.allowedTools.join(", ") || "nothing"}` }),

    async run({ inputs = {} }, access) {
      // By way of an agent that a script set to work.
      if (session.chain.getStore() !== undefined)
        throw new ScriptFailure("tool-not-allowed", `${def.name} was called on behalf of ${session.chain.getStore()}`);
      const text = await source(access);
      const { runScript } = await import("./run-script.ts");
      const { maxOutputBytes } = def.limits;
      const { text: result, log } = await runScript({
        source: text,
        fileName: def.path,
        inputs,
        limits: def.limits,
        shorthands: session.has("WebSearch") ? ["webSearch"] : [],
        signal: access.signal,
        ...innerCalls({ name: def.name, allowed: def.allowedTools, maxOutputBytes }, session, access),
        print: access.print,
      });
      return log === "" ? result : `${result}\n\nconsole:\n${log.trimEnd()}`;
    },
  });
}
