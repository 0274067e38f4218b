import { join } from "node:path";
import type { ServerDef } from "../config/mcp-server.ts";
import { expandServer } from "../config/servers/expand-server.ts";
import { serversOf } from "../config/servers/servers-of.ts";
import { borrowServers, hasAlike } from "../mcp/borrow-servers.ts";
import { createElicit } from "../mcp/elicit.ts";
import { openManifests } from "../mcp/manifest.ts";
import type { ServedPrompt } from "../mcp/serve/served-server.ts";
import { createServerProcesses } from "../mcp/server-processes.ts";
import { briefly, wordState } from "../mcp/server-state.ts";
import { createServers, type ServerList } from "../mcp/servers.ts";
import { orAborted } from "../system/or-aborted.ts";
import { matches } from "../text/wildcard.ts";
import type { Engine } from "./engine.ts";
import { inMemoryOf } from "./in-memory.ts";
import { type Mcp, mcpOf } from "./mcp.ts";
import { SCRIPTS_OFF } from "./script-tools.ts";
import { createInstructions } from "./server-instructions.ts";
import { trustedServers } from "./server-trust.ts";
import { openToolProxy } from "./tool-proxy.ts";

/** Where a person sits, servers start this long after the screen is there: loading the SDK takes the first keys' time. */
const AFTER_SCREEN_MS = 200;

/** Without a person, what need not be there yet starts while the model thinks. */
const AFTER_REQUEST_MS = 500;

