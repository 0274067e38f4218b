import { randomUUID } from "node:crypto";
import { type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientMetadata } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { OAuthMemory } from "./oauth-memory.ts";

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export const clientMetadata = (redirectUrl: string): OAuthClientMetadata => ({
  client_name: "Aura",
  redirect_uris: [redirectUrl],
  grant_types: ["authorization_code", "refresh_token", DEVICE_GRANT],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
});

export interface SigningIn {
  /** On the loopback. */
  readonly redirectUrl: string;
  /** Guards the answer against being somebody else's. */
  readonly state: string;
  /** The person is to be sent here. */
  redirect(url: URL): void;
}

/** The SDK's view of a sign-in: what is remembered, and where to send the person when that is not enough. */
export function oauthProvider(memory: OAuthMemory, signingIn: SigningIn): OAuthClientProvider {
  let verifier = "";
  return {
    redirectUrl: signingIn.redirectUrl,
    clientMetadata: clientMetadata(signingIn.redirectUrl),
    state: () => signingIn.state,
    clientInformation: () => memory.client,
    saveClientInformation: (client) => memory.save({ client }),
    tokens: () => memory.tokens,
    saveTokens: (tokens) => memory.save({ tokens }),
    redirectToAuthorization: (url) => signingIn.redirect(url),
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    async invalidateCredentials(scope) {
      if (scope === "all" || scope === "client") await memory.save({ client: undefined });
      if (scope === "all" || scope === "tokens") await memory.save({ tokens: undefined });
    },
  };
}

/** For connections nobody watches: tokens are used and renewed, and a person is never sent anywhere. */
export function silentProvider(memory: OAuthMemory): OAuthClientProvider {
  return oauthProvider(memory, {
    redirectUrl: `http://127.0.0.1:${memory.port ?? 0}/callback`,
    state: randomUUID(),
    redirect() {
      throw new UnauthorizedError("it wants a new sign-in");
    },
  });
}
