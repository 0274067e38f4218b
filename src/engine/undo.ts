import type { PathChange } from "../protocol/file-change.ts";
import { type Message, textOf } from "../protocol/message.ts";
import type { OpenTurn, SavedTurn, SavedUndo, UndoStep } from "../sessions/saved-undo.ts";
import type { ChangingTurn } from "../sessions/session-record.ts";
import type { Hooks } from "../toolkit/hooks.ts";
import type { Tool } from "../toolkit/tool.ts";
import type { TurnRecorder } from "../workspace/turn-recorder.ts";
import type { Engine } from "./engine.ts";
import { SKILL_TRIGGERS } from "./skill-triggers.ts";

/**
 * What each turn of a conversation changed on disk, as its log tells it. Agents that are set to work share it with the
 * one a person talks to. Until something is about to be changed it costs nothing.
 */
export class Undo {
  readonly #engine: Engine;
  #turns: SavedTurn[] = [];
  #undone = new Set<number>();
  #redo: UndoStep[] = [];
  /** The turn that runs now. */
  #current: ChangingTurn | undefined;
  #changing: Changing | undefined;
  /** One of an earlier process that did not end. */
  #broken: OpenTurn | undefined;
  #opening: Promise<Opened> | undefined;
  #settling: Promise<Opened> | undefined;
  #isTold = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Oldest first, those whose changes were taken back included. */
  get turns(): readonly SavedTurn[] {
    return this.#turns;
  }

  get undone(): ReadonlySet<number> {
    return this.#undone;
  }

  get redo(): readonly UndoStep[] {
    return this.#redo;
  }

  /** Goes on where a session was left. */
  restore(saved: SavedUndo | undefined): void {
    this.#turns = [...(saved?.turns ?? [])];
    this.#undone = new Set(saved?.undone);
    this.#redo = [...(saved?.redo ?? [])];
    this.#broken = saved?.open;
    this.#settling = undefined;
    this.#current = undefined;
    this.#changing = undefined;
  }

  begin(turn: number, message: Message): void {
    const [prompt = ""] = textOf(message).trim().split("\n");
    this.#current = { turn, message: message.id, prompt: prompt.slice(0, 120), at: message.at };
    if (this.#redo.length === 0) return;
    this.#redo = [];
    this.#engine.session.log.append({ type: "redo-lost" });
    const text = "A new turn begins: what was undone can no longer be brought back with /redo.";
    this.#engine.emit({ type: "notice", level: "info", text });
  }

  /** Before calls run: those that may change any file are preceded by a look at all of them. */
  async beforeCalls(
    calls: readonly { readonly tool: Tool; readonly input: unknown }[],
    hooks: readonly Hooks[],
  ): Promise<void> {
    const hooked = hooks.some(runsPrograms);
    const mayChange = calls.some(({ tool }) => tool.changes !== "nothing");
    if (!this.#current || !mayChange || this.#changing?.tree) return;
    if (!hooked && !(await this.#mayChangeAnything(calls))) return;
    await this.#attempt(async ({ recorder, looksAround }, current) => {
      if (!looksAround) return;
      const changing = await this.#beginChanging();
      if (changing.tree) return;
      const tree = await sayingWhenSlow(this.#engine, recorder.beforeAnything());
      changing.tree = true;
      this.#engine.session.log.append({ type: "changing", ...current, tree });
    });
  }

  /** Before one of our own tools changes these files. */
  async beforeFiles(paths: readonly string[]): Promise<void> {
    if (!this.#current) return;
    await this.#attempt(async ({ recorder }, current) => {
      await this.#beginChanging();
      const told = await recorder.beforeFiles(paths);
      if (told.length === 0) return;
      const at = Date.now();
      const dated = told.map((path) => ({ ...path, at }));
      this.#engine.session.log.append({ type: "changing", ...current, paths: dated });
    });
  }

  /** The turn is over, and all its calls with it. */
  async end(): Promise<void> {
    const changing = this.#changing;
    if (changing)
      await this.#attempt(async ({ recorder, root }, current) => {
        const changes = await recorder.end();
        this.#record(current, changes, changing.git, await gitOf(root));
      });
    this.#current = undefined;
    this.#changing = undefined;
  }

  /** The folder and what is kept of it; a turn that was broken off is told apart from what came later first. */
  open(): Promise<Opened> {
    this.#settling ??= this.#settle();
    return this.#settling;
  }

