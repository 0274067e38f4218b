import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerDef } from "../../src/config/mcp-server.ts";
import type { ConnectOptions } from "../../src/mcp/connection.ts";
import { openManifests } from "../../src/mcp/manifest.ts";
import { createServerProcesses } from "../../src/mcp/server-processes.ts";
import type { ServersOptions } from "../../src/mcp/servers.ts";

export const RUDE = fileURLToPath(new URL("rude-mcp-server.mjs", import.meta.url));

const require = createRequire(import.meta.url);
const NPM_SERVERS = {
  everything: () => require.resolve("@modelcontextprotocol/server-everything/package.json"),
  filesystem: () => require.resolve("@modelcontextprotocol/server-filesystem/package.json"),
  memory: () => require.resolve("@modelcontextprotocol/server-memory/package.json"),
};

/** The program of a server from npm. */
export function npmServer(name: keyof typeof NPM_SERVERS): string {
  return join(dirname(NPM_SERVERS[name]()), "dist", "index.js");
}

export function stdioDef(name: string, args: readonly string[], more: Partial<ServerDef> = {}): ServerDef {
  return {
    name,
    transport: "stdio",
    command: process.execPath,
    args,
    env: {},
    headers: {},
    deferred: false,
    proxy: false,
    disabled: false,
    timeout: 10_000,
    callTimeout: 5_000,
    scope: "project",
    ...more,
  };
}

/** Options of one connection whose processes `close` ends, with what it told. */
export function connectOptions(def: ServerDef, more: Partial<ConnectOptions> = {}) {
  const processes = createServerProcesses(process.env["PATH"], 1_000);
  const told: string[] = [];
  const options: ConnectOptions = {
    def,
    cwd: process.cwd(),
    env: process.env,
    version: "1",
    processes,
    signal: new AbortController().signal,
    elicit: async () => ({ action: "decline" }),
    log: (_level, text) => told.push(text),
    onTools: (tools) => told.push(`tools: ${tools.length}`),
    onClosed: (reason) => told.push(`closed: ${reason}`),
    ...more,
  };
  return { options, told, close: () => processes.close() };
}

/** Options of a set of servers over a scratch folder that `remove` takes away. */
export function serversOptions(more: Partial<ServersOptions> = {}) {
  const dir = mkdtempSync(join(tmpdir(), "aura-mcp-"));
  const told: string[] = [];
  const waiting: (() => void)[] = [];
  const options: ServersOptions = {
    cwd: dir,
    env: process.env,
    version: "1",
    authDir: join(dir, "auth"),
    manifests: openManifests(join(dir, "mcp"), "1", () => Date.now()),
    processes: createServerProcesses(process.env["PATH"], 1_000),
    expand: (server) => ({ ok: true, server }),
    inMemory: undefined,
    elicit: async () => ({ action: "decline" }),
    log: () => undefined,
    changed() {
      for (const wake of waiting.splice(0)) wake();
    },
    troubled: ({ name, state }) => told.push(`${name}: ${state.kind}`),
    blocked: () => undefined,
    estimate: (text) => Math.ceil(text.length / 4),
    budget: () => 10_000,
    ...more,
  };
  /** Resolves when the claim holds; looked at after every change. */
  const until = async (claim: () => boolean) => {
    while (!claim()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { options, told, until, dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
