import { defineTool } from "../toolkit/tool.ts";

export const memoryWrite = defineTool({
  name: "MemoryWrite",
  description: "Saves a note that outlives the session, or replaces one.",
  usage: "For decisions, conventions and preferences worth knowing next time.",
  input: {
    type: "object",
    properties: {
      key: { type: "string", minLength: 1, description: "Topic, such as architecture" },
      content: { type: "string", minLength: 1, description: "Markdown" },
      scope: { type: "string", enum: ["local", "global"], description: "This project (default) or all" },
    },
    required: ["key", "content"],
  },
  sandboxable: false,
  changes: "files",

  async run({ key, content, scope = "local" }, { memory }) {
    await memory.write(scope, key, content);
    return `Saved memory: ${key} (${scope})`;
  },
});
