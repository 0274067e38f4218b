import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  type Progress,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { orAborted } from "../system/or-aborted.ts";
import { readAnswer } from "./call-output.ts";
import type { ConnectOptions, ConnectOutcome, McpConnection } from "./connection.ts";
import { readTools } from "./listed-tools.ts";
import type { ListedTool } from "./manifest.ts";
import { type OpenTransport, transportsFor } from "./transports.ts";

/** The SDK's code for a connection that ended. */
const CLOSED = -32000;

/** A list with more pages is a server that goes round in circles. */
const MOST_PAGES = 100;

/**
 * Connects to one server over whichever of its transports answers: handshake and first list of tools within
 * `def.timeout`. This file loads the SDK; import it only when a server is to be started.
 */
export async function connect(options: ConnectOptions): Promise<ConnectOutcome> {
  const { def } = options;
  const deadline = AbortSignal.timeout(def.timeout);
  const signal = AbortSignal.any([deadline, options.signal]);
  let first: ConnectOutcome | undefined;
  for (const open of transportsFor(options)) {
    const outcome = await tryTransport(open, options, signal);
    if (outcome.kind === "failed" && deadline.aborted)
      return { kind: "failed", reason: wordTimeout(def.timeout, outcome) };
    if (outcome.kind !== "failed") return outcome;
    // What the configured way answered says more than what the other one did not.
    first ??= outcome;
    if (options.signal.aborted || !open.triesNext) return first;
  }
  return first ?? { kind: "failed", reason: "there is no way to reach it" };
}

/** What a server wrote before it fell silent stays under the first line. */
function wordTimeout(ms: number, { reason }: { readonly reason: string }): string {
  return [`it did not answer within ${ms / 1000} s`, ...reason.split("\n").slice(1)].join("\n");
}

async function tryTransport(
  open: OpenTransport,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<ConnectOutcome> {
  const transport = open.create();
  let askedRoots = false;
  const client = createClient(options, () => {
    askedRoots = true;
  });
  let closing = false;
  const close = async () => {
    closing = true;
    await open.leave?.(transport);
    await client.close();
    // The client lets go of a transport that failed to start; its process may be there all the same.
    await transport.close().catch(() => undefined);
  };
  try {
    // A start that hangs does not hear of signals itself.
    await orAborted(client.connect(transport, { signal, timeout: options.def.timeout }), signal, "stopped");
    let tools = await orAborted(listTools(client, signal, options.def.timeout), signal, "stopped");
    if (askedRoots) await orAborted(settleRoots(client, options.def.timeout), signal, "stopped");
    client.onclose = () => {
      if (!closing) options.onClosed(withWords("it ended", open.lastWords?.(transport)));
    };
    const refresh = serially(async () => {
      tools = await listTools(client, new AbortController().signal, options.def.timeout);
      if (!closing) options.onTools(tools);
    });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () =>
      refresh().catch((error) => options.log("warn", `its new list of tools could not be read: ${messageOf(error)}`)),
    );
    return { kind: "connected", connection: connectionOver(client, () => tools, close) };
  } catch (error) {
    await close().catch(() => undefined);
    if (isUnauthorized(error)) return { kind: "needs-auth" };
    const reason = Object(error).code === CLOSED ? "it ended before it answered" : messageOf(error);
    return { kind: "failed", reason: withWords(reason, open.lastWords?.(transport)) };
  }
}

function createClient({ version, cwd, elicit, log, def }: ConnectOptions, onRoots: () => void): Client {
  const client = new Client(
    { name: "aura", version },
    // No `sampling`: a server does not get to spend the person's model; the SDK refuses the request for us.
    { capabilities: { roots: {}, elicitation: { form: {}, url: {} } } },
  );
  client.setRequestHandler(ListRootsRequestSchema, () => {
    onRoots();
    return { roots: [{ uri: pathToFileURL(cwd).href, name: basename(cwd) }] };
  });
  client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => elicit(def.name, params, signal));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
    log("debug", `${params.level}: ${typeof params.data === "string" ? params.data : JSON.stringify(params.data)}`),
  );
  client.onerror = (error) => log("debug", messageOf(error));
  return client;
}

function connectionOver(client: Client, tools: () => readonly ListedTool[], close: () => Promise<void>): McpConnection {
  const instructions = client.getInstructions();
  return {
    ...(instructions !== undefined && { instructions }),
    get tools() {
      return tools();
    },
    async call(tool, input, { signal, timeout, meta, onProgress }) {
      const params = { name: tool, arguments: input, ...(meta && { _meta: meta }) };
      // The loosest schema: a part of a kind the SDK does not know is no reason to lose the whole result.
      const result = await client.request({ method: "tools/call", params }, ResultSchema, {
        signal,
        timeout,
        resetTimeoutOnProgress: true,
        onprogress: (progress) => onProgress(wordProgress(progress)),
      });
      return readAnswer(result);
    },
    close,
  };
}

/** Every page. The SDK's own `listTools` would compile every output schema, which costs more than the list. */
async function listTools(client: Client, signal: AbortSignal, timeout: number): Promise<readonly ListedTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const listed: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = typeof cursor === "string" ? { cursor } : {};
    const { tools, nextCursor } = await client.request({ method: "tools/list", params }, ResultSchema, {
      signal,
      timeout,
    });
    if (Array.isArray(tools)) listed.push(...tools);
    cursor = nextCursor;
    if (typeof cursor !== "string" || cursor === "") break;
  }
  return readTools(listed);
}

/**
 * A server that asks for the roots looks at the folders before it takes them, and says nothing when it has: a call made
 * at once would be refused (server-filesystem).
 */
async function settleRoots(client: Client, timeout: number): Promise<void> {
  await client.ping({ timeout });
  await new Promise((resolve) => setTimeout(resolve, 50));
}

function wordProgress({ progress, total, message }: Progress): string {
  const part = total === undefined ? String(progress) : `${progress}/${total}`;
  return message ? `${part} ${message}` : part;
}

/** Runs `work` once more after the run under way, however often it is asked meanwhile. */
function serially(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  return async () => {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        await work();
      } while (again);
    })().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function isUnauthorized(error: unknown): boolean {
  if (error instanceof UnauthorizedError) return true;
  return error instanceof Error && "code" in error && error.code === 401;
}

const withWords = (reason: string, words: string | undefined) => (words ? `${reason}\n${words}` : reason);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
