import { resultText } from "../toolkit/result-text.ts";
import { defineTool, type Tool } from "../toolkit/tool.ts";
import type { HeldTool } from "../toolkit/tool-set.ts";
import { nameTool } from "./mcp-names.ts";

/** The one name under which the model calls tools that are kept on disk. */
export const CALL_TOOL = "mcp__proxy__call_tool";

export interface CallToolOptions {
  /** What may be called now: tools that passed every filter. */
  proxied(): readonly HeldTool[];
  /** Worded for the model: why a name it wants cannot be called. */
  explainMissing(name: string): string;
}

/**
 * Calls a proxied tool (other-systems 5.5). It only unwraps: the call is made under the tool's own name through the
 * whole pipeline, so filters, hooks, policy, guardrail and read-before checks meet the tool itself.
 */
export function createCallTool({ proxied, explainMissing }: CallToolOptions): Tool {
  return defineTool({
    name: CALL_TOOL,
    description: "Calls a tool of a server whose tools are described on disk. Read its description first.",
    input: {
      type: "object",
      properties: {
        server: { type: "string", minLength: 1 },
        tool: { type: "string", minLength: 1 },
        arguments: { type: "object", properties: {}, additionalProperties: true },
      },
      required: ["server", "tool"],
      additionalProperties: false,
    },
    sandboxable: false,
    passesOn: true,

    async run({ server, tool, arguments: input = {} }, { callTools }) {
      const held = proxied();
      const servers = serversOf(held);
      if (!servers.includes(server))
        throw new Error(`there is no server "${server}" behind the proxy; there are: ${servers.join(", ") || "none"}`);
      const canonical = nameTool(server, tool).canonical;
      const found = held.find(
        (known) => known.server === server && (known.tool.name === canonical || bareName(known) === tool),
      );
      if (!found) throw new Error(explainMissing(canonical));
      const [call] = await callTools([{ tool: found.tool.name, input }], { mayAsk: true });
      if (call?.status === "done") return call.output;
      throw new Error(call ? resultText(call).text.replace(/^Error: /, "") : "the call was not made");
    },
  });
}

/** What the prompt says of proxied tools; undefined when there are none. The same bytes for the same servers. */
export function proxyBlock(
  proxied: readonly HeldTool[],
  dir: string,
  describe: (server: string) => string | undefined,
): string | undefined {
  const servers = serversOf(proxied);
  if (servers.length === 0) return undefined;
  const lines = servers.map((name) => {
    const about = describe(name)?.trim().replace(/\s+/g, " ");
    return `- ${name}${about ? `: ${about}` : ""}`;
  });
  return [
    "<proxied-tools>",
    `Tools of these servers are described in ${dir}, one JSON file a tool: <server>/<tool>.json. Look there (Ls, Rg, Read)`,
    `for what a task needs, then call it with ${CALL_TOOL} {server, tool, arguments}.`,
    ...lines,
    "</proxied-tools>",
  ].join("\n");
}

/** The tool's name as its server's folder has it; letters, digits, `_` and `-` only. */
export function bareName({ tool, server }: HeldTool): string {
  const prefix = `mcp__${server}__`;
  return tool.name.startsWith(prefix) ? tool.name.slice(prefix.length) : tool.name;
}

const serversOf = (proxied: readonly HeldTool[]): readonly string[] =>
  [...new Set(proxied.flatMap(({ server }) => server ?? []))].sort();
