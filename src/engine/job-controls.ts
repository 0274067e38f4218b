import type { JobControls } from "../commands/controls.ts";
import { nameOf, wordState } from "../tools/job-words.ts";
import { noSuchJob } from "../tools/read-background-bash.ts";
import type { Engine } from "./engine.ts";

/** `/jobs`: what a person may see and do of the commands in the background. */
export function jobControls(engine: Engine): JobControls {
  const { jobs } = engine.services;
  return {
    list: () =>
      jobs.all.map((job) => ({
        id: job.id,
        command: nameOf(job),
        state: wordState(job),
        // To the second, and only of those that run: a list stays the same while nothing happens.
        ms: job.state.kind === "running" ? Math.floor((Date.now() - job.startedAt) / 1000) * 1000 : 0,
      })),
    output(id) {
      const output = jobs.show(id);
      if (!output) throw new Error(noSuchJob(id, jobs));
      const missing = output.lost > 0 ? `[${output.lost} older bytes are not kept]\n` : "";
      return `${id}: ${wordState(output.job)}: ${output.job.command}\n${missing}${output.text || "[no output yet]"}`;
    },
    async stop(id) {
      const job = jobs.find(id);
      if (!job) throw new Error(noSuchJob(id, jobs));
      return (await jobs.stop(id)) ? `Stopped ${id}.` : `${id} had ended already: ${wordState(job)}`;
    },
  };
}
