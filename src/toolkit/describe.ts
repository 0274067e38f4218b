import type { Tool } from "./tool.ts";

/** The description sent to the model: text, usage, examples (aura 1). */
export function describeTool(tool: Tool): string {
  const blocks = [tool.description];
  if (tool.usage) blocks.push(`Usage: ${tool.usage}`);
  if (tool.examples?.length) blocks.push(["Examples:", ...tool.examples].join("\n"));
  return blocks.join("\n\n");
}
