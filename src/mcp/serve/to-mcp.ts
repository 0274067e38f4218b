import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import type { CallOutput } from "../../protocol/tool-call.ts";
import { checkInput } from "../../toolkit/check-input.ts";
import { CALL_ID } from "../call-id.ts";
import type { ServedPrompt, ServedServer, ServedTool } from "./served-server.ts";
import { respell } from "./spellings.ts";

/** One call as it reached a server. */
export interface IncomingCall {
  /** The call of ours it is, when the client is we ourselves. */
  readonly callId?: string;
  readonly signal: AbortSignal;
  /** A line of progress for the client; dropped when it did not ask for any. */
  print(line: string): void;
}

/** Does the work of one checked call. @throws Error whose message the client's model reads */
export type RunCall = (tool: ServedTool, input: Record<string, unknown>, call: IncomingCall) => Promise<CallOutput>;

/** The MCP server object of one of our servers, not connected yet. Loads the SDK. */
export async function toMcp(served: ServedServer, run: RunCall): Promise<Server> {
  const [{ Server }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const server = new Server(
    { name: served.name, version: "1" },
    {
      capabilities: { tools: {}, ...(served.prompts && { prompts: {} }) },
      ...(served.instructions !== undefined && { instructions: served.instructions }),
    },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: served.tools().present.map(listed) }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const { present, absent } = served.tools();
    const found = present.find(({ tool }) => tool.name === params.name);
    if (!found) {
      const missing = absent.find(({ name }) => name === params.name);
      const known = present.map(({ tool }) => tool.name).join(", ");
      return failure(missing ? `${params.name}: ${missing.reason}` : `unknown tool "${params.name}"; known: ${known}`);
    }
    const checked = checkInput(found.tool.input, respell(found.tool.input, params.arguments ?? {}));
    if (!checked.ok) return failure(checked.problems.join("\n"));
    const meta = params._meta;
    const callId = meta?.[CALL_ID];
    const token = meta?.progressToken;
    let progress = 0;
    const print = (message: string) => {
      if (token === undefined || extra.signal.aborted) return;
      const params = { progressToken: token, progress: ++progress, message };
      // The client may be gone by now; then nobody misses the line.
      void extra.sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
    };
    try {
      const output = await run(found, checked.input, {
        ...(typeof callId === "string" && { callId }),
        signal: extra.signal,
        print,
      });
      return success(output, found);
    } catch (error) {
      return failure(error instanceof Error ? error.message : String(error));
    }
  });
  if (served.prompts) offerPrompts(server, types, () => served.prompts!());
  return server;
}

function listed({ tool, readOnly }: ServedTool): ListedTool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input as unknown as ListedTool["inputSchema"], // the same JSON Schema, typed read-only by us
    ...(readOnly && { annotations: { readOnlyHint: true } }),
  };
}

function success({ text, images }: CallOutput, { structured }: ServedTool): CallToolResult {
  return {
    content: [
      { type: "text", text },
      ...(images ?? []).map(({ data, mediaType }) => ({ type: "image" as const, data, mimeType: mediaType })),
    ],
    ...(structured && { structuredContent: JSON.parse(text) as Record<string, unknown> }),
  };
}

const failure = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

function offerPrompts(
  server: Server,
  types: typeof import("@modelcontextprotocol/sdk/types.js"),
  prompts: () => Promise<readonly ServedPrompt[]>,
): void {
  server.setRequestHandler(types.ListPromptsRequestSchema, async () => ({
    prompts: (await prompts()).map(({ name, description, argumentHint }) => ({
      name,
      description,
      arguments: [{ name: "ARGUMENTS", description: argumentHint ?? "what comes after the name", required: false }],
    })),
  }));
  server.setRequestHandler(types.GetPromptRequestSchema, async ({ params }) => {
    const all = await prompts();
    const prompt = all.find(({ name }) => name === params.name);
    if (!prompt) throw new Error(`unknown prompt "${params.name}"; known: ${all.map(({ name }) => name).join(", ")}`);
    const given = Object.values(params.arguments ?? {}).join(" ");
    const text = await prompt.render(given);
    return {
      description: prompt.description,
      messages: [{ role: "user", content: { type: "text", text } }],
    };
  });
}
