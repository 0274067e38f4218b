import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { ServeHost, ShelvedSkill } from "../../src/mcp/serve/served-server.ts";
import { findServer } from "../../src/mcp/serve/servers.ts";
import { toMcp } from "../../src/mcp/serve/to-mcp.ts";
import type { Tool } from "../../src/toolkit/tool.ts";
import type { ToolAccess } from "../../src/toolkit/tool-access.ts";
import { builtinTools } from "../../src/tools/index.ts";
import { memoryProject } from "./memory-project.ts";

export interface HostOptions extends Partial<ServeHost> {
  /** Tools that are there besides those built in. */
  readonly brought?: readonly Tool[];
  readonly shelved?: readonly ShelvedSkill[];
}

/** A host over built-in tools, in a project at `/project` where no clock runs. */
export function fakeHost({ brought = [], shelved = [], ...given }: HostOptions = {}): ServeHost {
  return {
    cwd: "/project",
    now: () => new Date("2026-01-02T03:04:05.000Z"),
    view: () => ({ at: "", holds: () => false }),
    find: (name) => [...builtinTools, ...brought].find((tool) => tool.name === name),
    skills: { read: async () => shelved },
    delegate: {
      instructions: () => "Nobody.",
      spawn: () => {
        throw new Error("this host spawns nobody");
      },
    },
    readText: async (path) => `text of ${path}`,
    runCommand: async (command) => `<output of ${command}>`,
    ...given,
  };
}

export interface Served {
  readonly client: Client;
  /** The text of a call; an error's text begins with `ERROR `. */
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  json(name: string, args?: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * One of our servers and the SDK's client, joined in memory. Calls run as `pre`, the work and `post`, like the pipeline
 * does them without policy.
 */
export async function serve(
  name: string,
  args: readonly string[] = [],
  { host = fakeHost(), access = memoryProject().access }: { host?: ServeHost; access?: ToolAccess } = {},
): Promise<Served> {
  const served = findServer(name).create(args, undefined, host);
  const server = await toMcp(served, async ({ tool }, input, { signal, print }) => {
    const own = { ...access, signal, print };
    const refusal = await tool.pre?.(input, own);
    if (refusal !== undefined) throw new Error(refusal);
    const result = await tool.run(input, own);
    await tool.post?.(input, own);
    return typeof result === "string" ? { text: result } : result;
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const call = async (tool: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name: tool, arguments: input });
    const [part] = content as { text: string }[];
    return isError ? `ERROR ${part!.text}` : part!.text;
  };
  return {
    client,
    call,
    json: async (tool, input) => JSON.parse(await call(tool, input)) as unknown,
    close: () => client.close(),
  };
}
