import { defineTool } from "../toolkit/tool.ts";
import { wordState } from "./job-words.ts";
import { noSuchJob } from "./read-background-bash.ts";

export const stopBackgroundBash = defineTool({
  name: "StopBackgroundBash",
  description: "Ends a Bash command started with run_in_background, with all it started.",
  input: {
    type: "object",
    properties: { id: { type: "string", minLength: 1 } },
    required: ["id"],
    additionalProperties: false,
  },
  // In the order of the reply, and after what starts one.
  parallel: false,
  changes: "nothing",

  async run({ id }, { jobs }) {
    const stopped = await jobs?.stop(id);
    const job = jobs?.find(id);
    if (!job) throw new Error(noSuchJob(id, jobs));
    return stopped ? `Stopped ${id}.` : `${id} had ended already: ${wordState(job)}`;
  },
});
