import { formatDuration } from "../text/duration.ts";
import { type Command, UsageError } from "./command.ts";
import type { JobLine } from "./controls.ts";

export const jobCommands: readonly Command[] = [
  {
    name: "jobs",
    group: "tools",
    about: "List the commands that run in the background; show what one printed, or stop it",
    hints: "[id | stop <id>]",
    async run([what, id, ...more], { jobs }) {
      if (more.length > 0 || (what !== "stop" && id !== undefined)) throw new UsageError();
      if (what === undefined) return { text: listJobs(jobs.list()), data: jobs.list() };
      if (what !== "stop") return { text: jobs.output(what) };
      if (id === undefined) throw new UsageError();
      return { text: await jobs.stop(id) };
    },
  },
];

function listJobs(lines: readonly JobLine[]): string {
  if (lines.length === 0) return "Nothing runs in the background.";
  const shown = lines.map(
    ({ id, state, ms, command }) => `${id}  ${state}${ms > 0 ? ` for ${formatDuration(ms)}` : ""}  ${command}`,
  );
  return [...shown, "/jobs <id> shows what one printed, /jobs stop <id> ends it."].join("\n");
}
