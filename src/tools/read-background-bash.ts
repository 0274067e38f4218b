import type { JobOutput, JobStart } from "../shell/jobs.ts";
import { defineTool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import { wordState } from "./job-words.ts";

/** Longer than a turn should hang on one look. */
const LONGEST_WAIT_MS = 60_000;
/** What fails at once (a port in use, a missing program) is told with the start. */
const FIRST_LOOK_MS = 300;

export const readBackgroundBash = defineTool({
  name: "ReadBackgroundBash",
  description: "What a Bash command started with run_in_background has printed since you last looked, and its state.",
  input: {
    type: "object",
    properties: {
      id: { type: "string", minLength: 1 },
      wait_ms: { type: "integer", minimum: 0, description: "wait this long for something new" },
    },
    required: ["id"],
    additionalProperties: false,
  },
  // In the order of the reply, and after what starts one.
  parallel: false,
  changes: "nothing",
  cutsMiddle: true,

  async run({ id, wait_ms: wait = 0 }, { jobs, signal }) {
    await jobs?.settled(id, "news", Math.min(wait, LONGEST_WAIT_MS), signal);
    const output = jobs?.read(id);
    if (!output) throw new Error(noSuchJob(id, jobs));
    return composeOutput(output);
  },
});

/** Starts a command that goes on by itself. @throws Error where that cannot be */
export async function startJob(
  command: string,
  how: Omit<JobStart, "shell">,
  { jobs, shell, signal }: ToolAccess,
): Promise<string> {
  if (!jobs) throw new Error("nothing can run in the background here: call again without run_in_background");
  const { id } = jobs.start(command, { ...how, shell });
  await jobs.settled(id, "ended", FIRST_LOOK_MS, signal);
  const output = jobs.read(id);
  if (!output) throw new Error(noSuchJob(id, jobs));
  const seen = composeOutput(output);
  return output.job.state.kind === "running"
    ? `Started in the background as ${id}. ReadBackgroundBash shows what it prints, StopBackgroundBash ends it; it ends with the session.\n${seen}`
    : seen;
}

export function noSuchJob(id: string, jobs: ToolAccess["jobs"]): string {
  const known = jobs?.all.map((job) => job.id).join(", ");
  return `there is no background command "${id}"${known ? `; there are: ${known}` : ": none was started"}`;
}

function composeOutput({ job, text, lost }: JobOutput): string {
  const missing = lost > 0 ? `[${lost} older bytes are not kept]\n` : "";
  return `[${job.id}: ${wordState(job)}]\n${missing}${text === "" ? "[no new output]" : text}`;
}
