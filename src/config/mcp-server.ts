/** How a server is reached. `in-memory` servers are ours, inside this process. */
export type Transport = "stdio" | "http" | "sse" | "in-memory";

/** The one neutral form of an MCP server, whatever file it was written in. Values are as written, unexpanded. */
export interface ServerDef {
  /** Lower case; letters, digits, `-` and single `_`. */
  readonly name: string;
  readonly transport: Transport;
  readonly description?: string;
  /** `stdio`. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** `http` and `sse`. */
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `in-memory`: what its factory takes beside `args`. */
  readonly input?: unknown;
  /** Bare tool names or patterns; at most one of the two lists is there. */
  readonly enabledTools?: readonly string[];
  readonly disabledTools?: readonly string[];
  readonly deferred: boolean;
  readonly proxy: boolean;
  readonly disabled: boolean;
  readonly condition?: string;
  /** Milliseconds to connect; default 10,000. */
  readonly timeout: number;
  /** Milliseconds one call may take without progress; default 1,200,000. */
  readonly callTimeout: number;
  /** Where an export of it belongs. */
  readonly scope: "project" | "user";
  /** Where it is written, for messages. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
}

/** Where a definition is written. */
export interface ServerPlace {
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
}

/** Codes that CI and people can act on (other-systems 9). */
export type ServerErrorCode =
  | "both-filters"
  | "stdio-no-command"
  | "remote-no-url"
  | "unknown-transport"
  | "unknown-field"
  | "bad-name"
  | "reserved-name"
  | "env-missing"
  | "parse-error";

export interface ServerError {
  readonly code: ServerErrorCode;
  readonly server?: string;
  /** Names the field or variable, the file and the line. */
  readonly message: string;
}

/** What a file of another tool cannot say, or what a definition says to no effect (other-systems 9, and ours). */
export type ServerWarningCode =
  | "filter-unenforced"
  | "filter-dropped"
  | "filters-collapsed"
  | "sse-deprecated"
  | "sse-as-http"
  | "sse-as-remote"
  | "env-default-lost"
  | "env-not-portable"
  | "env-not-expanded"
  | "disabled-omitted"
  | "input-to-env"
  | "command-ignored"
  /** Ours: a setting the other side has no word for. */
  | "field-dropped"
  /** Ours: an in-process server is reached as `aura mcp serve NAME`. */
  | "in-memory-as-stdio"
  /** Ours: a text that looks like a secret instead of a reference to one. */
  | "literal-secret"
  /** Ours: both deferred and proxy. */
  | "proxied-wins";

export interface ServerWarning {
  readonly code: ServerWarningCode;
  readonly server?: string;
  readonly message: string;
}
