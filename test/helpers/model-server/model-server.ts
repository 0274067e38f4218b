// A loopback server that speaks the protocols of real model servers and plays what a test tells it to.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelTurn, Wire } from "./turn.ts";
import { failureFrame, framesOf } from "./wires.ts";

interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of five formats
  readonly body: any;
  /** Resolves when the connection's answer is over: true when the client went away first. */
  readonly leftEarly: Promise<boolean>;
}

export interface ModelServer {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Requests for replies, in the order of their arrival; questions for models are not among them. */
  readonly requests: RecordedRequest[];
  /** What comes next; the last turn repeats. */
  play(...turns: ModelTurn[]): void;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  let turns: ModelTurn[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString("utf8");
      const path = request.url ?? "/";
      const wire = wireOf(path);
      if (wire === undefined) return answerLists(path, raw, response);
      const leftEarly = new Promise<boolean>((resolve) =>
        response.on("close", () => resolve(!response.writableFinished)),
      );
      requests.push({ path, headers: request.headers, raw, body: JSON.parse(raw), leftEarly });
      answer(wire, (turns.length > 1 ? turns.shift() : turns[0]) ?? {}, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play: (...next) => {
      turns = next;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function wireOf(path: string): Wire | undefined {
  if (path.endsWith("/messages")) return "anthropic";
  if (path.endsWith("/responses")) return "responses";
  if (path.endsWith("/chat/completions")) return path.startsWith("/openrouter") ? "openrouter" : "chat";
  return /:streamGenerateContent/.test(path) ? "gemini" : undefined;
}

function answer(wire: Wire, turn: ModelTurn, response: ServerResponse): void {
  if (turn.status !== undefined) {
    response.writeHead(turn.status, { "content-type": "application/json", ...turn.headers });
    response.end(typeof turn.body === "string" ? turn.body : JSON.stringify(turn.body ?? {}));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", ...turn.headers });
  const frames = framesOf(wire, turn);
  const count = turn.cutAfter ?? turn.endAfter ?? turn.failAfter ?? turn.hangAfter ?? frames.length;
  response.write(frames.slice(0, count).join(""), () => {
    if (turn.cutAfter !== undefined) response.destroy();
    else if (turn.failAfter !== undefined) response.end(failureFrame(wire));
    else if (turn.hangAfter === undefined) response.end();
  });
}

function answerLists(path: string, raw: string, response: ServerResponse): void {
  const found = LISTS.find(([pattern]) => pattern.test(path))?.[1];
  response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(found?.(raw) ?? { error: { message: `nothing at ${path}` } }));
}

const LISTS: readonly (readonly [RegExp, (raw: string) => unknown])[] = [
  [
    /^\/anthropic.*\/models/,
    () => ({ data: [{ id: "claude-sonnet-5-5", max_input_tokens: 900_000, max_tokens: 64_000 }] }),
  ],
  [
    /^\/gemini.*\/models/,
    () => ({
      models: [
        {
          name: "models/gemini-x",
          inputTokenLimit: 1000,
          outputTokenLimit: 100,
          supportedGenerationMethods: ["generateContent"],
        },
        { name: "models/embed-x", supportedGenerationMethods: ["embedContent"] },
      ],
    }),
  ],
  [
    /^\/openrouter.*\/models/,
    () => ({
      data: [
        {
          id: "maker/model",
          context_length: 5000,
          top_provider: { max_completion_tokens: 500 },
          pricing: { prompt: "0.000002", completion: "0.00001", input_cache_read: "0.0000002" },
          supported_parameters: ["tools", "reasoning"],
          architecture: { input_modalities: ["text", "image"] },
        },
      ],
    }),
  ],
  [/\/api\/tags$/, () => ({ models: [{ name: "coder:7b" }] })],
  [
    /\/api\/show$/,
    (raw) => ({
      model_info: { "qwen.context_length": 32_768 },
      parameters: "temperature 0.7\nnum_ctx 8192",
      details: { parameter_size: "7.6B" },
      capabilities: ["completion", "tools", JSON.parse(raw).model === "coder:7b" ? "vision" : "embedding"],
    }),
  ],
  [/\/models$/, () => ({ data: [{ id: "served", max_model_len: 4096 }] })],
];
