import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { nameTool } from "../mcp/mcp-names.ts";
import type { ServedServer } from "../mcp/serve/served-server.ts";
import { findServer } from "../mcp/serve/servers.ts";
import { respell } from "../mcp/serve/spellings.ts";
import { toMcp } from "../mcp/serve/to-mcp.ts";
import { checkInput } from "../toolkit/check-input.ts";
import type { KnownTool, ToolSource } from "../toolkit/known-tool.ts";
import { createTurnstile } from "../workspace/turnstile.ts";
import { askClient } from "./ask-client.ts";
import type { Engine } from "./engine.ts";
import { serveHost } from "./in-memory.ts";
import { openEngine } from "./open-conversation.ts";
import type { OpenOptions } from "./open-options.ts";
import { callFromOutside } from "./outside-call.ts";

export interface Serving {
  readonly notes: readonly string[];
  /** Answers a client until its end of the transport is closed or `stop` aborts; nothing of it runs on afterwards. */
  serve(transport: Transport, stop: AbortSignal): Promise<void>;
}

/**
 * One of our in-process servers for other clients: the same tools through the same pipeline as in a conversation here.
 * What wants a person is asked through the client, and denied when it cannot ask.
 */
export async function openServing(
  options: OpenOptions,
  name: string,
  args: readonly string[],
): Promise<
  { readonly kind: "ready"; readonly serving: Serving } | { readonly kind: "refused"; readonly problem: string }
> {
  const opened = await openEngine({ ...options, noop: true, canAsk: false });
  if (opened.kind === "refused") return opened;
  const { engine, notes } = opened;
  const sources = [...engine.sources];
  let served: ServedServer;
  try {
    served = findServer(name).create(
      args,
      undefined,
      serveHost(engine, () => sources),
    );
  } catch (error) {
    await engine.close();
    return { kind: "refused", problem: error instanceof Error ? error.message : String(error) };
  }
  // A server of that name that is configured here is another one, and may be one that must not start.
  const others = sources.map((source) => (source.ofServers ? withoutServer(source, served.name) : source));
  engine.sources.splice(0, sources.length, ...others, { known: () => asKnown(served) });
  engine.rebuildTools();
  return { kind: "ready", serving: { notes, serve: (transport, stop) => serve(engine, served, transport, stop) } };
}

const withoutServer = (source: ToolSource, name: string): ToolSource => ({
  ofServers: true,
  known: () => source.known().filter(({ server }) => server !== name),
});

async function serve(engine: Engine, served: ServedServer, transport: Transport, stop: AbortSignal): Promise<void> {
  const over = new AbortController();
  // What must not run beside its siblings runs one after the other.
  const queue = createTurnstile();
  const server = await toMcp(withoutFiltered(engine, served), async ({ tool }, input, { signal, print }) => {
    const call = { tool: nameTool(served.name, tool.name).canonical, input };
    const make = () => callFromOutside(engine, call, { signal: AbortSignal.any([signal, over.signal, stop]), print });
    return tool.parallel === false ? queue(make) : make();
  });
  const asking = askClient(engine, server, over.signal);
  try {
    await new Promise<void>((resolve, reject) => {
      server.onclose = () => resolve();
      if (stop.aborted) resolve();
      stop.addEventListener("abort", () => resolve(), { once: true });
      server.connect(transport).catch(reject);
    });
  } finally {
    over.abort();
    await server.close();
    await engine.close();
    await asking;
  }
}

/** The tools under the names they have in a conversation, so that rules and filters mean the same here. */
function asKnown(served: ServedServer): readonly KnownTool[] {
  return served.tools().present.map(({ tool }) => {
    const { canonical, aliases } = nameTool(served.name, tool.name);
    const check = async (given: unknown) => checkInput(tool.input, respell(tool.input, given ?? {}));
    return { tool: { ...tool, name: canonical, check }, source: `mcp:${served.name}`, aliases, server: served.name };
  });
}

/** What filters keep out is not listed either. */
function withoutFiltered(engine: Engine, served: ServedServer): ServedServer {
  return {
    ...served,
    tools() {
      const { present, absent } = served.tools();
      const reason = (name: string) => {
        const canonical = nameTool(served.name, name).canonical;
        return engine.tools.reach(canonical) ? undefined : engine.tools.explainMissing(canonical);
      };
      return {
        present: present.filter(({ tool }) => reason(tool.name) === undefined),
        absent: [
          ...absent,
          ...present.flatMap(({ tool: { name } }) => {
            const why = reason(name);
            return why === undefined ? [] : [{ name, reason: why }];
          }),
        ],
      };
    },
  };
}
