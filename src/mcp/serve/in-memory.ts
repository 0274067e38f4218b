import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ServerDef } from "../../config/mcp-server.ts";
import type { KnownTool } from "../../toolkit/known-tool.ts";
import type { ServedPrompt } from "./served-server.ts";

/** One of our in-process servers, running, as the client sees it. */
export interface OpenedInMemory {
  /** The client's end of a linked pair; not started yet. */
  readonly transport: Transport;
  /**
   * Completes what the client made of one listed tool, by its bare name: its input check, paths, preview, read-before
   * check and the built-in it amounts to. Every tool of an in-memory server is offered only as this returns it. While
   * it runs, the server knows what the call may touch by the id under `_meta[CALL_ID]` of the request.
   */
  dress(known: KnownTool, bareName: string): KnownTool;
  close(): Promise<void>;
}

/** @throws Error for a name that is none of ours, and for arguments it does not take; the message names them */
export type OpenInMemory = (def: ServerDef) => Promise<OpenedInMemory>;

/** The in-process servers of one conversation. `dress` and `absent` also answer before a server is open. */
export interface InMemoryServers {
  readonly open: OpenInMemory;
  dress(def: ServerDef, known: KnownTool, bareName: string): KnownTool;
  /** What a person may start by name. */
  prompts(def: ServerDef): Promise<readonly ServedPrompt[]>;
  /** Tools the server will have once what they stand on exists, as tools that cannot be called. */
  absent(def: ServerDef): readonly KnownTool[];
}
