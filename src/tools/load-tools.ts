import { matches } from "../text/wildcard.ts";
import { defineTool, type Tool } from "../toolkit/tool.ts";
import type { HeldTool } from "../toolkit/tool-set.ts";

/** What LoadTools may see and do. */
export interface DeferredTools {
  /** Deferred and not loaded yet. */
  deferred(): readonly HeldTool[];
  /** From the next model request on these are offered with their schemas. */
  load(names: readonly string[]): void;
}

/** Brings the schemas of deferred tools into the conversation (aura 2.17). */
export function createLoadTools(tools: DeferredTools): Tool {
  return defineTool({
    name: "LoadTools",
    description: "Loads tools of <available-deferred-tools>, so that they can be called from your next step on.",
    usage: "Give names or patterns with * in tools, or the name of an MCP server in server to load all of its tools.",
    examples: ['{"tools": ["mcp__github__search", "Todo*"]}', '{"server": "context7"}'],
    input: {
      type: "object",
      properties: {
        tools: { type: "array", items: { type: "string" }, description: "Names or patterns, such as mcp__context7__*" },
        server: { type: "string", description: "An MCP server: all of its deferred tools" },
      },
    },
    parallel: false,
    sandboxable: false,
    changes: "nothing",

    async run({ tools: patterns = [], server }) {
      if (patterns.length === 0 && !server) throw new Error("LoadTools needs tools, server, or both");
      const deferred = tools.deferred();
      const wanted = deferred.filter(
        (one) =>
          (server && one.server?.toLowerCase() === server.toLowerCase()) ||
          patterns.some((pattern) => isMeant(pattern, one.tool.name)),
      );
      if (wanted.length === 0) return `No matching deferred tools found. Available: ${available(deferred)}`;
      tools.load(wanted.map(({ tool }) => tool.name));
      return [
        `Loaded ${wanted.length} tools:`,
        ...wanted.map(({ tool }) => `- ${tool.name}: ${firstLine(tool.description)}`),
        "",
        "These tools are now available for use.",
      ].join("\n");
    },
  });
}

function isMeant(pattern: string, name: string): boolean {
  return matches(pattern, name) || (name.startsWith("mcp__") && matches(pattern, name.slice(5)));
}

const available = (deferred: readonly HeldTool[]) => deferred.map(({ tool }) => tool.name).join(", ") || "none";
const firstLine = (text: string) => text.trim().split("\n", 1)[0]!;
