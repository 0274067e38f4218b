import { defineTool } from "../toolkit/tool.ts";

/** The model says by itself that it has finished; there only while a person has turned it on (aura 2.21). */
export const done = defineTool({
  name: "Done",
  description: "Ends your turn. Call it, alone, when the task is finished and checked; not before.",
  input: {
    type: "object",
    properties: { summary: { type: "string", description: "What was done, in a sentence or two" } },
  },
  parallel: false,
  sandboxable: false,
  endsTurn: true,
  changes: "nothing",
  run: async () => "Done",
});
