import type { ServerDef } from "../config/mcp-server.ts";
import { matches } from "../text/wildcard.ts";
import { checkerFor } from "../toolkit/check-foreign-input.ts";
import type { ObjectSchema } from "../toolkit/json-schema.ts";
import type { KnownTool, Written } from "../toolkit/known-tool.ts";
import type { Tool } from "../toolkit/tool.ts";
import { CALL_ID } from "./call-id.ts";
import type { ServerAnswer } from "./call-output.ts";
import type { CallOptions } from "./connection.ts";
import type { ListedTool } from "./manifest.ts";
import { nameTool } from "./mcp-names.ts";

export interface FromMcp {
  readonly def: ServerDef;
  /** Makes the call, starting the server when it does not run. @throws Error worded for the model */
  call(tool: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<ServerAnswer>;
}

/** A server's tool as one of ours. What it costs before it is called is its schema. */
export function fromMcp(listed: ListedTool, { def, call }: FromMcp): KnownTool {
  const { canonical, aliases } = nameTool(def.name, listed.name);
  const isOurs = def.transport === "in-memory";
  const tool: Tool<Record<string, unknown>> = {
    name: canonical,
    description: listed.description || `The tool "${listed.name}" of the MCP server "${def.name}".`,
    input: schemaOf(listed),
    check: checkerFor(listed.inputSchema),
    // Only what says it changes nothing runs beside its siblings; a wrong claim costs the order, no permission.
    parallel: listed.annotations?.readOnlyHint === true || isOurs,
    async run(input, { signal, print, callId }) {
      const { output, failed } = await call(listed.name, input, {
        signal,
        timeout: def.callTimeout,
        onProgress: print,
        ...(isOurs && { meta: { [CALL_ID]: callId } }),
      });
      if (failed) throw new Error(isOurs ? output.text : marked(def.name, output.text || "the call failed"));
      return isOurs ? output : { ...output, text: marked(def.name, output.text) };
    },
  };
  const filtered = serverFilter(def, listed.name);
  return {
    tool: tool as Tool, // the pipeline checks input before any of these run
    source: `mcp:${def.name}${wordHints(listed)}`,
    aliases,
    server: def.name,
    ...(filtered && { unavailable: filtered }),
    ...(def.condition !== undefined && { condition: at(def, def.condition) }),
  };
}

/** Where the definition is written. */
export function at<T>({ file, line }: ServerDef, value: T): Written<T> {
  return { value, ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
}

/** What a server sends is data: it is said so, because it may read like an instruction. */
const marked = (server: string, text: string) => `[data from the MCP server "${server}"]\n${text}`;

/** `enabledTools` and `disabledTools` of the definition, on bare names (other-systems 5.4). */
function serverFilter(def: ServerDef, tool: string): Written<string> | undefined {
  const fits = (patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, tool));
  if (def.enabledTools && !fits(def.enabledTools))
    return at(def, `server filter: not in enabledTools of "${def.name}"`);
  if (def.disabledTools && fits(def.disabledTools)) return at(def, `server filter: in disabledTools of "${def.name}"`);
  return undefined;
}

/** The schema unchanged, but for `properties`, which providers want even where there are none. */
function schemaOf({ inputSchema }: ListedTool): ObjectSchema {
  const schema = "properties" in inputSchema ? inputSchema : { ...inputSchema, properties: {} };
  return schema as unknown as ObjectSchema; // foreign: the model gets it as it is, and `check` reads it
}

/** For people: no permission is given for what a server claims of itself. */
function wordHints({ annotations }: ListedTool): string {
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  if (readOnlyHint) return ", which says it only reads";
  return destructiveHint ? ", which says it destroys" : "";
}
