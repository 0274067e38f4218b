import { randomUUID } from "node:crypto";
import type { ServerDef } from "../../config/mcp-server.ts";
import { checkInput } from "../../toolkit/check-input.ts";
import type { KnownTool } from "../../toolkit/known-tool.ts";
import type { Tool } from "../../toolkit/tool.ts";
import type { ToolAccess } from "../../toolkit/tool-access.ts";
import { nameTool } from "../mcp-names.ts";
import type { InMemoryServers } from "./in-memory.ts";
import type { Absent, ServedServer, ServeHost } from "./served-server.ts";
import { findServer } from "./servers.ts";
import { respell } from "./spellings.ts";
import { type RunCall, toMcp } from "./to-mcp.ts";

/** The in-process servers over the tools and services of one conversation. Loads nothing heavy until one is opened. */
export function inMemoryServers(host: ServeHost): InMemoryServers {
  const created = new Map<string, ServedServer>();
  const calls = new Map<string, ToolAccess>();
  const served = (def: ServerDef): ServedServer => {
    const key = JSON.stringify([def.name, def.args, def.input]);
    const known = created.get(key) ?? findServer(def.name).create(def.args, def.input, host);
    created.set(key, known);
    return known;
  };
  const orNothing = (def: ServerDef): ServedServer | undefined => {
    try {
      return served(def);
    } catch {
      return undefined; // `open` says what is wrong with the definition
    }
  };
  const dress = (def: ServerDef, known: KnownTool, bareName: string): KnownTool => {
    const found = orNothing(def)
      ?.tools()
      .present.find(({ tool }) => tool.name === bareName);
    return found ? { ...known, tool: dressTool(known.tool, found.tool, calls) } : known;
  };
  return {
    async open(def) {
      const server = served(def);
      const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
      const [transport, ours] = InMemoryTransport.createLinkedPair();
      const speaking = await toMcp(server, runAsLent(calls));
      await speaking.connect(ours);
      return {
        transport,
        dress: (known, bareName) => dress(def, known, bareName),
        close: () => speaking.close(),
      };
    },
    dress,
    prompts: async (def) => (await orNothing(def)?.prompts?.()) ?? [],
    absent: (def) =>
      orNothing(def)
        ?.tools()
        .absent.map((absent) => missingTool(def, absent)) ?? [],
  };
}

function missingTool(def: ServerDef, { name, reason }: Absent): KnownTool {
  const { canonical, aliases } = nameTool(def.name, name);
  const tool: Tool = {
    name: canonical,
    description: `The tool "${name}" of the server "${def.name}".`,
    input: { type: "object", properties: {} },
    run: () => Promise.reject(new Error(reason)),
  };
  return { tool, source: `mcp:${def.name}`, aliases, server: def.name, unavailable: { value: reason } };
}

/** The client's tool with all that ours is beside its words and its work. */
function dressTool(listed: Tool, ours: Tool, calls: Map<string, ToolAccess>): Tool {
  const { name: _name, description: _text, usage: _usage, examples: _examples, input, run: _run, ...traits } = ours;
  return {
    ...listed,
    ...traits,
    check: async (given) => checkInput(input, respell(input, given ?? {})),
    async run(given, access) {
      // Not the call's own id: a model names those, and two agents at work may use the same.
      const callId = randomUUID();
      calls.set(callId, access);
      try {
        return await listed.run(given, { ...access, callId });
      } finally {
        calls.delete(callId);
      }
    },
  };
}

/** The pipeline has let the call pass under its public name already: only the tool's own work is left to do. */
function runAsLent(calls: ReadonlyMap<string, ToolAccess>): RunCall {
  return async ({ tool }, input, call) => {
    const access = call.callId === undefined ? undefined : calls.get(call.callId);
    if (!access) throw new Error(`${tool.name} can only be called by the conversation this server belongs to`);
    const signal = AbortSignal.any([access.signal, call.signal]);
    const result = await tool.run(input, { ...access, signal });
    return typeof result === "string" ? { text: result } : result;
  };
}
