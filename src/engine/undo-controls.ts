import type { UndoControls, UndoPoint, UndoWhat } from "../commands/controls.ts";
import type { PathChange } from "../protocol/file-change.ts";
import { type Message, textOf } from "../protocol/message.ts";
import type { UndoStep } from "../sessions/saved-undo.ts";
import type { Engine } from "./engine.ts";
import { showSession } from "./switch-session.ts";

/** /undo, /redo and /diff, bound to a conversation. */
export function undoControls(engine: Engine, needIdle: (what: string) => void): UndoControls {
  return {
    async points() {
      await engine.undo.open();
      return pointsOf(engine);
    },
    async undo(id, what) {
      needIdle("/undo");
      await engine.undo.open();
      return undoTo(engine, id, what);
    },
    async redo() {
      needIdle("/redo");
      return redoLast(engine);
    },
    async diff(which) {
      const { recorder } = await engine.undo.open();
      const turns = presentTurns(engine);
      const wanted = which === "last" ? turns.slice(-1) : turns;
      const { netChanges } = await import("../workspace/net-changes.ts");
      const { showChanges } = await import("../workspace/show-changes.ts");
      const { isSecret } = await import("../policy/shell/protected-paths.ts");
      const { changes } = netChanges(wanted.map((turn) => turn.changes));
      return showChanges(changes, { contentOf: (hash) => recorder.contentOf(hash), isSecret });
    },
  };
}

const presentTurns = ({ undo }: Engine) => undo.turns.filter(({ turn }) => !undo.undone.has(turn));

