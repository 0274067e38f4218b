// A small `fetch` over node:http. The global one boots undici, which costs 20 to 25 ms of CPU in every process
// (measured on Node 24), and an `import` of node:http costs the same, because the module's facade reads its lazy
// WebSocket export: hence `process.getBuiltinModule`. Streamed answers pass through the SSE coalescer.
// Proxies: HTTP_PROXY, HTTPS_PROXY and NO_PROXY, by Node's own agent (22.21 and 24.5 or newer; older ones go direct).
// Redirects are not followed: an address of a model server that redirects is better corrected than chased with a key.

import type * as Http from "node:http";
import type * as Https from "node:https";
import { readBody } from "./response-body.ts";

export interface Transport {
  readonly fetch: typeof globalThis.fetch;
  /** The same connections with a limit on silence, in milliseconds; 0 waits for ever. */
  withTimeout(timeoutMs: number): Transport;
  /** Closes idle connections. Ones kept alive never hold the process open. */
  close(): void;
}

export interface TransportOptions {
  /** For the proxy variables only. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A server or the network fell silent for longer than the configured time. */
export class SilenceError extends Error {
  readonly code = "ETIMEDOUT";
  constructor(readonly afterMs: number) {
    super(`no data for ${Math.round(afterMs / 1000)} s`);
    this.name = "SilenceError";
  }
}

/** Errors reject or, once the body runs, break it; an aborted request closes its socket and rejects with the reason. */
export function createTransport(options: TransportOptions = {}): Transport {
  return open({ agents: new Map(), env: options.env ?? {}, timeoutMs: 0 });
}

function open(connect: Connect): Transport {
  const { agents } = connect;
  return {
    // The SDKs use url, method, headers, string body and signal of a request, and of a response what `answer` builds.
    fetch: ((url: string | URL, init: RequestInit = {}) => send(connect, new URL(url), init)) as Transport["fetch"],
    withTimeout: (timeoutMs) => open({ ...connect, timeoutMs }),
    close: () => {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

interface Connect {
  readonly agents: Map<string, Http.Agent>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

function send(connect: Connect, url: URL, init: RequestInit, isRepeat = false): Promise<Response> {
  const signal = init.signal ?? undefined;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError());
    const secure = url.protocol === "https:";
    const http = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
    const body = init.body === undefined || init.body === null ? undefined : Buffer.from(wellFormed(String(init.body)));
    const headers = { ...(init.headers as Record<string, string>) };
    if (body !== undefined) headers["content-length"] = String(body.length);
    const request = http.request(url, {
      method: init.method ?? "GET",
      headers,
      agent: agentFor(connect, secure ? "https" : "http"),
    });

    let response: Http.IncomingMessage | undefined;
    // Whichever of the two is destroyed closes the socket; a running body only hears of its own error.
    const stop = (error: Error) => (response ?? request).destroy(error);
    const abort = () => {
      reject(abortError());
      stop(abortError());
    };
    signal?.addEventListener("abort", abort, { once: true });
    const { timeoutMs } = connect;
    if (timeoutMs > 0) request.setTimeout(timeoutMs, () => stop(new SilenceError(timeoutMs)));

    request.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the very moment we reused it: nothing was processed.
      if (response === undefined && request.reusedSocket && error.code === "ECONNRESET" && !isRepeat) {
        signal?.removeEventListener("abort", abort);
        resolve(send(connect, url, init, true));
        return;
      }
      reject(error);
    });
    request.on("close", () => signal?.removeEventListener("abort", abort));
    request.on("response", (message) => {
      response = message;
      resolve(answer(message, url));
    });
    request.end(body);
  });
}

/**
 * Half a surrogate pair, from a cut text or a UTF-16 file, leaves JSON.stringify as an escape, and servers refuse a
 * body with one, now and in every later request of the conversation. A whole pair is never escaped there.
 */
function wellFormed(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (code) => (code.startsWith("\\ud") ? "\\ufffd" : code));
}

function agentFor({ agents, env }: Connect, kind: "http" | "https"): Http.Agent {
  let agent = agents.get(kind);
  if (agent === undefined) {
    const { Agent } = kind === "https" ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
    const settings: Https.AgentOptions = { keepAlive: true };
    if (PROXY_NAMES.some((name) => env[name])) settings.proxyEnv = env;
    agent = new Agent(settings);
    agents.set(kind, agent);
  }
  return agent;
}
const PROXY_NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];

/** What the SDKs and we read of a `Response`; the real class would boot undici. */
function answer(message: Http.IncomingMessage, url: URL): Response {
  const status = message.statusCode ?? 0;
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value));
  const body = readBody(message, /^text\/event-stream/.test(headers.get("content-type") ?? ""));
  const text = async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  };
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: message.statusMessage ?? "",
    url: url.href,
    headers,
    body,
    text,
    json: async () => JSON.parse(await text()),
  } as unknown as Response;
}

function abortError(): Error {
  return Object.assign(new Error("the request was aborted"), { name: "AbortError", code: "ABORT_ERR" });
}
