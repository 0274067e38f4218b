import { expect, test } from "vitest";
import type { Job, JobOutput, Jobs } from "../../../src/shell/jobs.ts";
import { bash } from "../../../src/tools/bash.ts";
import { readBackgroundBash } from "../../../src/tools/read-background-bash.ts";
import { stopBackgroundBash } from "../../../src/tools/stop-background-bash.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

const job = (state: Job["state"]): Job => ({ id: "b1", command: "serve", cwd: "/project", startedAt: 0, state });

/** One command, in the state it has reached by the first look. */
function jobsWith(state: Job["state"], text: string, lost = 0): Jobs & { readonly started: unknown[] } {
  const one = job(state);
  const output: JobOutput = { job: one, text, lost };
  const known = <T>(id: string, value: T) => (id === "b1" ? value : undefined);
  const started: unknown[] = [];
  return {
    started,
    all: [one],
    running: 1,
    start(command, { cwd, timeoutMs }) {
      started.push({ command, cwd, timeoutMs });
      return one;
    },
    find: (id) => known(id, one),
    show: (id) => known(id, output),
    read: (id) => known(id, output),
    settled: async () => undefined,
    stop: async () => state.kind === "running",
    close: async () => undefined,
  };
}

test("a command in the background is started without a time limit of its own, and what reads it is named", async () => {
  const jobs = jobsWith({ kind: "running" }, "listening\n");
  const text = await memoryProject({}, { jobs }).run(bash, { command: "serve", run_in_background: true });
  expect(text).toBe(
    "Started in the background as b1. ReadBackgroundBash shows what it prints, StopBackgroundBash ends it; it ends with the session.\n[b1: running]\nlistening\n",
  );
  expect(jobs.started).toEqual([{ command: "serve", cwd: "/project", timeoutMs: 0 }]);
});

test("one that failed at once says so instead", async () => {
  const jobs = jobsWith({ kind: "exited", code: 3 }, "port in use\n");
  expect(await memoryProject({}, { jobs }).run(bash, { command: "serve", run_in_background: true })).toBe(
    "[b1: ended with exit code 3]\nport in use\n",
  );
});

test("reading tells the state, what is new and what was lost; stopping tells what it found", async () => {
  const running = memoryProject({}, { jobs: jobsWith({ kind: "running" }, "", 0) });
  expect(await running.run(readBackgroundBash, { id: "b1" })).toBe("[b1: running]\n[no new output]");
  expect(await running.run(stopBackgroundBash, { id: "b1" })).toBe("Stopped b1.");
  const ended = memoryProject({}, { jobs: jobsWith({ kind: "ended", why: "stopped" }, "last\n", 7) });
  expect(await ended.run(readBackgroundBash, { id: "b1" })).toBe(
    "[b1: ended: stopped]\n[7 older bytes are not kept]\nlast\n",
  );
  expect(await ended.run(stopBackgroundBash, { id: "b1" })).toBe("b1 had ended already: ended: stopped");
});

test("without such a command, or where nothing runs in the background, it says so", async () => {
  const project = memoryProject({}, { jobs: jobsWith({ kind: "running" }, "") });
  const message = 'there is no background command "b7"; there are: b1';
  expect(await project.call(readBackgroundBash, { id: "b7" })).toEqual({ status: "failed", message });
  expect(await memoryProject().call(bash, { command: "serve", run_in_background: true })).toEqual({
    status: "failed",
    message: "nothing can run in the background here: call again without run_in_background",
  });
});