export async function createMcp(engine: Engine, say?: (text: string) => void): Promise<Mcp> {
  const { options, folders } = engine;
  const state = join(folders.state, "mcp");
  const version = options.version ?? "0";
  const held = new Set<string>();
  const warn = (text: string) => engine.emit({ type: "notice", level: "warn", text });
  const inMemory = inMemoryOf(engine);
  const servers = createServers({
    cwd: engine.cwd,
    env: options.env,
    version,
    authDir: join(folders.state, "auth"),
    manifests: openManifests(state, version, () => Date.now()),
    processes: createServerProcesses(options.env["PATH"]),
    expand: (def) => expandServer(def, options.env),
    inMemory,
    blocked: (def) => whyNot(engine, def, held),
    elicit: createElicit({
      async ask(ask, signal) {
        const answered = await engine.requests.open("question", ask, signal).answered;
        return answered === "withdrawn" ? null : answered.answer;
      },
      notice: warn,
    }),
    estimate: engine.estimate,
    budget: () => budgetOf(engine),
    log: (server, level, text) => engine.trace(level, `mcp ${server}: ${text}`),
    changed: () => engine.rebuildTools(),
    troubled: (status) => warn(`MCP server "${status.name}" ${briefly(wordState(status))}`),
  });
  const above = engine.above && mcpOf(engine.above.engine);
  const borrowed = new Set<string>();
  const all = above ? borrowServers(servers, above.servers, (name) => borrowed.has(name)) : servers;
  const instructions = createInstructions(all);
  const proxy = above?.proxy ?? openToolProxy(engine, (name) => servers.find(name)?.def.description);
  let key = "";
  let isBegun = false;
  let prompts: readonly ServedPrompt[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** True when other servers are there now, or others of them may start. */
  async function refresh(): Promise<boolean> {
    const isChanged = await takeDefinitions();
    const usable = servers.statuses.filter((one) => one.transport === "in-memory" && one.state.kind !== "disabled");
    prompts = (await Promise.all(usable.map(({ name }) => promptsOf(name)))).flat();
    return isChanged;
  }

  async function promptsOf(name: string): Promise<readonly ServedPrompt[]> {
    try {
      return await inMemory.prompts(servers.find(name)!.def);
    } catch (error) {
      engine.debug(`the prompts of the server ${name}`, error);
      return [];
    }
  }

  async function takeDefinitions(): Promise<boolean> {
    const { config, settings, trusted } = engine;
    const { enabled, disabled } = settings.features.mcp;
    const files = [config.fingerprint, trusted.dirTools?.stamp];
    const now = JSON.stringify([files, settings.agent.name, trusted.untrusted, trusted.trust.book, enabled, disabled]);
    if (now === key) return false;
    const first = key === "";
    key = now;
    held.clear();
    const list = await definitions(engine, held);
    for (const { message } of list.errors) (first ? (say ?? warn) : warn)(message);
    borrowed.clear();
    for (const def of list.servers) if (above && hasAlike(above.servers, def)) borrowed.add(def.name);
    await servers.use({ ...list, servers: list.servers.filter(({ name }) => !borrowed.has(name)) });
    if (!first) servers.start(options.setUp ? "all" : "new");
    return true;
  }

  await refresh();
  engine.useServers(all);
  engine.rebuildTools();
  if (options.setUp) timer = setTimeout(() => servers.start("all"), AFTER_SCREEN_MS).unref();
  return {
    servers: all,
    proxy,
    get prompts() {
      return prompts;
    },
    async refresh() {
      // Whoever looks first must not keep the next turn from waiting for what is new.
      if (await refresh()) isBegun = false;
    },
    instructions,
    async beforeTurn(signal) {
      const isChanged = await refresh();
      if (isBegun && !isChanged) return;
      isBegun = true;
      // Without a person a known server waits for its first call: most runs make none.
      servers.start(options.setUp ? "all" : "new");
      timer ??= setTimeout(() => servers.start("stale"), AFTER_REQUEST_MS).unref();
      if (options.withMcp) await orAborted(servers.settled(), signal, "cancelled").catch(goOn);
      else await within(engine.settings.features.mcp.grace, servers.introduced(), signal);
    },
    async close() {
      clearTimeout(timer);
      await servers.close();
      if (!above) await proxy.close();
    },
  };
}

/**
 * The definitions in force. One of an untrusted project stands back behind the person's own of the same name; the names
 * of those that must not start go into `held`.
 */
async function definitions(engine: Engine, held: Set<string>): Promise<ServerList> {
  const { config, cwd, settings, trusted, options } = engine;
  const asked = { cwd, agent: settings.agent.name };
  const found = await serversOf(config, asked);
  const judged = await trustedServers(found.servers, trusted, options);
  if (judged.held.length === 0) return found;
  const own = trusted.own
    ? (await trustedServers((await serversOf(trusted.own, asked)).servers, trusted, options)).allowed
    : [];
  for (const { name } of judged.held) if (!own.some((def) => def.name === name)) held.add(name);
  const servers = found.servers.map((def) =>
    judged.held.includes(def) ? (own.find(({ name }) => name === def.name) ?? def) : def,
  );
  return { servers, errors: found.errors };
}

/** Why a server must not be started; undefined when it may. */
function whyNot({ options, settings, trusted }: Engine, def: ServerDef, held: ReadonlySet<string>): string | undefined {
  const { name } = def;
  if (held.has(name)) return "not trusted: it comes with a project that nobody trusts yet. Trust it with /trust";
  if (def.disabled) return "disabled in its definition";
  const isOfTools = trusted.dirTools?.servers.some(({ server, isNamed }) => !isNamed && server.name === name);
  if (isOfTools && !settings.features.tools.scripts) return SCRIPTS_OFF;
  const fits = (patterns: readonly string[]) => patterns.some((pattern) => matches(pattern.toLowerCase(), name));
  const { includeMcps, excludeMcps } = options;
  const { mcp } = settings.features;
  const exclude = excludeMcps ?? mcp.disabled;
  const include = includeMcps ?? mcp.enabled;
  if (fits(exclude)) return excludeMcps ? "left out by --exclude-mcps" : "disabled by mcp.disabled";
  if (include.length === 0 || fits(include)) return undefined;
  return includeMcps ? "not among --include-mcps" : "not in mcp.enabled";
}

function budgetOf(engine: Engine): number {
  const limit = engine.settings.features.mcp.token_budget;
  const window = engine.window();
  return window === undefined ? limit : Math.min(limit, Math.floor(window / 10));
}

/** Waits for `work`, but no longer than this, and not after an abort. */
async function within(ms: number, work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ms);
  await orAborted(work, AbortSignal.any([limit.signal, signal]), "late").catch(goOn);
  clearTimeout(timer);
}

const goOn = () => undefined;
