import type { PickItem } from "../protocol/request.ts";
import type { ThinkLevel } from "../protocol/status.ts";
import type { SessionStats } from "../sessions/session-record.ts";
import type { ToolStatus } from "../toolkit/tool-set.ts";

/** What commands may do, in small groups, implemented once by the engine. Methods throw with a message for people. */
export interface Controls {
  readonly session: SessionControls;
  readonly agent: AgentControls;
  readonly model: ModelControls;
  readonly tools: ToolControls;
  readonly policy: PolicyControls;
  readonly context: ContextControls;
  readonly settings: SettingControls;
  /** Null when nobody chose, or nobody is there. */
  pick(title: string, items: readonly PickItem[]): Promise<string | null>;
  edit(title: string, text: string): Promise<string | null>;
}

export interface SessionControls {
  readonly id: string;
  readonly name: string | undefined;
  readonly title: string | undefined;
  list(): Promise<readonly PickItem[]>;
  /** Returns the title it is saved under. */
  save(title: string | undefined): Promise<string>;
  rename(name: string): Promise<string>;
  /** Returns the new title. */
  fork(title: string | undefined): Promise<string>;
  /** By id prefix or name. Returns the title and warnings. */
  resume(idPrefix: string): Promise<{ readonly title: string; readonly warnings: readonly string[] }>;
  /** Returns where it went. */
  export(format: "text" | "markdown" | "json" | "jsonl", path: string | undefined): Promise<string>;
  /** The text of the newest answer; undefined before the first. */
  lastAnswer(): string | undefined;
  clear(): Promise<void>;
  /** `cost` in US dollars, when every model used has a known price. */
  stats(): SessionStats & { readonly cost?: number };
  exit(): void;
}

export interface AgentControls {
  readonly current: string;
  readonly names: readonly { readonly name: string; readonly description: string }[];
  use(name: string): Promise<void>;
  readonly mode: string | undefined;
  readonly modes: readonly { readonly name: string; readonly description: string }[];
  useMode(name: string | undefined): Promise<void>;
  readonly think: ThinkLevel;
  setThink(level: ThinkLevel): void;
}

export interface ModelControls {
  /** `provider/model`. */
  readonly current: string;
  list(): Promise<readonly PickItem[]>;
  /** `model` or `provider/model`; returns `provider/model`. */
  use(reference: string): Promise<string>;
}

export interface ToolControls {
  readonly statuses: readonly ToolStatus[];
  readonly todos: string;
  /** Parses an edited list; throws with the line that is wrong. */
  replaceTodos(text: string): void;
}

export interface PolicyControls {
  describe(): string;
  readonly readBefore: { readonly write: boolean; readonly delete: boolean };
  setReadBefore(what: "write" | "delete" | "all", on: boolean): void;
}

export interface ContextControls {
  readonly usage: { readonly used: number; readonly window?: number; readonly messages: number };
  /** Returns a sentence about what happened. */
  compact(): Promise<string>;
  drop(count: number | "all"): number;
  insert(role: "system" | "user" | "assistant", text: string): void;
  setWindow(tokens: number): void;
}

export interface SettingControls {
  readonly verbose: boolean;
  setVerbose(on: boolean): void;
  readonly auto: boolean;
  setAuto(on: boolean): void;
  /** `/info`: what this conversation runs with, as YAML lines. */
  overview(): string;
  /** Trusts the project's own configuration from now on. Returns a sentence. */
  trust(): Promise<string>;
  /** Reads the configuration again from disk. */
  reload(): Promise<void>;
}
