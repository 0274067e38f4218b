import { resolve } from "node:path";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ConnectOptions } from "./connection.ts";
import { silentProvider } from "./oauth-provider.ts";
import { serverEnvironment } from "./server-environment.ts";
import { createStdioTransport, type StdioTransport } from "./stdio-transport.ts";

/** One way to a server. */
export interface OpenTransport<T extends Transport = Transport> {
  create(): T;
  /** A failure here does not rule out the next way. */
  readonly triesNext: boolean;
  /** What it said last before it failed. */
  lastWords?(transport: T): string;
  /** Tells the server that we leave. */
  leave?(transport: T): Promise<void>;
}

/** The ways to a server, best first. Old servers speak only the HTTP+SSE transport of 2024, whatever is configured. */
export function transportsFor(options: ConnectOptions): readonly OpenTransport[] {
  const { def, inMemory } = options;
  switch (def.transport) {
    case "in-memory":
      return inMemory ? [{ create: () => inMemory, triesNext: false }] : [];
    case "stdio":
      return [stdio(options)];
    case "http":
      return [streamable(options, true), legacy(options, false)];
    case "sse":
      return [legacy(options, true), streamable(options, false)];
  }
}

function stdio({ def, cwd, env, processes, log }: ConnectOptions): OpenTransport {
  const way: OpenTransport<StdioTransport> = {
    create: () =>
      createStdioTransport(
        {
          command: def.command ?? "",
          args: def.args,
          cwd: def.cwd === undefined ? cwd : resolve(cwd, def.cwd),
          env: serverEnvironment(env, def.env),
        },
        processes,
        (line) => log("debug", `stderr: ${line}`),
      ),
    triesNext: false,
    lastWords: (transport) => transport.lastWords(),
  };
  return way as OpenTransport; // `create` makes what the others are given
}

function streamable(options: ConnectOptions, triesNext: boolean): OpenTransport {
  const way: OpenTransport<StreamableHTTPClientTransport> = {
    create: () => new StreamableHTTPClientTransport(new URL(options.def.url ?? ""), remoteOptions(options)),
    triesNext,
    leave: (transport) => withinASecond(transport.terminateSession()),
  };
  return way as unknown as OpenTransport; // as above; its `sessionId` is a getter, which the SDK's own type forgets
}

function legacy(options: ConnectOptions, triesNext: boolean): OpenTransport {
  return {
    create: () => new SSEClientTransport(new URL(options.def.url ?? ""), remoteOptions(options)),
    triesNext,
  };
}

function remoteOptions({ def, oauth }: ConnectOptions) {
  const authProvider = oauth?.tokens === undefined ? undefined : silentProvider(oauth);
  return { requestInit: { headers: def.headers }, ...(authProvider && { authProvider }) };
}

/** A server that is slow to say goodbye is left without. */
async function withinASecond(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((done) => {
    timer = setTimeout(done, 1000);
  });
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
