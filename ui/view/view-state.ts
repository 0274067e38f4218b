import type { Level, TurnEnd } from "../../src/protocol/event.ts";
import type { Request } from "../../src/protocol/request.ts";
import type { Status } from "../../src/protocol/status.ts";
import type { TodoItem } from "../../src/protocol/todos.ts";
import type { BlockScan } from "./blocks.ts";
import type { Folded } from "./call-tree.ts";
import type { ShownCall } from "./shown-call.ts";

/** One thing a transcript shows. A finished item never changes again. */
export type Item =
  | { readonly kind: "prompt"; readonly key: string; readonly text: string; readonly synthetic: boolean }
  /** A part of a reply that ends at a Markdown block boundary; `first` opens the reply, `block` is `blockName`. */
  | {
      readonly kind: "reply";
      readonly key: string;
      readonly block: string;
      readonly text: string;
      readonly first: boolean;
    }
  | { readonly kind: "thinking"; readonly key: string; readonly text: string }
  | {
      readonly kind: "call";
      readonly key: string;
      readonly call: ShownCall;
      readonly depth: number;
      readonly folded?: Folded;
    }
  | {
      readonly kind: "command";
      readonly key: string;
      readonly line: string;
      readonly text: string;
      readonly failed: boolean;
    }
  | { readonly kind: "notice"; readonly key: string; readonly level: Level; readonly text: string }
  | { readonly kind: "bookmark"; readonly key: string; readonly text: string };

/** The reply that is streaming: only its unfinished end; finished blocks have become items. */
export interface LiveReply {
  readonly messageId: string;
  /** Source after the last finished block. */
  readonly text: string;
  readonly thinking: string;
  /** Number of blocks already finished. */
  readonly blocks: number;
  readonly scan: BlockScan;
}

/** The same for a block while it streams and when it has become an item. */
export function blockName(messageId: string, blocks: number): string {
  return `${messageId}:${blocks}`;
}

export interface Turn {
  readonly number: number;
  /** Set when it ended. */
  readonly end?: TurnEnd;
}

/** What an output is, so that a screen may colour it: `12: code` lines, or `path:12:text` lines of a search. */
export type OutputLook =
  | { readonly kind: "numbered-code"; readonly language: string }
  | { readonly kind: "matches"; readonly pattern: string; readonly ignoreCase: boolean }
  /** Unified diffs, with words around them. */
  | { readonly kind: "diff" };

/** The newest settled call's or command's output, whole, for the pager. */
export interface FullOutput {
  readonly title: string;
  readonly text: string;
  /** Where all of it is when `text` was shortened. */
  readonly file?: string;
  readonly look?: OutputLook;
}

/** What any screen shows. Finished items wait in `finished` until the screen has printed and drops them. */
export interface ViewState {
  readonly status: Status | undefined;
  readonly finished: readonly Item[];
  readonly reply: LiveReply | undefined;
  /** Calls in the order they were made; a settled one stays until all before it are settled. */
  readonly calls: readonly ShownCall[];
  readonly requests: readonly Request[];
  readonly queue: readonly string[];
  readonly todos: readonly TodoItem[];
  readonly turn: Turn | undefined;
  readonly lastOutput: FullOutput | undefined;
  /** Counts how often the screen was to be emptied. */
  readonly clears: number;
  readonly exiting: boolean;
  readonly closed: boolean;
  /** Numbers items. */
  readonly nextKey: number;
}

export const emptyView: ViewState = {
  status: undefined,
  finished: [],
  reply: undefined,
  calls: [],
  requests: [],
  queue: [],
  todos: [],
  turn: undefined,
  lastOutput: undefined,
  clears: 0,
  exiting: false,
  closed: false,
  nextKey: 0,
};
