// The MCP servers of one conversation: started in the background, known by their manifests before they run.
//
// - `ServerList` comes from `config/servers`; `expand(def)` turns one definition into what is really started.
// - In-memory servers come through `inMemory` (`serve/in-memory.ts`); a call to one carries its id as `_meta[CALL_ID]`.
// - `Servers` is a `ToolSource`: canonical names `mcp__<server>__<tool>`, alias `<server>__<tool>`, `server` set,
//   `unavailable` for the server filter, trust, sign-in and failures, `visibility` for deferred and proxied.
import type { ServerDef, ServerError } from "../config/mcp-server.ts";
import { describeTool } from "../toolkit/describe.ts";
import type { KnownTool, ToolSource } from "../toolkit/known-tool.ts";
import { at } from "./from-mcp.ts";
import { hashOfDefinition } from "./manifest.ts";
import { Server, type ServerHost } from "./server.ts";
import type { ServerStatus } from "./server-state.ts";

/** All servers that are configured, whatever file they were written in. */
export interface ServerList {
  readonly servers: readonly ServerDef[];
  readonly errors: readonly ServerError[];
}

export interface ServersOptions extends Omit<ServerHost, "takeTurn"> {
  /** Why a server must not be started: not trusted, switched off, not selected. */
  blocked(def: ServerDef): string | undefined;
  estimate(text: string): number;
  /** Tokens that the schemas of all servers may take in a request before whole servers are deferred. */
  budget(): number;
}

/** What a server adds to every request. */
export interface ServerCost {
  readonly name: string;
  readonly tools: number;
  /** Estimated, of the schemas in full. */
  readonly tokens: number;
  readonly visibility: "eager" | "deferred" | "proxied";
}

export interface Servers extends ToolSource {
  readonly statuses: readonly ServerStatus[];
  readonly costs: readonly ServerCost[];
  /** What servers want the model to know, in the order they are listed. */
  readonly instructions: readonly { readonly server: string; readonly text: string }[];
  find(name: string): Server | undefined;
  /** Takes the definitions in force from now on: those that changed are ended, what is new is recalled, not started. */
  use(list: ServerList): Promise<void>;
  /**
   * Starts servers: `new`, those nothing is known of; `stale`, also those of which that is old, or that they could not be
   * reached; `all`, also the known ones, but for those that are to wait for their first call.
   */
  start(which: "new" | "stale" | "all"): void;
  /** Starts every server that may be, and resolves when each has answered or failed. */
  settled(): Promise<void>;
  /** Resolves when every server that is looked at for the first time has answered or failed. */
  introduced(): Promise<void>;
  close(): Promise<void>;
}

/** Servers that may be starting at the same time (aura 22.3). */
const AT_ONCE = 16;

export function createServers(options: ServersOptions): Servers {
  const host: ServerHost = { ...options, takeTurn: turnstile(AT_ONCE) };
  let servers: readonly Entry[] = [];
  let closed = false;
  const live = () => servers.map(({ server }) => server);
  const visibilityOf = stickyVisibility(options);

  const connecting = (which: readonly Server[]) =>
    Promise.all(which.map((server) => server.connect().then(done, done))).then(done);

  return {
    ofServers: true,
    known: () => live().flatMap((server) => offered(server, visibilityOf(server))),
    get statuses() {
      return live().map(({ status }) => status);
    },
    get costs() {
      return live().flatMap((server) => {
        const known = server.known().filter(({ unavailable }) => unavailable === undefined);
        if (known.length === 0) return [];
        const visibility = visibilityOf(server)?.kind ?? "eager";
        return [{ name: server.def.name, tools: known.length, tokens: tokensOf(known, options), visibility }];
      });
    },
    get instructions() {
      return live().flatMap(({ def, instructions }) =>
        instructions?.trim() ? [{ server: def.name, text: instructions.trim() }] : [],
      );
    },
    find: (name) => live().find(({ def }) => def.name === name.toLowerCase()),
    async use(list) {
      const before = servers;
      const next = list.servers.map((def) => {
        const key = keyOf(def, options.blocked(def));
        return (
          before.find((entry) => entry.key === key) ?? { key, server: new Server(def, host, options.blocked(def)) }
        );
      });
      servers = next;
      const added = next.filter((entry) => !before.includes(entry));
      await Promise.all(added.map((entry) => entry.server.recall()));
      const left = before.filter((entry) => !next.includes(entry));
      if (added.length > 0 || left.length > 0) options.changed();
      // Not waited for: a server that will not go must not hold up a turn.
      for (const { server } of left) void server.close();
    },
    start(which) {
      if (closed) return;
      void connecting(live().filter((server) => isToStart(server, which)));
    },
    async settled() {
      await connecting(live().filter(({ state }) => state.kind !== "disabled" && state.kind !== "failed"));
    },
    async introduced() {
      await connecting(live().filter(({ state, past }) => state.kind === "connecting" && past === "unknown"));
    },
    async close() {
      closed = true;
      await Promise.all(live().map((server) => server.close()));
      await options.processes.close();
    },
  };
}

