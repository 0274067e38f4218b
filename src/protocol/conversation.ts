import type { Event } from "./event.ts";
import type { Intent } from "./intent.ts";

export interface Suggestion {
  /** What replaces the input from `from` to the cursor. */
  readonly text: string;
  readonly from: number;
  /** What may follow it, such as a command's arguments. */
  readonly hint?: string;
  /** What a list shows instead of `text`, for example a bare path. */
  readonly label?: string;
  /** One line about it, for a list. */
  readonly about?: string;
}

/** The one thing a front end holds. */
export interface Conversation {
  readonly id: string;
  /** Starts with an `opened` snapshot, so a late subscriber misses nothing. Ends after `closed`. */
  events(): AsyncIterable<Event>;
  send(intent: Intent): void;
  /**
   * Completions for the input line: commands, paths, agents, models. Where all of them take a moment, `early` is told
   * those found until then.
   */
  suggest(line: string, cursor: number, early?: (found: readonly Suggestion[]) => void): Promise<readonly Suggestion[]>;
  /** Cancels what runs, settles every call, and resolves when nothing of ours is left running. */
  close(): Promise<void>;
}

/** The one thing a front end is. */
export interface FrontEnd {
  run(conversation: Conversation): Promise<{ exitCode: number }>;
}
