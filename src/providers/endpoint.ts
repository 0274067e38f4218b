// One configured server: its address, key, transport and how it is spoken of.

import type { FailureContext } from "./failures.ts";
import type { Transport } from "./transport.ts";

export interface Endpoint {
  /** The provider's configured name. */
  readonly name: string;
  readonly type: string;
  /** Without a slash at its end. */
  readonly url: string;
  /** Empty for servers that want none. */
  readonly token: string;
  readonly keyFrom?: string;
  readonly transport: Transport;
  /** Sent along with a request where the server knows it (Ollama: how long a model stays loaded, such as `5m`). */
  readonly keepAlive?: string;
}

/** `url` with the format's usual path where only a host is given, and without a slash at its end. */
export function completeUrl(url: string, path: string): string {
  const parsed = new URL(url);
  const bare = parsed.pathname === "/" || parsed.pathname === "";
  return (bare ? parsed.origin + path : url).replace(/\/+$/, "");
}

export function failureContext(endpoint: Endpoint): FailureContext {
  return {
    host: new URL(endpoint.url).host,
    type: endpoint.type,
    secrets: endpoint.token === "" ? [] : [endpoint.token],
    ...(endpoint.keyFrom === undefined ? {} : { keyFrom: endpoint.keyFrom }),
  };
}

/** A JSON request beside the SDKs. Throws what the transport throws, and an error with `statusCode` for a refusal. */
export async function askJson(
  endpoint: Endpoint,
  path: string,
  signal: AbortSignal,
  init: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<unknown> {
  const response = await endpoint.transport.fetch(new URL(path, `${endpoint.url}/`).href, {
    signal,
    headers: { accept: "application/json", "content-type": "application/json", ...init.headers },
    ...(init.body === undefined ? {} : { method: "POST", body: JSON.stringify(init.body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw Object.assign(new Error(response.statusText || `HTTP ${response.status}`), {
      statusCode: response.status,
      responseBody: text,
      responseHeaders: Object.fromEntries(response.headers),
    });
  }
  return JSON.parse(text);
}

export function bearer(endpoint: Endpoint): Record<string, string> {
  return endpoint.token === "" ? {} : { authorization: `Bearer ${endpoint.token}` };
}
