import { describe, expect, test } from "vitest";
import type { UndoPoint } from "../../../src/commands/controls.ts";
import { createCommands } from "../../../src/commands/registry.ts";
import { type FakeWorld, fakeControls, fakeWorld } from "../../helpers/fake-controls.ts";

const point = (id: string, ...paths: string[]): UndoPoint => ({ id, prompt: `do ${id}`, paths, hasMessages: true });
const POINTS = [point("m3"), point("m2", "a.txt", "b.txt"), point("m1", "a.txt")];

/** What a command does, with what a person picks, in order. */
async function run(line: string, world: Partial<FakeWorld>, ...picks: (string | null)[]) {
  const given = fakeWorld({ points: POINTS, ...world });
  const asked: string[] = [];
  const controls = {
    ...fakeControls(given),
    pick: async (title: string, items: readonly { label: string; description?: string }[]) => {
      asked.push(`${title} ${items.map(({ label, description }) => `${label} (${description})`).join(", ")}`);
      return picks.shift() ?? null;
    },
  };
  const { text, failed = false } = await createCommands().run(line, controls);
  return { text, failed, asked, undone: given.undone };
}

describe("/undo", () => {
  test("asks which turn and then what of it", async () => {
    expect(await run("/undo", {}, "m2", "code")).toEqual({
      text: "undone m2 code",
      failed: false,
      asked: [
        "Go back to before which prompt? do m3 (no files changed), do m2 (2 files), do m1 (1 file)",
        "Take back what? both (2 files, and what was said since), code (2 files; the conversation stays), messages (what was said since; files stay as they are)",
      ],
      undone: ["m2 code"],
    });
  });

  test("does not ask what where there is only one thing to take back", async () => {
    expect((await run("/rewind", {}, "m3")).undone).toEqual(["m3 messages"]);
    const gone = [{ ...point("m1", "a.txt"), hasMessages: false }];
    expect((await run("/undo", { points: gone }, "m1")).undone).toEqual(["m1 code"]);
  });

  test("does nothing when nobody chooses", async () => {
    expect(await run("/undo", {}, null)).toMatchObject({ undone: [], text: expect.stringContaining("/undo last") });
    expect(await run("/undo", {}, "m2", null)).toMatchObject({ undone: [], text: "Nothing was taken back." });
    expect(await run("/undo last", { points: [] })).toMatchObject({
      undone: [],
      text: "There is no turn to take back.",
    });
  });

  test("goes straight to a turn, counting those that changed files where only those matter", async () => {
    expect((await run("/undo last", {})).undone).toEqual(["m3 both"]);
    expect((await run("/undo 2 messages", {})).undone).toEqual(["m2 messages"]);
    expect((await run("/undo last code", {})).undone).toEqual(["m2 code"]);
    expect((await run("/undo 2 code", {})).undone).toEqual(["m1 code"]);
  });

  test("refuses what it cannot read or reach", async () => {
    expect(await run("/undo 4", {})).toMatchObject({ failed: true, text: "there are only 3 turns to take back" });
    for (const line of ["/undo soon", "/undo 0", "/undo last all", "/undo last code now"])
      expect(await run(line, {})).toMatchObject({
        failed: true,
        text: expect.stringContaining("usage: /undo"),
        undone: [],
      });
  });
});

test("/redo takes no arguments", async () => {
  expect(await run("/redo", {})).toMatchObject({ text: "redone", failed: false });
  expect(await run("/redo 2", {})).toMatchObject({ failed: true });
});

test("/diff shows the session or the last turn, and says when there is nothing", async () => {
  const diffs = { session: "--- a\n+++ a\n", last: "" };
  expect(await run("/diff", { diffs })).toMatchObject({ text: diffs.session });
  expect(await run("/diff last", { diffs })).toMatchObject({ text: "No turn has changed any file." });
  expect(await run("/diff", {})).toMatchObject({ text: "This session has not changed any file." });
  expect(await run("/diff all", {})).toMatchObject({ failed: true });
});
