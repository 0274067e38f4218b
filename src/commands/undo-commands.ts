import { type Command, UsageError } from "./command.ts";
import type { Controls, UndoPoint, UndoWhat } from "./controls.ts";

export const undoCommands: readonly Command[] = [
  {
    name: "undo",
    aliases: ["rewind"],
    group: "session",
    about: "Take back a turn and all after it: what it changed on disk, what was said, or both",
    hints: "[last|<number of turns>] [code|messages|both]",
    async run([which, what, ...rest], controls) {
      if (rest.length > 0 || (what !== undefined && !isWhat(what))) throw new UsageError();
      const points = await controls.undo.points();
      if (points.length === 0) return { text: "There is no turn to take back." };
      const point = which === undefined ? await choosePoint(points, controls) : pointOf(which, what, points);
      if (point === undefined) return { text: "Nothing was taken back. Without a screen: /undo last", failed: false };
      const chosen = what ?? (which === undefined ? await chooseWhat(point, points, controls) : "both");
      if (chosen === undefined) return { text: "Nothing was taken back." };
      return { text: await controls.undo.undo(point.id, chosen) };
    },
  },
  {
    name: "redo",
    group: "session",
    about: "Bring back what the last /undo took back",
    async run(args, { undo }) {
      if (args.length > 0) throw new UsageError();
      return { text: await undo.redo() };
    },
  },
  {
    name: "diff",
    group: "session",
    about: "Show what this session changed on disk",
    hints: "[last]",
    async run([which, ...rest], { undo }) {
      if (rest.length > 0 || (which !== undefined && which !== "last")) throw new UsageError();
      const text = await undo.diff(which ?? "session");
      if (text !== "") return { text };
      return { text: which === "last" ? "No turn has changed any file." : "This session has not changed any file." };
    },
  },
];

const isWhat = (word: string): word is UndoWhat => word === "code" || word === "messages" || word === "both";

/** `last`, or how many turns to go back; counting those that changed files when only files are wanted. */
function pointOf(which: string, what: UndoWhat | undefined, points: readonly UndoPoint[]): UndoPoint {
  const count = which === "last" ? 1 : Number(which);
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`"${which}" is no number of turns`);
  const fitting = what === "code" ? points.filter(({ paths }) => paths.length > 0) : points;
  const point = fitting[count - 1];
  if (!point) throw new Error(`there are only ${fitting.length} turns to take back`);
  return point;
}

async function choosePoint(points: readonly UndoPoint[], { pick }: Controls): Promise<UndoPoint | undefined> {
  const items = points.map(({ id, prompt, paths }) => ({
    id,
    label: prompt || "(no words)",
    description: filesOf(paths.length),
    preview: [prompt, filesOf(paths.length), ...paths.slice(0, 20)].join("\n"),
  }));
  const chosen = await pick("Go back to before which prompt?", items);
  return points.find(({ id }) => id === chosen);
}

async function chooseWhat(
  point: UndoPoint,
  points: readonly UndoPoint[],
  { pick }: Controls,
): Promise<UndoWhat | undefined> {
  const files = points.slice(0, points.indexOf(point) + 1).flatMap(({ paths }) => paths);
  const hasCode = files.length > 0;
  if (!hasCode || !point.hasMessages) return hasCode ? "code" : "messages";
  const count = filesOf(new Set(files).size);
  const chosen = await pick("Take back what?", [
    { id: "both", label: "both", description: `${count}, and what was said since` },
    { id: "code", label: "code", description: `${count}; the conversation stays` },
    { id: "messages", label: "messages", description: "what was said since; files stay as they are" },
  ]);
  return chosen !== null && isWhat(chosen) ? chosen : undefined;
}

const filesOf = (count: number) => (count === 0 ? "no files changed" : count === 1 ? "1 file" : `${count} files`);
