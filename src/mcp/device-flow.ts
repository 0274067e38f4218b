import { type OAuthServerInfo, registerClient } from "@modelcontextprotocol/sdk/client/auth.js";
import { OAuthTokensSchema } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { OAuthMemory } from "./oauth-memory.ts";
import { clientMetadata, DEVICE_GRANT } from "./oauth-provider.ts";

export interface DeviceFlow {
  readonly memory: OAuthMemory;
  readonly signal: AbortSignal;
  say(text: string): void;
}

type Answer = Readonly<Record<string, unknown>>;

/** Signs in with a code that the person types in on another device (RFC 8628). @throws Error worded for the person */
export async function signInByDevice(found: OAuthServerInfo, flow: DeviceFlow): Promise<void> {
  const { memory, signal } = flow;
  const metadata = found.authorizationServerMetadata;
  const endpoint = deviceEndpoint(found);
  if (!metadata || endpoint === undefined) throw new Error("this server offers no sign-in by device code");
  const client = memory.client ?? (await register(found, memory));
  const resource = found.resourceMetadata?.resource;
  const about = { client_id: client.client_id, ...(resource !== undefined && { resource }) };
  const offer = await post(endpoint, { ...about, ...scopeOf(found) }, signal);
  const { device_code, user_code, verification_uri, verification_uri_complete, interval } = offer;
  if (typeof device_code !== "string") throw new Error(`the server gave no code: ${JSON.stringify(offer["error"])}`);
  const whole = typeof verification_uri_complete === "string" ? ` (or open ${verification_uri_complete})` : "";
  flow.say(`To sign in, open ${String(verification_uri)} and enter the code ${String(user_code)}${whole}`);
  const tokens = await poll(
    metadata.token_endpoint,
    { ...about, grant_type: DEVICE_GRANT, device_code },
    typeof interval === "number" ? interval : 5,
    signal,
  );
  // With whom they are good, as the SDK keeps it: it presents them nowhere else.
  const issuer = String(found.authorizationServerUrl);
  await memory.save({ tokens: { ...OAuthTokensSchema.parse(tokens), issuer } });
}

/** Where the server gives out codes; undefined when it does not. */
export function deviceEndpoint({ authorizationServerMetadata }: OAuthServerInfo): string | undefined {
  const endpoint = Object(authorizationServerMetadata)["device_authorization_endpoint"];
  return typeof endpoint === "string" ? endpoint : undefined;
}

async function register(found: OAuthServerInfo, memory: OAuthMemory) {
  const registered = await registerClient(found.authorizationServerUrl, {
    ...(found.authorizationServerMetadata && { metadata: found.authorizationServerMetadata }),
    clientMetadata: clientMetadata("http://127.0.0.1/callback"),
  });
  const client = { ...registered, issuer: String(found.authorizationServerUrl) };
  await memory.save({ client });
  return client;
}

function scopeOf({ resourceMetadata }: OAuthServerInfo): { readonly scope?: string } {
  const scopes = resourceMetadata?.scopes_supported;
  return scopes && scopes.length > 0 ? { scope: scopes.join(" ") } : {};
}

/** Asks until the person is done. @param seconds between two questions, as the server wants it */
async function poll(endpoint: string, question: Record<string, string>, seconds: number, signal: AbortSignal) {
  for (let pause = seconds; ; ) {
    await wait(pause * 1000, signal);
    const answer = await post(endpoint, question, signal);
    if (typeof answer["access_token"] === "string") return answer;
    const error = answer["error"];
    if (error === "slow_down") pause += 5;
    else if (error !== "authorization_pending")
      throw new Error(`the sign-in was refused: ${String(answer["error_description"] ?? error)}`);
  }
}

async function post(url: string, form: Record<string, string>, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { accept: "application/json" },
    redirect: "error",
    signal,
  });
  const text = await response.text();
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Error(`${url} answered with status ${response.status} and no JSON`);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error("nobody signed in in time"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
}
