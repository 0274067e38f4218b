import { agentDirs, type OpenOptions, openConversation, type ServedDir } from "../../src/index.ts";
import { createHeadless } from "../headless/headless.ts";
import { createTextWriter, type Outputs } from "../headless/writers.ts";
import type { Invocation, ServeFlags } from "./arguments.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { ExpectedStop } from "./expected-stop.ts";
import type { ProcessEdge } from "./run-headless.ts";

type Schedule = ServedDir["schedules"][number];

/** `aura serve`: runs the schedules of a directory, each in its own session, until a signal. Nobody is asked. */
export async function serveDir(
  flags: Extract<Invocation, { command: "serve" }>,
  options: OpenOptions,
  { out, signals }: ProcessEdge,
): Promise<number> {
  const served = await open(flags.dir, options, out);
  const now = chosenNow(served, flags);
  const run = (schedule: Schedule) => runSchedule(served, schedule, flags, out, signals.stop);
  if (now) {
    const codes = [];
    for (const schedule of now) if (!signals.stop.aborted) codes.push(await run(schedule));
    return signals.exitCode ?? codes.find((code) => code !== 0) ?? 0;
  }

  const enabled = served.schedules.filter(({ enabled }) => enabled);
  if (enabled.length === 0) throw new ExpectedStop(`serve: ${flags.dir} has no enabled schedule`, 1);
  const { Cron } = await import("croner");
  const running = new Map<Schedule, Promise<unknown>>();
  const jobs = enabled.map((schedule) => {
    const job = new Cron(schedule.cron, () => {
      // The one before still works: its next turn comes at the time after this one.
      if (running.has(schedule)) return out.talk(`aura: ${schedule.name}: still running, this time is passed over\n`);
      running.set(
        schedule,
        run(schedule).finally(() => running.delete(schedule)),
      );
    });
    out.talk(`aura: ${schedule.name} (${schedule.cron}): next ${job.nextRun()?.toISOString() ?? "never"}\n`);
    return job;
  });
  await new Promise<void>((resolve) => {
    if (signals.stop.aborted) resolve();
    else signals.stop.addEventListener("abort", () => resolve(), { once: true });
  });
  for (const job of jobs) job.stop();
  await Promise.allSettled(running.values());
  out.talk("aura: stopped\n");
  return 0; // asked to stop, and did: that is how a service ends
}

async function open(dir: string, options: OpenOptions, out: Outputs): Promise<ServedDir> {
  const { openAgentDir } = await agentDirs();
  const opened = await openAgentDir(options, dir);
  switch (opened.kind) {
    case "refused":
      throw new ExpectedStop(`serve: ${dir} does not load:\n  ${opened.problems.join("\n  ")}`, 1);
    case "untrusted": {
      const runs = `${dir} is not trusted as it is now. It would run:\n  ${opened.runs.join("\n  ")}\n`;
      const how = `To trust it until one of these changes: aura serve ${dir} --trust`;
      const answer = await askYesNo(`${runs}Trust it, until one of these changes?`);
      if (answer) return open(dir, { ...options, trust: true }, out);
      throw new ExpectedStop(answer === undefined ? `serve: ${runs}${how}` : `serve: nothing was trusted. ${how}`, 1);
    }
    case "ready":
      for (const warning of opened.warnings) out.talk(`aura: ${warning}\n`);
      return opened.served;
  }
}

/** What is to run at once instead of at its time. */
function chosenNow({ schedules }: ServedDir, { once, now }: ServeFlags): readonly Schedule[] | undefined {
  if (now.length === 0) return once ? schedules.filter(({ enabled }) => enabled) : undefined;
  return now.map((name) => {
    const found = schedules.find((schedule) => schedule.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    const known = schedules.map((schedule) => schedule.name).join(", ");
    throw new ExpectedStop(`serve: there is no schedule "${name}"; known: ${known || "none"}`);
  });
}

/** One run in the schedule's session. What goes wrong is told and does not end the others. */
async function runSchedule(
  served: ServedDir,
  schedule: Schedule,
  { approve }: ServeFlags,
  all: Outputs,
  stop: AbortSignal,
): Promise<number> {
  const out = named(schedule.name, all);
  try {
    const opened = await openConversation({ ...served.optionsFor(schedule), ignoreApprovals: approve === "none" });
    if (opened.kind === "refused") {
      out.talk(`${opened.problem}\n`);
      return 1;
    }
    try {
      for (const note of opened.notes) out.talk(`${note}\n`);
      const { exitCode } = await createHeadless({
        prompts: [schedule.prompt],
        approve: approve === "all" ? "all" : "none",
        writer: createTextWriter(out, { live: false, verbose: false }),
        stop,
      }).run(opened.conversation);
      return exitCode;
    } finally {
      await opened.conversation.close();
    }
  } catch (error) {
    out.talk(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** Several may run at once: every line begins with whose it is. */
function named(name: string, out: Outputs): Outputs {
  const mark = (text: string) => text.replace(/^(?=.)/gm, `[${name}] `);
  return { data: (text) => out.data(mark(text)), talk: (text) => out.talk(mark(text)) };
}
