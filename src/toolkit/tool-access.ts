import type { RequestKind, RequestTypes } from "../protocol/request.ts";
import type { ToolCall } from "../protocol/tool-call.ts";
import type { Shell } from "../shell/shell.ts";
import type { MemoryStore } from "../workspace/memory-store.ts";
import type { ProjectFiles } from "../workspace/project-files.ts";
import type { ReadTracker } from "../workspace/read-tracker.ts";
import type { TodoList } from "../workspace/todos.ts";

/** The settings a tool may read: the `tools` feature and what the session changed of it (aura 17.6). */
export interface ToolSettings {
  readonly readSmallFileTokens: number;
  readonly bash: {
    /** Default time limit of a command. */
    readonly timeoutMs: number;
    /** Per stream; 0 = no cap. */
    readonly maxOutputBytes: number;
    /** Go template over `.Command`; empty = none. */
    readonly rewrite: string;
  };
}

/** Everything one call may touch, and its only way upward. */
export interface ToolAccess {
  readonly callId: string;
  /** Absolute; relative paths of this call are joined to it. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly files: ProjectFiles;
  readonly reads: ReadTracker;
  readonly todos: TodoList;
  readonly memory: MemoryStore;
  readonly shell: Shell;
  readonly settings: ToolSettings;
  /** Estimated tokens of a text. */
  estimate(text: string): number;
  /** A line for screens while the call runs; throttled further up. */
  print(line: string): void;
  /** Applies `bash.rewrite`; throws when the template is wrong. */
  rewrite(command: string): Promise<string>;
  ask<K extends RequestKind>(kind: K, ask: RequestTypes[K]["ask"]): Promise<RequestTypes[K]["answer"]>;
  /** Runs other calls through the whole pipeline, as children of this one; results in the order given. */
  callTools(calls: readonly { readonly tool: string; readonly input: unknown }[]): Promise<readonly ToolCall[]>;
}
