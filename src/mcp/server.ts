import type { ServerDef } from "../config/mcp-server.ts";
import type { ExpandedServer } from "../config/servers/expand-server.ts";
import type { LogLevel } from "../system/log.ts";
import { orAborted } from "../system/or-aborted.ts";
import type { KnownTool } from "../toolkit/known-tool.ts";
import type { ServerAnswer } from "./call-output.ts";
import type { CallOptions, ConnectOutcome, McpConnection } from "./connection.ts";
import type { Elicit } from "./elicit.ts";
import { at, fromMcp } from "./from-mcp.ts";
import type { ListedTool, Manifest, Manifests } from "./manifest.ts";
import { openOAuthMemory } from "./oauth-memory.ts";
import type { InMemoryServers } from "./serve/in-memory.ts";
import type { ServerProcesses } from "./server-processes.ts";
import { afterFirstLine, firstLine, type ServerState, type ServerStatus, wordUnavailable } from "./server-state.ts";

/** What one server stands on. */
export interface ServerHost {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Where sign-ins are kept; absolute. */
  readonly authDir: string;
  readonly manifests: Manifests;
  readonly processes: ServerProcesses;
  /** A definition with its references to the environment filled in, or why that cannot be. */
  expand(def: ServerDef): ExpandedServer;
  /** Undefined where there are none. */
  readonly inMemory: InMemoryServers | undefined;
  readonly elicit: Elicit;
  /** Waits until there is room to start one more; returns what makes room again. */
  takeTurn(): Promise<() => void>;
  log(server: string, level: LogLevel, text: string): void;
  /** What is known of a server or offered of it is another now. */
  changed(): void;
  /** A server cannot be used, for a reason the person should know. */
  troubled(status: ServerStatus): void;
}

/** A manifest older than this is looked at again in the background. */
const OLD_MS = 24 * 60 * 60 * 1000;
/** Nobody waits for a server twice that took longer than this and was left before it answered. */
const SLOW_MS = 500;
/** Starts in a row after which a server that ends by itself is left alone. */
const MOST_CRASHES = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A server that ran this long was well: its next crash is its first. */
const WELL_MS = 60_000;

/** One configured server: what is known of it, and its connection while it has one. */
export class Server {
  readonly def: ServerDef;
  readonly #host: ServerHost;
  readonly #stop = new AbortController();
  #state: ServerState;
  #tools: readonly ListedTool[] = [];
  /** Names it had and has no more. */
  #gone: readonly ListedTool[] = [];
  #instructions: string | undefined;
  #past: "unknown" | "known" | "old" | "failed" = "unknown";
  #connection: McpConnection | undefined;
  #connecting: Promise<McpConnection> | undefined;
  #remembering: Promise<void> = Promise.resolve();
  #crashes = 0;
  #connectedAt = 0;
  #restart: NodeJS.Timeout | undefined;
  #known: readonly KnownTool[] | undefined;

  /** @param blocked why it must not be started, when it must not */
  constructor(def: ServerDef, host: ServerHost, blocked?: string) {
    this.def = def;
    this.#host = host;
    this.#state = blocked === undefined ? { kind: "idle" } : { kind: "disabled", reason: blocked };
  }

  get state(): ServerState {
    return this.#state;
  }

