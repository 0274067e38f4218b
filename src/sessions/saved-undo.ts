import type { PathChange } from "../protocol/file-change.ts";
import type { Message } from "../protocol/message.ts";
import type { SessionRecord } from "./session-record.ts";

/** One turn that changed files. */
export interface SavedTurn {
  readonly turn: number;
  /** The prompt it began with. */
  readonly message: string;
  /** That prompt's first line. */
  readonly prompt: string;
  /** ISO 8601. */
  readonly at: string;
  readonly changes: readonly PathChange[];
  /** Where git's HEAD stood before and after, when the turn moved it. */
  readonly git?: { readonly before: string; readonly after: string };
  /** What is staged in git changed. */
  readonly staged?: true;
}

/** What one undo did, for redo. */
export interface UndoStep {
  /** Turns whose changes it took back. */
  readonly turns: readonly number[];
  readonly changes: readonly PathChange[];
  /** What it took out of the conversation. */
  readonly messages: readonly Message[];
}

/** A turn that was broken off by the end of its process. */
export interface OpenTurn extends Omit<SavedTurn, "changes"> {
  /** Under which name the folder, as it was, is kept. */
  readonly tree?: string;
  readonly paths: readonly (PathChange & { readonly at: number })[];
}

export interface SavedUndo {
  readonly turns: readonly SavedTurn[];
  /** Numbers of turns whose changes are taken back. */
  readonly undone: readonly number[];
  /** The last one first to be done again. */
  readonly redo: readonly UndoStep[];
  readonly open?: OpenTurn;
}

/** Gathers what can be taken back from the records of a session. */
export class UndoRebuild {
  #turns: SavedTurn[] = [];
  #undone = new Set<number>();
  #redo: UndoStep[] = [];
  #open: OpenTurn | undefined;

  /** @param messageOf a message as it is before this record */
  take(record: SessionRecord, messageOf: (id: string) => Message | undefined): void {
    switch (record.type) {
      case "changing": {
        const { type: _, paths = [], tree, ...turn } = record;
        const before = this.#open?.turn === turn.turn ? this.#open : undefined;
        const kept = tree ?? before?.tree;
        this.#open = {
          ...turn,
          paths: [...(before?.paths ?? []), ...paths],
          ...(kept !== undefined && { tree: kept }),
        };
        return;
      }
      case "changes": {
        const { type: _, ...turn } = record;
        this.#open = undefined;
        this.#turns.push(turn);
        return;
      }
      case "undone": {
        const messages = record.dropped.flatMap((id) => messageOf(id) ?? []);
        for (const turn of record.turns) this.#undone.add(turn);
        this.#redo.push({ turns: record.turns, changes: record.changes, messages });
        return;
      }
      case "redone":
        for (const turn of this.#redo.pop()?.turns ?? []) this.#undone.delete(turn);
        return;
      case "redo-lost":
        this.#redo = [];
        return;
      case "cleared":
        this.#turns = [];
        this.#undone.clear();
        this.#redo = [];
        this.#open = undefined;
        return;
    }
  }

  finish(): SavedUndo {
    return {
      turns: this.#turns,
      undone: [...this.#undone],
      redo: this.#redo,
      ...(this.#open && { open: this.#open }),
    };
  }
}
