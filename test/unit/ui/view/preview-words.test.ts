import { expect, test } from "vitest";
import { previewLines } from "../../../../ui/view/preview-words.ts";

const told = (preview: Parameters<typeof previewLines>[0]) => previewLines(preview).map(({ text }) => text);

test("what a command did on a copy is told by its changes, what to know beside them, and what it printed", () => {
  expect(
    told({
      title: "Tried on a copy: it changes 3 paths",
      kind: "run",
      changes: [
        { path: "a.ts", what: "modified", added: 1, removed: 2 },
        { path: "new\x1b[2J", from: "old", what: "renamed" },
        { path: "b", what: "deleted" },
      ],
      notes: ["in .git: what is staged"],
      output: "done\n\x1b[31mred\n",
    }),
  ).toEqual([
    "Tried on a copy: it changes 3 paths",
    "  changed a.ts  +1 -2",
    "  renamed old → new␛[2J",
    "  deleted b",
    "  in .git: what is staged",
    "It printed:",
    "  done",
    "  ␛[31mred",
  ]);
});

test("what was only read is told as what may be", () => {
  const changes = [{ path: "a", what: "modified" } as const, { path: "b", what: "deleted" } as const];
  expect(told({ title: "Not tried beforehand: it needs the network", kind: "judged", changes })).toEqual([
    "Not tried beforehand: it needs the network",
    "  may write a",
    "  may delete b",
  ]);
});

test("of many changes and lines the first and the last are told, with how many there are beside them", () => {
  const changes = Array.from({ length: 60 }, (_, at) => ({ path: `f${at}`, what: "added" as const }));
  const output = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
  const lines = told({ title: "t", kind: "simulated", changes, output });
  expect([lines.length, lines[50], lines[51], lines[72], lines[73], lines[74]]).toEqual([
    1 + 50 + 1 + 1 + 41,
    "  new f49",
    "  and 10 more",
    "  line 19",
    "  … 60 more lines …",
    "  line 80",
  ]);
});

test("a preview that is only a diff has nothing to tell beside it", () => {
  expect(previewLines({ title: "a.ts", diff: "--- a.ts\n" })).toEqual([]);
});
