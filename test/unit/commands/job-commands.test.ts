import { expect, test } from "vitest";
import { createCommands } from "../../../src/commands/registry.ts";
import { fakeControls, fakeWorld } from "../../helpers/fake-controls.ts";

const run = (line: string, jobs: Parameters<typeof fakeWorld>[0] = {}) =>
  createCommands().run(line, fakeControls(fakeWorld(jobs)));

test("/jobs lists what runs in the background, for how long, and what ended", async () => {
  expect(await run("/jobs")).toMatchObject({ text: "Nothing runs in the background." });
  const jobs = [
    { id: "b1", command: "npm run dev", state: "running", ms: 65_000 },
    { id: "b2", command: "false", state: "ended with exit code 1", ms: 0 },
  ];
  expect(await run("/jobs", { jobs })).toEqual({
    text: "b1  running for 1m5s  npm run dev\nb2  ended with exit code 1  false\n/jobs <id> shows what one printed, /jobs stop <id> ends it.",
    data: jobs,
  });
});

test("/jobs shows what one printed, and stops one", async () => {
  expect(await run("/jobs b1")).toEqual({ text: "output of b1" });
  expect(await run("/jobs stop b1")).toEqual({ text: "stopped b1" });
  for (const line of ["/jobs stop", "/jobs b1 b2", "/jobs stop b1 b2"])
    expect(await run(line)).toMatchObject({ failed: true, text: expect.stringContaining("usage: /jobs") });
});
