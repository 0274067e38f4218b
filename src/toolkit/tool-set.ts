import type { ToolSchema } from "../providers/provider.ts";
import { nearest } from "../text/nearest.ts";
import { describeTool } from "./describe.ts";
import { type FilterLayer, filterTool, type Inclusion } from "./filter.ts";
import type { Tool } from "./tool.ts";

/** Overrides of a tool's wording and behaviour from `config/tools` (aura 17.8). */
export interface ToolOverride {
  readonly disabled?: boolean;
  readonly description?: string;
  readonly usage?: string;
  readonly examples?: readonly string[];
  readonly parallel?: boolean;
}

export interface ToolStatus {
  readonly name: string;
  readonly source: string;
  readonly inclusion: Inclusion;
}

/** The tools of one agent, mode and task, and why each known tool is in or out. */
export interface ToolSet {
  find(name: string): Tool | undefined;
  readonly active: readonly Tool[];
  /** In a fixed order, so that the prompt prefix stays the same. */
  readonly schemas: readonly ToolSchema[];
  readonly statuses: readonly ToolStatus[];
  /** Worded for the model: why a name it called cannot be called. */
  explainMissing(name: string): string;
}

export interface ToolSetInput {
  readonly known: readonly { readonly tool: Tool; readonly source: string; readonly unavailable?: string }[];
  /** By lower-cased tool name. */
  readonly overrides: Readonly<Record<string, ToolOverride>>;
  readonly layers: readonly FilterLayer[];
  readonly optIn: readonly string[];
}

export function createToolSet(input: ToolSetInput): ToolSet {
  const statuses: ToolStatus[] = [];
  const active = new Map<string, Tool>();
  for (const { tool, source, unavailable } of input.known) {
    const override = input.overrides[tool.name.toLowerCase()];
    const inclusion: Inclusion =
      override?.disabled === true
        ? { included: false, reason: "disabled by tool definition" }
        : unavailable !== undefined
          ? { included: false, reason: `unavailable: ${unavailable}` }
          : filterTool(tool.name, input.layers, input.optIn);
    statuses.push({ name: tool.name, source, inclusion });
    if (inclusion.included) active.set(tool.name, override ? overridden(tool, override) : tool);
  }
  return {
    find: (name) => active.get(name),
    active: [...active.values()],
    schemas: [...active.values()].map((tool) => ({
      name: tool.name,
      description: describeTool(tool),
      parameters: tool.input,
    })),
    statuses,
    explainMissing: (name) => explainMissing(name, statuses, [...active.keys()]),
  };
}

function overridden(tool: Tool, override: ToolOverride): Tool {
  return {
    ...tool,
    ...(override.description && { description: override.description }),
    ...(override.usage && { usage: override.usage }),
    ...(override.examples?.length && { examples: override.examples }),
    ...(override.parallel !== undefined && { parallel: override.parallel }),
  };
}

function explainMissing(name: string, statuses: readonly ToolStatus[], active: readonly string[]): string {
  const known = statuses.find((status) => status.name === name);
  if (known && !known.inclusion.included) return `tool "${name}" is not available: ${known.inclusion.reason}`;
  const near = nearest(name, active);
  const missing = `tool not found: "${name}".${near ? ` Did you mean "${near}"?` : ""}`;
  return active.length > 0 ? `${missing} Available: ${active.join(", ")}` : `${missing} No tools are enabled`;
}
