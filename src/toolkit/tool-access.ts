import type { Preview, RequestKind, RequestTypes } from "../protocol/request.ts";
import type { ToolCall } from "../protocol/tool-call.ts";
import type { Jobs } from "../shell/jobs.ts";
import type { ExecOptions, ExecResult, Shell } from "../shell/shell.ts";
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
  /** A program the tool starts itself, as the leader of its group: ended if we die. Call the result when it has ended. */
  guardProcess?(pid: number): () => void;
  /** Absent where nothing can run in the background. */
  readonly jobs?: Jobs;
  /** Absent where commands are never tried before they are allowed. */
  readonly trial?: CommandTrial;
  readonly settings: ToolSettings;
  /** Estimated tokens of a text. */
  estimate(text: string): number;
  /** A line for screens while the call runs; throttled further up. */
  print(line: string): void;
  /** Applies `bash.rewrite`; throws when the template is wrong. */
  rewrite(command: string): Promise<string>;
  ask<K extends RequestKind>(kind: K, ask: RequestTypes[K]["ask"]): Promise<RequestTypes[K]["answer"]>;
  /**
   * Runs other calls through the whole pipeline, as children of this one; results in the order given. With `mayAsk`
   * a call that needs a person's yes opens its dialog; without, it is handed back refused.
   */
  callTools(
    calls: readonly { readonly tool: string; readonly input: unknown }[],
    options?: NestedCalls,
  ): Promise<readonly ToolCall[]>;
}

/** One call's command, tried on a copy of the workspace before anybody said yes. */
export interface CommandTrial {
  /** What it would do; undefined when only its text tells. */
  preview(script: string, options: ExecOptions): Promise<Preview | undefined>;
  /**
   * After a yes: does to the workspace exactly what was shown. Undefined when nothing was tried, so that the command
   * has to be run. Throws, with nothing done, when a file changed meanwhile.
   */
  keep(): Promise<ExecResult | undefined>;
  /** After a no. */
  discard(): Promise<void>;
}

/** How calls under another call are run. */
export interface NestedCalls {
  readonly mayAsk?: boolean;
  /** Named in their dialogs as who wants the call. */
  readonly who?: string;
  /** Ends them early, besides the end of the turn. */
  readonly signal?: AbortSignal;
  /** A person is being asked about one of them, until `answered` settles. */
  asked?(answered: Promise<unknown>): void;
}
