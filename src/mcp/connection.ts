import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ServerDef } from "../config/mcp-server.ts";
import type { LogLevel } from "../system/log.ts";
import type { ServerAnswer } from "./call-output.ts";
import type { Elicit } from "./elicit.ts";
import type { ListedTool } from "./manifest.ts";
import type { OAuthMemory } from "./oauth-memory.ts";
import type { ServerProcesses } from "./server-processes.ts";

/** One server that answered the handshake and listed its tools. */
export interface McpConnection {
  readonly instructions?: string;
  /** The newest list. */
  readonly tools: readonly ListedTool[];
  /** @throws Error when the server is gone, the call takes too long or is cancelled */
  call(tool: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<ServerAnswer>;
  /** Resolves when nothing of the server is left running. */
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Milliseconds without progress. */
  readonly timeout: number;
  readonly meta?: Readonly<Record<string, unknown>>;
  onProgress(line: string): void;
}

export type ConnectOutcome =
  | { readonly kind: "connected"; readonly connection: McpConnection }
  | { readonly kind: "needs-auth" }
  | { readonly kind: "failed"; readonly reason: string };

/** What a connection stands on and tells; the definition's references are expanded. */
export interface ConnectOptions {
  readonly def: ServerDef;
  /** Absolute. */
  readonly cwd: string;
  /** The environment of ours from which a server's own is made. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of ours that servers are told. */
  readonly version: string;
  readonly processes: ServerProcesses;
  /** The client's end of a pair; only for servers inside this process. */
  readonly inMemory?: Transport;
  /** Signed-in state of a remote server. */
  readonly oauth?: OAuthMemory;
  readonly signal: AbortSignal;
  readonly elicit: Elicit;
  log(level: LogLevel, text: string): void;
  /** The list of tools is another one now. */
  onTools(tools: readonly ListedTool[]): void;
  /** It ended without being asked to. */
  onClosed(reason: string): void;
}

/** Opens a connection. Must not throw: what goes wrong is an outcome. */
export type Connect = (options: ConnectOptions) => Promise<ConnectOutcome>;