  get status(): ServerStatus {
    const { name, transport, file } = this.def;
    return {
      name,
      transport,
      state: this.#state,
      tools: this.#tools.length,
      ...(this.#state.kind === "idle" && this.#past === "failed" && { failedBefore: true }),
      ...(file !== undefined && { file }),
    };
  }

  /** What earlier runs left: its tools, as they were lately or long ago, or that it could not be reached. */
  get past(): "unknown" | "known" | "old" | "failed" {
    return this.#past;
  }

  get instructions(): string | undefined {
    return this.#state.kind === "disabled" ? undefined : this.#instructions;
  }

  /** Remembers what it was when it last ran. */
  async recall(): Promise<void> {
    const found = await this.#host.manifests.read(this.def);
    if (!found || this.#connection) return;
    this.#past = found.manifest.failed ? "failed" : found.ageMs > OLD_MS ? "old" : "known";
    if (!found.manifest.failed) this.#take(found.manifest.tools, found.manifest.instructions);
  }

  known(): readonly KnownTool[] {
    this.#known ??= [
      ...this.#tools.flatMap((tool) => this.#asKnown(tool)),
      ...((this.def.transport === "in-memory" && this.#host.inMemory?.absent(this.def)) || []),
      ...this.#gone
        .flatMap((tool) => this.#asKnown(tool))
        .map((tool) => ({
          ...tool,
          unavailable: at(this.def, `server "${this.def.name}" does not offer it any more`),
        })),
    ];
    return this.#known;
  }

  /** The connection, made now when there is none. @throws Error with the reason when it cannot be made */
  connect(): Promise<McpConnection> {
    if (this.#connection) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#start().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Ends what there is and starts anew, also after it was given up. */
  async reconnect(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    const old = this.#connection;
    this.#connection = undefined;
    this.#crashes = 0;
    clearTimeout(this.#restart);
    await old?.close();
    await this.connect();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#restart);
    await this.#connecting?.catch(() => undefined);
    const old = this.#connection;
    this.#connection = undefined;
    await old?.close();
    await this.#remembering;
  }

  async #start(): Promise<McpConnection> {
    if (this.#state.kind === "disabled") throw new Error(this.#state.reason);
    clearTimeout(this.#restart);
    const since = performance.now();
    this.#become({ kind: "connecting" });
    const free = await this.#host.takeTurn();
    let outcome: ConnectOutcome;
    try {
      outcome = this.#stop.signal.aborted ? { kind: "failed", reason: "stopped" } : await this.#open();
    } catch (error) {
      outcome = { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
    } finally {
      free();
    }
    if (outcome.kind !== "connected") {
      // One that was there and ended is tried again when its restart fails: what it needs may be away for a moment.
      if (this.#crashes > 0 && outcome.kind === "failed" && !this.#stop.signal.aborted) this.#fell(outcome.reason);
      else this.#become(outcome);
      const wasSlow = performance.now() - since > SLOW_MS;
      // The next conversation does not wait to be introduced to it.
      if (this.#past === "unknown" && (wasSlow || !this.#stop.signal.aborted))
        await this.#remember({ tools: [], failed: true });
      throw new Error(wordUnavailable(this.def.name, outcome));
    }
    const { connection } = outcome;
    if (this.#stop.signal.aborted) {
      await connection.close();
      throw new Error("stopped");
    }
    this.#connection = connection;
    this.#connectedAt = performance.now();
    this.#take(connection.tools, connection.instructions);
    this.#past = "known";
    this.#become({ kind: "connected" });
    void this.#remember();
    return connection;
  }

  async #open(): Promise<ConnectOutcome> {
    const host = this.#host;
    const expanded = host.expand(this.def);
    if (!expanded.ok) return { kind: "failed", reason: expanded.errors.map(({ message }) => message).join("\n") };
    const def = expanded.server;
    const isRemote = def.transport === "http" || def.transport === "sse";
    const hasKey = Object.keys(def.headers).some((name) => name.toLowerCase() === "authorization");
    const oauth = isRemote && !hasKey ? await openOAuthMemory(host.authDir, def.name, def.url ?? "") : undefined;
    const inMemory = def.transport === "in-memory" ? await host.inMemory?.open(def) : undefined;
    const { connect } = await import("./client.ts");
    const outcome = await connect({
      def,
      cwd: host.cwd,
      env: host.env,
      version: host.version,
      processes: host.processes,
      signal: this.#stop.signal,
      elicit: host.elicit,
      ...(inMemory && { inMemory: inMemory.transport }),
      ...(oauth && { oauth }),
      log: (level, text) => host.log(def.name, level, text),
      onTools: (tools) => this.#relist(tools),
      onClosed: (reason) => this.#lost(reason),
    });
    if (!inMemory) return outcome;
    if (outcome.kind === "connected")
      return { kind: "connected", connection: closedWith(outcome.connection, inMemory) };
    await inMemory.close();
    return outcome;
  }

  #relist(tools: readonly ListedTool[]): void {
    this.#take(tools, this.#instructions);
    this.#host.changed();
    void this.#remember();
  }

  #lost(reason: string): void {
    // What it started itself may be there still.
    void this.#connection?.close().catch(() => undefined);
    this.#connection = undefined;
    if (this.#stop.signal.aborted) return;
    if (performance.now() - this.#connectedAt > WELL_MS) this.#crashes = 0;
    this.#fell(reason);
  }

  /** Starts it anew after a pause, which is longer each time, until it has been tried often enough. */
  #fell(reason: string): void {
    if (++this.#crashes >= MOST_CRASHES) {
      const again = `/mcp reconnect ${this.def.name}`;
      const added = `, ${this.#crashes} times in a row. Try ${again}`;
      return this.#become({ kind: "failed", reason: afterFirstLine(reason, added) });
    }
    this.#become({ kind: "crashed", reason });
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.#crashes - 1), LONGEST_PAUSE_MS);
    this.#restart = setTimeout(() => void this.connect().catch(() => undefined), pause);
    this.#restart.unref();
  }

  /** In the order known so far, so that what is offered keeps its order; what is new comes last. */
  #take(tools: readonly ListedTool[], instructions: string | undefined): void {
    const now = new Map(tools.map((tool) => [tool.name, tool]));
    const before = [...this.#tools, ...this.#gone].map(({ name }) => name);
    const kept = this.#tools.flatMap(({ name }) => now.get(name) ?? []);
    const added = tools.filter(({ name }) => !kept.some((tool) => tool.name === name));
    const old = [...this.#tools, ...this.#gone];
    this.#tools = [...kept, ...added];
    this.#gone = old.filter(({ name }, index) => !now.has(name) && before.indexOf(name) === index);
    this.#instructions = instructions;
    this.#known = undefined;
  }

  /** Waited for at the end only: a server that falls over meanwhile must not count as one that is being started. */
  #remember(manifest: Manifest = this.#manifest()): Promise<void> {
    this.#remembering = this.#remembering
      .then(() => this.#host.manifests.write(this.def, manifest))
      .catch((error) => this.#host.log(this.def.name, "warn", `its tools could not be remembered: ${String(error)}`));
    return this.#remembering;
  }

  #manifest(): Manifest {
    return { tools: this.#tools, ...(this.#instructions !== undefined && { instructions: this.#instructions }) };
  }

  #become(state: ServerState): void {
    this.#state = state;
    this.#known = undefined;
    if (this.#stop.signal.aborted) return;
    this.#host.changed();
    if (state.kind === "failed" || state.kind === "needs-auth" || state.kind === "crashed")
      this.#host.troubled(this.status);
  }

  #asKnown(tool: ListedTool): readonly KnownTool[] {
    const { def } = this;
    const plain = fromMcp(tool, { def, call: (name, input, options) => this.#call(name, input, options) });
    const known = def.transport === "in-memory" ? this.#host.inMemory?.dress(def, plain, tool.name) : plain;
    // A tool of ours that policy cannot know by what it amounts to is none that may be called.
    if (!known || (known === plain && def.transport === "in-memory")) return [];
    const reason = wordUnavailable(def.name, this.#state);
    return [reason === undefined ? known : { ...known, unavailable: at(def, reason) }];
  }

  async #call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
    isSecondTry = false,
  ): Promise<ServerAnswer> {
    // A call that is cancelled does not wait for a server that starts.
    const connection = await orAborted(this.connect(), options.signal, "cancelled");
    try {
      return await connection.call(tool, input, options);
    } catch (error) {
      const { code } = Object(error);
      if (code === 404 && !isSecondTry && this.def.transport !== "stdio") {
        // The session is not known any more: the server was started anew, and has done nothing of this call.
        // Another call may have found that out first: its new connection must not be taken away from it.
        if (this.#connection === connection) await this.reconnect();
        return this.#call(tool, input, options, true);
      }
      if (code === 401) this.#become({ kind: "needs-auth" });
      throw new Error(this.#wordFailure(error, connection), { cause: error });
    }
  }

  #wordFailure(error: unknown, connection: McpConnection): string {
    const { name, callTimeout } = this.def;
    const { code } = Object(error);
    if (code === 401) return wordUnavailable(name, this.#state) ?? "it needs a sign-in";
    if (code === -32001)
      return `the MCP server "${name}" sent nothing for ${callTimeout / 1000} s: the call was given up`;
    if (code === -32000 || this.#connection !== connection) {
      const why = "reason" in this.#state ? `: ${firstLine(this.#state.reason)}` : "";
      return `the MCP server "${name}" ended during the call${why}. It is started anew for the next one.`;
    }
    const message = error instanceof Error ? error.message : String(error);
    return `the MCP server "${name}" refused the call: ${message.slice(0, 4_000)}`;
  }
}

function closedWith(connection: McpConnection, also: { close(): Promise<void> }): McpConnection {
  return {
    ...(connection.instructions !== undefined && { instructions: connection.instructions }),
    get tools() {
      return connection.tools;
    },
    call: (...call) => connection.call(...call),
    async close() {
      await connection.close();
      await also.close();
    },
  };
}