interface Entry {
  /** What it is made of: the same means that it may stay. */
  readonly key: string;
  readonly server: Server;
}

function keyOf(def: ServerDef, blocked: string | undefined): string {
  const { enabledTools, disabledTools, deferred, proxy, condition, timeout, callTimeout } = def;
  const rest = { enabledTools, disabledTools, deferred, proxy, condition, timeout, callTimeout, blocked };
  return JSON.stringify([def.name, hashOfDefinition(def), rest]);
}

function isToStart({ state, past, def }: Server, which: Parameters<Servers["start"]>[0]): boolean {
  if (state.kind !== "idle") return false;
  if (past === "unknown") return true;
  if (past !== "known") return which !== "new";
  return which === "all" && !def.deferred && !def.proxy;
}

function offered(server: Server, visibility: KnownTool["visibility"]): readonly KnownTool[] {
  const known = server.known();
  return visibility ? known.map((tool) => ({ ...tool, visibility })) : known;
}

/**
 * How each server's tools are offered. Servers beyond the budget are deferred whole. Decided once a server, when its
 * tools are first known: a tool the model has seen must not vanish from the next request because another one came.
 */
function stickyVisibility({ budget, estimate }: Pick<ServersOptions, "budget" | "estimate">) {
  const decided = new WeakMap<Server, KnownTool["visibility"] | "eager">();
  let spent = 0;
  return (server: Server): KnownTool["visibility"] => {
    const { def } = server;
    if (def.proxy) return { kind: "proxied", because: at(def, `proxy: true of server "${def.name}"`) };
    if (def.deferred) return { kind: "deferred", because: at(def, `deferred: true of server "${def.name}"`) };
    const earlier = decided.get(server);
    if (earlier !== undefined) return earlier === "eager" ? undefined : earlier;
    const known = server.known().filter(({ unavailable }) => unavailable === undefined);
    if (known.length === 0) return undefined;
    const tokens = tokensOf(known, { estimate });
    const limit = budget();
    if (limit <= 0 || spent + tokens <= limit) {
      spent += tokens;
      decided.set(server, "eager");
      return undefined;
    }
    const value = `its ${known.length} tools (about ${tokens} tokens) would exceed the ${limit} tokens that MCP tools may take`;
    const visibility = { kind: "deferred", because: { value } } as const;
    decided.set(server, visibility);
    return visibility;
  };
}

function tokensOf(known: readonly KnownTool[], { estimate }: Pick<ServersOptions, "estimate">): number {
  const schemas = known.map(({ tool }) => ({
    name: tool.name,
    description: describeTool(tool),
    parameters: tool.input,
  }));
  return estimate(JSON.stringify(schemas));
}

/** Lets `limit` through at a time, in order. */
function turnstile(limit: number): () => Promise<() => void> {
  let inside = 0;
  const waiting: (() => void)[] = [];
  // Whoever leaves gives its place to the first who waits.
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  };
  return async () => {
    if (inside < limit) inside++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  };
}

const done = () => undefined;
