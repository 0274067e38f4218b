import type { Message, Usage } from "./message.ts";
import type { Request } from "./request.ts";
import type { Status } from "./status.ts";
import type { Todos } from "./todos.ts";
import type { ToolCall } from "./tool-call.ts";

export type TurnEnd = "answered" | "done" | "cancelled" | "limit" | "failed";
export type Level = "info" | "warn" | "error";

/** One fact, already true, in the past tense. Every variant survives JSON. */
export type Event =
  | {
      readonly type: "opened";
      readonly status: Status;
      readonly history: readonly Message[];
      readonly calls: readonly ToolCall[];
      readonly pending: readonly Request[];
      readonly queue: readonly string[];
      readonly todos?: Todos;
    }
  | { readonly type: "status-changed"; readonly status: Status }
  | { readonly type: "turn-started"; readonly turn: number }
  | { readonly type: "message-added"; readonly message: Message }
  | { readonly type: "reply-started"; readonly messageId: string }
  | {
      readonly type: "reply-grew";
      readonly messageId: string;
      readonly kind: "text" | "thinking";
      readonly delta: string;
    }
  | { readonly type: "reply-finished"; readonly message: Message }
  /** The reply failed before or while it streamed and will be asked for again; what was shown is void. */
  | { readonly type: "reply-withdrawn"; readonly messageId: string; readonly reason: string }
  | { readonly type: "call-changed"; readonly call: ToolCall }
  | { readonly type: "call-printed"; readonly callId: string; readonly line: string }
  | { readonly type: "request-opened"; readonly request: Request }
  | { readonly type: "request-closed"; readonly requestId: string; readonly how: "answered" | "withdrawn" }
  | { readonly type: "queue-changed"; readonly queue: readonly string[] }
  | { readonly type: "todos-changed"; readonly todos: Todos }
  | {
      readonly type: "command-finished";
      readonly line: string;
      readonly text?: string;
      readonly failed: boolean;
      readonly data?: unknown;
      /** The command sent a prompt: a turn follows. */
      readonly startsTurn?: boolean;
    }
  /** The screen is to be emptied: /clear, /resume. `history` is what it shows next. */
  | { readonly type: "history-replaced"; readonly history: readonly Message[]; readonly calls: readonly ToolCall[] }
  | { readonly type: "compaction-finished"; readonly removed: number; readonly summary: string }
  | { readonly type: "notice"; readonly level: Level; readonly text: string }
  | {
      readonly type: "turn-finished";
      readonly turn: number;
      readonly reason: TurnEnd;
      readonly error?: string;
      readonly usage: Usage;
    }
  /** A command asked to leave. */
  | { readonly type: "exit-requested" }
  | { readonly type: "closed" };

export type EventOf<T extends Event["type"]> = Extract<Event, { type: T }>;
