import type { Job } from "../shell/jobs.ts";

/** Its state in a few words. */
export function wordState({ state }: Job): string {
  switch (state.kind) {
    case "running":
      return "running";
    case "exited":
      return `ended with exit code ${state.code}`;
    case "ended":
      return `ended: ${state.why}`;
  }
}

/** What a person is told when it ended; undefined while it runs. */
export function wordEnding(job: Job): string | undefined {
  return job.state.kind === "running" ? undefined : `Background command ${job.id} ${wordState(job)}: ${nameOf(job)}`;
}

/** Its command in one line. */
export function nameOf({ command }: Job): string {
  const [first = "", ...more] = command.trim().split("\n");
  return more.length > 0 || first.length > 60 ? `${first.slice(0, 60)}…` : first;
}
