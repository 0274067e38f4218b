import { expect, test } from "vitest";
import { customCommand, fillArguments } from "../../../src/commands/custom.ts";
import { createCommands } from "../../../src/commands/registry.ts";
import { fakeControls, fakeWorld } from "../../helpers/fake-controls.ts";

test.each([
  ["Fix $1 by $2.", ["#1"], "#1", "Fix #1 by $2."],
  ["All: $ARGUMENTS", ["a b", "c"], '"a b" c', 'All: "a b" c'],
  ["$1 and $1", ["$ARGUMENTS"], "$ARGUMENTS", "$ARGUMENTS and $ARGUMENTS"],
  ["$10 $0 $ARGUMENTSX", ["a"], "a", "$10 $0 $ARGUMENTSX"],
  ["No place.", ["a"], "a", "No place.\n\na"],
  ["No place.", [], "", "No place."],
])("%s with %j is %s", (text, args, rest, filled) => {
  expect(fillArguments(text, args, rest)).toBe(filled);
});

test("a command of a file sends its text, is listed, and gives way to a built-in and to an earlier one", async () => {
  const make = (name: string, text: string) => customCommand({ name, about: "mine", text: () => text });
  const commands = createCommands(() => [make("Fix", "Fix $1."), make("fix", "Other."), make("v", "Shadow.")]);
  const controls = fakeControls(fakeWorld());
  expect(await commands.run('/fix "one two"', controls)).toEqual({ prompt: "Fix one two." });
  expect((await commands.run("/v", controls)).text).toContain("Verbose");
  expect(commands.clashes).toEqual([
    "The command /fix of your files is left out: another one of yours has that name.",
    "The command /v of your files is left out: that is a built-in command.",
  ]);
  expect((await commands.run("/help", controls)).text).toMatch(/Yours:\n {2}\/fix +mine$/);
});

test("/task lists who was set to work and opens one by its number or id", async () => {
  const child = { id: "k1", name: "Helper", description: "look", status: "failed" as const, calls: 2, error: "lost" };
  const controls = fakeControls(
    fakeWorld({ children: [child, { ...child, id: "k2", description: "", status: "done" }] }),
  );
  const { run } = createCommands();
  expect((await run("/task", controls)).text).toBe(
    "Tasks:\n  1. Helper: look (failed, 2 calls, lost)\n  2. Helper (done, 2 calls, lost)",
  );
  expect((await run("/task 2", controls)).text).toBe("transcript of k2");
  expect((await run("/task k1", controls)).text).toBe("transcript of k1");
  expect(await run("/task 3", controls)).toEqual({ failed: true, text: "there is no task 3: /task lists them" });
  expect((await run("/task", fakeControls(fakeWorld()))).text).toBe("No tasks");
});

test("/done and /set done switch the tool", async () => {
  const world = fakeWorld();
  const { run } = createCommands();
  expect((await run("/done", fakeControls(world))).text).toBe("Done: disabled");
  expect((await run("/done on", fakeControls(world))).text).toBe("Done: enabled");
  await run("/set done=off", fakeControls(world));
  expect(world.done).toBe(false);
  expect(await run("/done maybe", fakeControls(world))).toMatchObject({ failed: true });
});
