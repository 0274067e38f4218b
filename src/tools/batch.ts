import { resultText } from "../toolkit/result-text.ts";
import { defineTool } from "../toolkit/tool.ts";

/** Tools that wait for a person, end the loop, start their own, or change the tool set. */
const NOT_BATCHABLE = new Set(["Batch", "Ask", "Done", "Task", "LoadTools"]);
const isBatchable = (tool: string) => !NOT_BATCHABLE.has(tool) && !/(^|__)spawn_subagent$/.test(tool);
const TITLE_KEYS = ["path", "pattern", "command", "query", "url"];

export const batch = defineTool({
  name: "Batch",
  description: "Run 1-25 independent tool calls at once. Calls that need a person's approval cannot be batched.",
  input: {
    type: "object",
    properties: {
      calls: {
        type: "array",
        minItems: 1,
        maxItems: 25,
        items: {
          type: "object",
          properties: {
            name: { type: "string", description: "Tool name", minLength: 1 },
            arguments: { type: "object", properties: {}, additionalProperties: true },
          },
          required: ["name", "arguments"],
        },
      },
    },
    required: ["calls"],
  },
  sandboxable: false,
  changes: "nothing",

  async run({ calls }, access) {
    const allowed = calls.filter((call) => isBatchable(call.name));
    const done = await access.callTools(allowed.map((call) => ({ tool: call.name, input: call.arguments })));
    let next = 0;
    let failures = 0;
    const sections = calls.map((call, index) => {
      const result = !isBatchable(call.name)
        ? { text: `Error: tool "${call.name}" cannot be batched`, failed: true }
        : resultText(done[next++]!);
      if (result.failed) failures++;
      return `### [${index + 1}] ${call.name}${keyArgument(call.arguments)}\n${result.text.replace(/\n$/, "")}`;
    });
    const counts = `${calls.length - failures}/${calls.length} successful${failures > 0 ? `, ${failures} failed` : ""}`;
    return [`## Batch Results (${counts})`, ...sections].join("\n\n").trimEnd();
  },
});

function keyArgument(input: Readonly<Record<string, unknown>>): string {
  for (const key of TITLE_KEYS) {
    const value = input[key];
    if (typeof value === "string" && value !== "") return ` (${cut(value)})`;
  }
  return "";
}

/** At most 63 bytes, never half a character. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= 63
    ? text
    : `${bytes
        .subarray(0, 60)
        .toString()
        .replace(/\uFFFD$/, "")}...`;
}
