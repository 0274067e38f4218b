import { randomUUID } from "node:crypto";
import { auth, discoverOAuthServerInfo } from "@modelcontextprotocol/sdk/client/auth.js";
import { deviceEndpoint, signInByDevice } from "./device-flow.ts";
import { listenForCode } from "./loopback.ts";
import type { OAuthMemory } from "./oauth-memory.ts";
import { oauthProvider } from "./oauth-provider.ts";

/** How long a person has (other-systems 1.7). */
const SIGN_IN_MS = 180_000;

export interface SignInOptions {
  readonly memory: OAuthMemory;
  /** `device`: show a code to type in elsewhere; `auto`: only where no browser can be opened here. */
  readonly how: "auto" | "device";
  readonly signal: AbortSignal;
  /** Tells the person what to do. */
  say(text: string): void;
  /** Opens a page in the person's browser. False where there is none. */
  browse(url: URL): boolean;
}

/**
 * Signs a person in at a remote server: OAuth 2.1 with PKCE and a redirect to the loopback (RFC 8252), or a code typed
 * in on another device (RFC 8628) where the server offers that and no browser opens here. Ends within three minutes.
 * @throws Error with what went wrong, worded for the person
 */
export async function signIn(options: SignInOptions): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(SIGN_IN_MS)]);
  const found = await discoverOAuthServerInfo(options.memory.url);
  const offersDevice = deviceEndpoint(found) !== undefined;
  if (options.how === "device" && !offersDevice) throw new Error("this server offers no sign-in by device code");
  if (options.how === "device") return signInByDevice(found, { ...options, signal });
  const redirected = await signInByBrowser({ ...options, signal }, offersDevice);
  if (redirected === "no browser") await signInByDevice(found, { ...options, signal });
}

async function signInByBrowser(
  { memory, say, browse, signal }: SignInOptions,
  hasOtherWay: boolean,
): Promise<"done" | "no browser"> {
  const state = randomUUID();
  const listener = await listenForCode(memory.port, state);
  let isOpen = false;
  try {
    // A client is registered with one address to come back to: with another port it is another client.
    if (memory.port !== listener.port) await memory.save({ client: undefined, port: listener.port });
    await memory.save({ tokens: undefined });
    const provider = oauthProvider(memory, {
      redirectUrl: listener.url,
      state,
      redirect(url) {
        isOpen = browse(url);
        if (!isOpen && hasOtherWay) return;
        say(`${isOpen ? "A page was opened in your browser. If it was not, open" : "To sign in, open"}: ${url.href}`);
      },
    });
    const serverUrl = memory.url;
    if ((await auth(provider, { serverUrl })) === "AUTHORIZED") return "done";
    if (!isOpen && hasOtherWay) return "no browser";
    const authorizationCode = await listener.code(signal);
    await auth(provider, { serverUrl, authorizationCode });
    return "done";
  } finally {
    listener.close();
  }
}
