// The filter pipeline over a thousand tools of forty servers, with lists as long as people write them.
import { createToolSet } from "../../src/toolkit/tool-set.ts";

const input = { type: "object", properties: { text: { type: "string" } } };
const known = Array.from({ length: 1000 }, (_, at) => {
  const server = `server-${at % 40}`;
  const name = `mcp__${server}__tool_number_${at}`;
  const tool = { name, description: `Does thing ${at}.`, input, run: async () => "" };
  const visibility = { kind: "deferred", because: { value: "its server says so" } };
  return { tool, source: `mcp:${server}`, server, ...(at % 3 === 0 && { visibility }) };
});
const written = (...values) => values.map((value, at) => ({ value, file: "/a.md", line: at + 1 }));
const layer = (stage, enabled, disabled) => ({ stage, name: `${stage}:x`, enabled, disabled });
const LAYERS = [
  layer("global", [], written("mcp__server-7__*", "*__tool_number_13", "Bash")),
  layer("agent", written("Read", "server-1*", "server-2*", "mcp__server-3*", "*_number_*"), written("Write")),
  layer("mode", [], written("*delete*", "*_drop_*", "mcp__*__push")),
  layer("task", written("*tool*"), []),
];

/** Milliseconds of one pass with the schemas it yields, the median of 50 after a warm-up. */
export function filterPipelineMs() {
  const times = Array.from({ length: 70 }, () => {
    const from = performance.now();
    const tools = createToolSet({
      known,
      overrides: {},
      layers: LAYERS,
      optIn: written("mcp__server-9__tool_number_9"),
      deferred: written("mcp__server-4__*", "Todo*"),
      conditionState: () => "holds",
    });
    if (tools.statuses.length !== 1000 || tools.schemas.length === 0) throw new Error("nothing was filtered");
    return performance.now() - from;
  });
  return times.slice(20).toSorted((a, b) => a - b)[25];
}