  async #settle(): Promise<Opened> {
    this.#opening ??= openRecorder(this.#engine);
    const opened = await this.#opening;
    const broken = this.#broken;
    this.#broken = undefined;
    if (broken) {
      const { tree, paths, ...turn } = broken;
      const changes = await opened.recorder.sinceBroken({ paths, ...(tree !== undefined && { tree }) });
      this.#record(turn, changes);
    }
    return opened;
  }

  took(step: UndoStep): void {
    for (const turn of step.turns) this.#undone.add(turn);
    this.#redo.push(step);
    const dropped = step.messages.map(({ id }) => id);
    this.#engine.session.log.append({ type: "undone", turns: step.turns, changes: step.changes, dropped });
  }

  brought(): void {
    for (const turn of this.#redo.pop()?.turns ?? []) this.#undone.delete(turn);
    this.#engine.session.log.append({ type: "redone" });
  }

  async close(): Promise<void> {
    (await this.#opening?.catch(() => undefined))?.recorder.close();
  }

  async #mayChangeAnything(calls: readonly { readonly tool: Tool; readonly input: unknown }[]): Promise<boolean> {
    const { readsOnly } = await import("./reads-only.ts");
    for (const { tool, input } of calls)
      if (tool.changes === undefined && !tool.passesOn && !(await readsOnly(this.#engine, tool, input))) return true;
    return false;
  }

  async #beginChanging(): Promise<Changing> {
    if (this.#changing) return this.#changing;
    const git = await gitOf((await this.open()).root);
    this.#changing ??= { tree: false, git };
    return this.#changing;
  }

  #record(turn: ChangingTurn, changes: readonly PathChange[], was?: Git, is?: Git) {
    const [before, after] = [was?.head, is?.head];
    const git = before !== undefined && after !== undefined && before !== after ? { git: { before, after } } : {};
    const staged = was?.index === is?.index ? {} : ({ staged: true } as const);
    const { message, prompt, at } = turn;
    const saved = { turn: turn.turn, message, prompt, at, changes, ...git, ...staged };
    if (changes.length > 0 || "git" in git) this.#turns.push(saved);
    this.#engine.session.log.append({ type: "changes", ...saved });
  }

  /** Without undo a turn still goes on, and says so. */
  async #attempt(work: (opened: Opened, current: ChangingTurn) => Promise<void>): Promise<void> {
    const current = this.#current;
    if (!current) return;
    try {
      await work(await this.open(), current);
    } catch (error) {
      this.#engine.debug("undo", error);
      if (this.#isTold) return;
      this.#isTold = true;
      const reason = error instanceof Error ? error.message : String(error);
      this.#engine.emit({ type: "notice", level: "warn", text: `/undo may not cover what happens here: ${reason}` });
    }
  }
}

/** How far the turn that runs has been looked into. */
interface Changing {
  tree: boolean;
  /** Before it began. */
  readonly git: Git;
}

/** What is told of git's own folder, which is not taken back. */
interface Git {
  readonly head: string | undefined;
  readonly index: string | undefined;
}

async function gitOf(root: string): Promise<Git> {
  const { gitHead, gitIndexMark } = await import("../workspace/git-head.ts");
  return { head: await gitHead(root), index: await gitIndexMark(root) };
}

export interface Opened {
  readonly root: string;
  readonly recorder: TurnRecorder;
  /** False where the folder holds a person's whole home: then only what our own tools change is known. */
  readonly looksAround: boolean;
}

const SLOW_MS = 2_000;

async function sayingWhenSlow<T>(engine: Engine, work: Promise<T>): Promise<T> {
  const text = "Keeping a copy of this folder's files for /undo: a large folder takes a moment the first time.";
  const timer = setTimeout(() => engine.emit({ type: "notice", level: "info", text }), SLOW_MS);
  return work.finally(() => clearTimeout(timer));
}

/** A person's hooks may run anything around any call; ours only read. */
const runsPrograms = ({ name, preHook, postHook, diagnose, beforeTool, afterTool }: Hooks) =>
  name !== SKILL_TRIGGERS && [preHook, postHook, diagnose, beforeTool, afterTool].some((point) => point !== undefined);

async function openRecorder(engine: Engine): Promise<Opened> {
  const { openUndoStore } = await import("./open-undo-store.ts");
  return openUndoStore(engine);
}
