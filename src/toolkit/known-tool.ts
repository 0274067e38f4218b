import type { Tool } from "./tool.ts";

/** A place in a file, for explanations. */
export interface Written<T> {
  readonly value: T;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
}

/** How the model gets at a tool: its schema in every request, on request (LoadTools), or on disk behind a proxy. */
export type Visibility = "eager" | "deferred" | "proxied";

/** A tool a conversation knows, with what its source says about offering it. The filter decides the rest. */
export interface KnownTool {
  readonly tool: Tool;
  /** Words for a person: `built-in`, `mcp:github`, `script:.aura/tools/find.md`, `meta`. */
  readonly source: string;
  /** Other names that filters and rules match it by: `github__search` for `mcp__github__search`. */
  readonly aliases?: readonly string[];
  /** The MCP server it comes from, for LoadTools and for the index of deferred tools. */
  readonly server?: string;
  /** Why it cannot be offered at all right now: a missing binary, a server that is down, an untrusted file. */
  readonly unavailable?: Written<string>;
  /** Of its source (a server's, a plugin's); one in a tool definition wins. */
  readonly condition?: Written<string>;
  /** Hidden unless an enabled list names it. */
  readonly optIn?: boolean;
  /** Default: eager. With the words for why, when it is not. */
  readonly visibility?: { readonly kind: Visibility; readonly because: Written<string> };
  /**
   * The way to tools that are not eager (LoadTools, the proxy's call): offered exactly while there are such tools. Any
   * allow list that lets one of those through implies it; a deny list, an opt-in and a condition bind it as any other.
   */
  readonly reaches?: "deferred" | "proxied";
}

/** A server that nothing is known of, so that none of its tools can be told. */
export interface AbsentServer {
  readonly server: string;
  readonly because: Written<string>;
}

/** One of the places tools come from. What it knows may change while the conversation lives. */
export interface ToolSource {
  /** What it knows comes from MCP servers. */
  readonly ofServers?: true;
  /** Cheap: asked at the start of every turn, and whenever something changed. */
  known(): readonly KnownTool[];
  /** When what it knows is complete, as far as it will be: servers have answered or failed. Absent: it always is. */
  settled?(): Promise<void>;
}
