import type { PickItem, Preview } from "../protocol/request.ts";
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
  readonly mcp: McpControls;
  readonly delegation: DelegationControls;
  readonly undo: UndoControls;
  readonly jobs: JobControls;
  /** Somebody is there to be asked. */
  readonly isAttended: boolean;
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
  /** As of now: conditions are asked, and sources looked at again. */
  decided(): Promise<readonly ToolStatus[]>;
  readonly todos: string;
  /** Parses an edited list; throws with the line that is wrong. */
  replaceTodos(text: string): void;
}

export interface PolicyControls {
  describe(): string;
  /** The verdict on a shell command nobody runs, with everything that leads to it. */
  explainCommand(command: string): Promise<string>;
  readonly readBefore: { readonly write: boolean; readonly delete: boolean };
  setReadBefore(what: "write" | "delete" | "all", on: boolean): void;
  readonly sandbox: {
    /** What was asked for, what is enforced and by what; finds that out when nobody asked before. */
    describe(): Promise<string>;
    set(on: boolean): void;
  };
  /** Runs a command on a copy, shows what it did there and throws that away. */
  dry(command: string): Promise<{ readonly preview: Preview; readonly text: string }>;
}

export interface ContextControls {
  readonly usage: { readonly used: number; readonly window?: number; readonly messages: number };
  /** Returns a sentence about what happened. */
  compact(): Promise<string>;
  drop(count: number | "all"): number;
  insert(role: "system" | "user" | "assistant", text: string): void;
  setWindow(tokens: number): void;
}

export type UndoWhat = "code" | "messages" | "both";

/** A prompt to go back to before. */
export interface UndoPoint {
  readonly id: string;
  /** Its first line. */
  readonly prompt: string;
  /** What its turn changed on disk. */
  readonly paths: readonly string[];
  /** False when it is no longer in the conversation. */
  readonly hasMessages: boolean;
}

export interface UndoControls {
  /** Newest first. */
  points(): Promise<readonly UndoPoint[]>;
  /** Takes back that turn and all after it. Returns what happened, in lines. */
  undo(id: string, what: UndoWhat): Promise<string>;
  redo(): Promise<string>;
  /** Unified diffs; "" when nothing was changed. */
  diff(which: "session" | "last"): Promise<string>;
}

/** An agent that was set to work. */
export interface ChildSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: "running" | "done" | "failed" | "cancelled";
  readonly error?: string;
  readonly calls: number;
}

export interface DelegationControls {
  readonly children: readonly ChildSummary[];
  /** What one was told, said and did, as a text to read. */
  transcript(id: string): string;
  readonly skills: readonly { readonly name: string; readonly description: string; readonly from: string }[];
  readonly done: boolean;
  /** Throws where a filter keeps the tool out. */
  setDone(on: boolean): void;
}

/** One MCP server, for a list. */
export interface McpServerLine {
  readonly name: string;
  readonly transport: string;
  readonly state: "idle" | "connecting" | "connected" | "needs-auth" | "failed" | "crashed" | "disabled";
  /** One line; more for a failure that said more. */
  readonly words: string;
  readonly tools: number;
  /** Estimated tokens of its schemas, and whether every request carries them. */
  readonly cost?: { readonly tokens: number; readonly visibility: "eager" | "deferred" | "proxied" };
  readonly file?: string;
}

export interface McpControls {
  list(): Promise<readonly McpServerLine[]>;
  readonly costs: readonly {
    readonly name: string;
    readonly tools: number;
    readonly tokens: number;
    readonly visibility: "eager" | "deferred" | "proxied";
  }[];
  /** One server, or all. Returns a line each. */
  reconnect(name: string | undefined): Promise<string>;
  /** Begins a sign-in and returns at once; what comes of it is told as notices. */
  auth(name: string, how: "auto" | "device"): Promise<string>;
}

/** A command in the background, for a list. */
export interface JobLine {
  readonly id: string;
  /** One line. */
  readonly command: string;
  readonly state: string;
  /** How long it has been running; 0 when it ended. */
  readonly ms: number;
}

export interface JobControls {
  list(): readonly JobLine[];
  /** What is kept of its output, under a line about it. */
  output(id: string): string;
  /** Returns a sentence. */
  stop(id: string): Promise<string>;
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
