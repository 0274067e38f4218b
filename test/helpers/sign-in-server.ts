import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface SignInServer {
  /** Of the MCP endpoint, which wants a token. */
  readonly url: string;
  /** What was asked of it, `METHOD /path`. */
  readonly log: string[];
  /** Redirect addresses that clients registered with. */
  readonly registered: string[];
  /** From now on these tokens are no longer taken, and only a refresh helps. */
  expire(): void;
  close(): void;
}

/** An MCP endpoint with one tool behind OAuth 2.1: discovery, registration, PKCE, refresh and the device flow. */
export async function startSignInServer(options: { readonly device?: boolean } = {}): Promise<SignInServer> {
  const log: string[] = [];
  const registered: string[] = [];
  const codes = new Map<string, string>();
  let good = new Set<string>();
  let polls = 0;
  const server = createServer((request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url = new URL(request.url ?? "/", base);
    log.push(`${request.method} ${url.pathname}`);
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    const grant = () => {
      const access_token = randomUUID();
      good.add(access_token);
      json(200, { access_token, token_type: "Bearer", expires_in: 3600, refresh_token: "again" });
    };
    void bodyOf(request).then((body) => {
      const form = new URLSearchParams(body);
      switch (url.pathname) {
        case "/mcp": {
          const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
          const where = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"`;
          if (!good.has(token)) return json(401, { error: "invalid_token" }, { "www-authenticate": where });
          if (request.method !== "POST") return json(405, {});
          return answer(JSON.parse(body), json);
        }
        case "/.well-known/oauth-protected-resource":
        case "/.well-known/oauth-protected-resource/mcp":
          return json(200, { resource: `${base}/mcp`, authorization_servers: [base] });
        case "/.well-known/oauth-authorization-server":
          return json(200, {
            issuer: base,
            authorization_endpoint: `${base}/authorize`,
            token_endpoint: `${base}/token`,
            registration_endpoint: `${base}/register`,
            response_types_supported: ["code"],
            code_challenge_methods_supported: ["S256"],
            ...(options.device && { device_authorization_endpoint: `${base}/device` }),
          });
        case "/register": {
          const asked = JSON.parse(body);
          registered.push(...asked.redirect_uris);
          return json(201, { ...asked, client_id: `client-${registered.length}` });
        }
        case "/authorize": {
          const code = randomUUID();
          codes.set(code, url.searchParams.get("code_challenge") ?? "");
          const back = new URL(url.searchParams.get("redirect_uri") ?? "");
          back.search = new URLSearchParams({ code, state: url.searchParams.get("state") ?? "" }).toString();
          response.writeHead(302, { location: back.href });
          return response.end();
        }
        case "/device":
          return json(200, {
            device_code: "d1",
            user_code: "ABCD-EFGH",
            verification_uri: `${base}/activate`,
            expires_in: 60,
            interval: 0.01,
          });
        case "/token": {
          const kind = form.get("grant_type");
          if (kind === "refresh_token" && form.get("refresh_token") === "again") return grant();
          if (kind?.endsWith("device_code"))
            return polls++ < 2 ? json(400, { error: "authorization_pending" }) : grant();
          const proof = createHash("sha256")
            .update(form.get("code_verifier") ?? "")
            .digest("base64url");
          return codes.get(form.get("code") ?? "") === proof ? grant() : json(400, { error: "invalid_grant" });
        }
        default:
          return json(404, {});
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    log,
    registered,
    expire() {
      good = new Set();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

function answer(
  { id, method, params }: { id?: number; method: string; params: Record<string, unknown> },
  json: (status: number, body: unknown) => void,
): void {
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.["protocolVersion"],
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
    },
    "tools/list": { tools: [{ name: "secret", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "the secret" }] },
  };
  if (id === undefined) json(202, {});
  else json(200, { jsonrpc: "2.0", id, result: results[method] });
}
