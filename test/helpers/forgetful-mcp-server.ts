import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** An MCP server over HTTP that can forget its sessions, as one does that is started anew. Its tool counts its calls. */
export async function startForgetfulServer() {
  const known = new Set<string>();
  let sessions = 0;
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const session = String(request.headers["mcp-session-id"] ?? "");
    if (method !== "initialize" && !known.has(session)) return answer(response, 404, {});
    if (id === undefined) return void response.writeHead(202).end();
    const methods: Readonly<Record<string, () => object>> = {
      initialize: () => {
        known.add(`s${++sessions}`);
        return {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "forgetful", version: "1" },
        };
      },
      "tools/list": () => ({ tools: [{ name: "count", inputSchema: { type: "object" } }] }),
      "tools/call": () => ({ content: [{ type: "text", text: `call ${++count} in session ${session}` }] }),
    };
    const result = methods[method]?.() ?? {};
    if (method === "initialize") response.setHeader("mcp-session-id", `s${sessions}`);
    answer(response, 200, { jsonrpc: "2.0", id, result });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`,
    forget: () => known.clear(),
    get sessions() {
      return sessions;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

function answer(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