/** Newest first: prompts that can be taken out of the conversation, and turns whose changes can be taken back. */
async function pointsOf(engine: Engine): Promise<readonly UndoPoint[]> {
  const { withoutFullFolders } = await import("../workspace/net-changes.ts");
  const turns = presentTurns(engine);
  const points = new Map<string, UndoPoint & { readonly at: string }>();
  for (const message of engine.session.history.messages) {
    if (message.role !== "user" || message.kind !== "normal") continue;
    const prompt = textOf(message).trim().split("\n")[0]?.slice(0, 120) ?? "";
    points.set(message.id, { id: message.id, prompt, at: message.at, paths: [], hasMessages: true });
  }
  for (const { message, prompt, at, changes } of turns) {
    const paths = withoutFullFolders(changes).map(({ path }) => path);
    points.set(message, { id: message, prompt, at, paths, hasMessages: points.has(message) });
  }
  return [...points.values()].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

async function undoTo(engine: Engine, id: string, what: UndoWhat): Promise<string> {
  const points = await pointsOf(engine);
  const at = points.findIndex((point) => point.id === id);
  if (at < 0) throw new Error("there is no such turn any more");
  const messages = new Set(points.slice(0, at + 1).map((point) => point.id));
  const turns = what === "messages" ? [] : presentTurns(engine).filter(({ message }) => messages.has(message));
  if (what === "code" && turns.length === 0) throw new Error("no file was changed since then");
  if (what === "messages" && !points[at]!.hasMessages)
    throw new Error("those messages are no longer in the conversation");

  const words: string[] = [];
  let changes: readonly PathChange[] = [];
  if (turns.length > 0) {
    const { netChanges } = await import("../workspace/net-changes.ts");
    const net = netChanges(turns.map((turn) => turn.changes));
    const restored = await restore(engine, net.changes);
    // Redo takes an undo back: it goes from what is now to what was.
    changes = [...restored.does, ...restored.already];
    words.push(
      ...restored.words,
      ...list("Changed by others between the turns; what came before that is kept", net.broken),
    );
    words.push(...aboutGit(turns), ...(await aboutRest(engine)));
  }
  const dropped = what === "code" ? [] : engine.session.history.dropFrom(id);
  const step: UndoStep = { turns: turns.map(({ turn }) => turn), changes, messages: dropped };
  engine.undo.took(step);
  if (dropped.length > 0) {
    showSession(engine);
    words.unshift(`Took ${prompts(dropped)} out of the conversation.`);
  } else if (changes.length > 0) tellModel(engine, "took back", changes);
  return [...words, "/redo brings it back, until the next prompt."].join("\n");
}

async function redoLast(engine: Engine): Promise<string> {
  const step = engine.undo.redo.at(-1);
  if (!step) throw new Error("there is nothing to redo: only what /undo took back since the last prompt can be");
  const words: string[] = [];
  if (step.changes.length > 0) words.push(...(await restore(engine, step.changes)).words);
  engine.undo.brought();
  if (step.messages.length > 0) {
    for (const message of step.messages) {
      engine.session.history.add(message);
      engine.session.log.append({ type: "message", message });
    }
    showSession(engine);
    words.unshift(`Brought ${prompts(step.messages)} back into the conversation.`);
  } else if (step.changes.length > 0) tellModel(engine, "made again", step.changes);
  return words.join("\n") || "Nothing had to be changed.";
}

/** Takes `changes` back, each from its `after` to its `before`, all or none. */
async function restore(engine: Engine, changes: readonly PathChange[]) {
  const { recorder, root } = await engine.undo.open();
  const { withoutFullFolders } = await import("../workspace/net-changes.ts");
  const { planRestore, fullPath } = await import("../workspace/restore.ts");
  const plan = await planRestore(root, changes, (hash) => recorder.contentOf(hash));
  await engine.services.files.exclusively(() => engine.services.applyTree(plan.changes));
  for (const { path } of plan.does) engine.services.reads.forget(fullPath(root, path));
  const told = withoutFullFolders(plan.does);
  const words = [
    ...list(
      "Deleted",
      told.filter(({ after }) => !after).map(({ path }) => path),
    ),
    ...list(
      "Brought back",
      told.filter(({ before }) => !before).map(({ path }) => path),
    ),
    ...list(
      "Restored",
      told.filter(({ before, after }) => before && after).map(({ path }) => path),
    ),
    ...list("Kept as they are, because they were changed since", plan.kept),
    ...list("Not restored, because their old content is not kept", plan.lost),
  ];
  return {
    does: plan.does,
    already: plan.already,
    words: words.length > 0 ? words : ["Every file is already as it was."],
  };
}

/** What was changed in git's own folder is not taken back; a person should know where that leaves them. */
function aboutGit(turns: ReturnType<typeof presentTurns>): readonly string[] {
  const moved = turns.find(({ git }) => git)?.git;
  const now = turns.findLast(({ git }) => git)?.git?.after;
  if (!moved || moved.before === now)
    return turns.some(({ staged }) => staged) ? ["What is staged in git stays as it is."] : [];
  return [`Commits, branches and the index of git stay as they are: HEAD was at ${moved.before}, now it is at ${now}.`];
}

/** What commands did elsewhere is not known, and so not taken back. */
async function aboutRest({ undo }: Engine): Promise<readonly string[]> {
  const { recorder, looksAround } = await undo.open();
  if (!looksAround) return ["What commands changed is not taken back here: this folder holds your home folder."];
  const skipped = [...recorder.skipped].filter(([path]) => !/(^|\/)\.git$/.test(path) && !path.startsWith(".aura/"));
  if (skipped.length === 0) return [];
  const shown = skipped.slice(0, 5).map(([path, why]) => `${path} (${why})`);
  const more = skipped.length > shown.length ? `, and ${skipped.length - shown.length} more` : "";
  return [`What commands changed there is not taken back: ${shown.join(", ")}${more}.`];
}

/** So that it does not go on as if its changes were still there. */
function tellModel(engine: Engine, did: "took back" | "made again", changes: readonly PathChange[]): void {
  const paths = changes.slice(0, 50).map(({ path }) => path);
  const more = changes.length > paths.length ? ` and ${changes.length - paths.length} more` : "";
  const what = did === "took back" ? "took back file changes of earlier turns" : "brought back the changes just undone";
  const text = `<system>\nThe user ${what}. Files that are different now: ${paths.join(", ")}${more}.\n</system>`;
  const message: Message = {
    id: engine.newId(),
    role: "user",
    kind: "synthetic",
    at: engine.timestamp(),
    parts: [{ type: "text", text }],
  };
  engine.session.history.insert(message);
  engine.emit({ type: "message-added", message });
}

const MOST_LISTED = 20;

function list(title: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, MOST_LISTED).map((path) => `  ${path}`);
  const more = paths.length - shown.length;
  return [`${title}:`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function prompts(messages: readonly Message[]): string {
  const count = messages.filter(({ role, kind }) => role === "user" && kind === "normal").length;
  return count === 1 ? "1 prompt with its replies" : `${count} prompts with their replies`;
}
