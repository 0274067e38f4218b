// The stream of an AI SDK model as ours: deltas as they come, whole parts in the order in which they began.

import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { Part, ProviderData, Usage } from "../protocol/message.ts";
import type { StreamPart } from "./provider.ts";

/** An error that a server sent inside a running stream; `cause` is what it said. */
export class StreamError extends Error {
  constructor(cause: unknown) {
    super("the stream reported an error", { cause });
    this.name = "StreamError";
  }
}

/** The stream ended without the end its protocol demands. */
export class CutStreamError extends Error {
  constructor() {
    super("the stream ended before the reply did");
    this.name = "CutStreamError";
  }
}

/** What came was no stream of events, but a page of some proxy, or a whole answer. */
export class ForeignAnswerError extends Error {
  constructor(contentType: string) {
    super(`${contentType} where a stream of events was asked for`);
    this.name = "ForeignAnswerError";
  }
}

/**
 * Ends with one `finished`, or throws what the stream threw, StreamError or CutStreamError. `namespace` is kept of the
 * data that comes with parts; thinking always carries it, so that its origin stays known.
 */
export async function* toReply(
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  namespace: string,
): AsyncGenerator<StreamPart> {
  const open = new OpenParts(namespace);
  for await (const part of stream) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        open.begin(part.id, part.type === "text-start" ? "text" : "thinking", part.providerMetadata);
        break;
      case "text-delta":
      case "reasoning-delta":
        open.grow(part.id, part.delta, part.providerMetadata);
        if (part.delta !== "") yield { type: part.type === "text-delta" ? "text" : "thinking", delta: part.delta };
        break;
      case "text-end":
      case "reasoning-end":
        open.end(part.id, part.providerMetadata);
        yield* open.settled();
        break;
      case "tool-input-start":
        open.expect(part.id);
        yield { type: "call-started", callId: part.id, tool: part.toolName };
        break;
      case "tool-input-delta":
        open.grow(part.id, part.delta, undefined);
        if (part.delta !== "") yield { type: "call-grew", callId: part.id, delta: part.delta };
        break;
      case "tool-call": {
        const { toolCallId: callId, toolName: tool } = part;
        // What was streamed is what the model wrote; one SDK replaces broken JSON by `{}`.
        const input = parseInput(open.textOf(callId) || part.input);
        open.settle(callId, { type: "tool-call", callId, tool, ...input, ...open.data(part.providerMetadata) });
        yield* open.settled();
        break;
      }
      case "error":
        throw isCut(part.error) ? new CutStreamError() : new StreamError(part.error);
      case "finish": {
        yield* open.settled();
        const reason = toReason(part.finishReason, open.hasCalls);
        if (reason === undefined) throw new CutStreamError();
        yield { type: "finished", reason, usage: toUsage(part.usage) };
        return;
      }
    }
  }
  throw new CutStreamError();
}

/** One SDK words a stream without an end as an error of the server. */
function isCut(error: unknown): boolean {
  return error instanceof Error && /ended without a finish reason/.test(error.message);
}

/** What the model wrote as a call's input: JSON, or the raw text and what is wrong with it. */
function parseInput(raw: string): { input: unknown; malformed?: string } {
  if (raw.trim() === "") return { input: {} };
  try {
    return { input: JSON.parse(raw) };
  } catch (error) {
    return { input: raw, malformed: error instanceof Error ? error.message : String(error) };
  }
}

interface OpenPart {
  readonly id: string;
  readonly kind: "text" | "thinking" | "call";
  text: string;
  metadata: Record<string, unknown>;
  part?: Part;
}

/** Parts that began and have not been handed on; a finished one waits for those before it. */
class OpenParts {
  readonly #namespace: string;
  #parts: OpenPart[] = [];
  hasCalls = false;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  begin(id: string, kind: "text" | "thinking", metadata: SharedV4ProviderMetadata | undefined): void {
    const part: OpenPart = { id, kind, text: "", metadata: {} };
    this.#parts.push(part);
    this.#note(part, metadata);
  }

  expect(id: string): void {
    this.hasCalls = true;
    this.#parts.push({ id, kind: "call", text: "", metadata: {} });
  }

  grow(id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const part = this.#find(id);
    if (part === undefined) return;
    part.text += delta;
    this.#note(part, metadata);
  }

  textOf(id: string): string {
    return this.#find(id)?.text ?? "";
  }

  end(id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const part = this.#find(id);
    if (part === undefined || part.kind === "call") return;
    this.#note(part, metadata);
    const hasData = Object.keys(part.metadata).length > 0;
    const provider = part.kind === "thinking" || hasData ? { provider: { [this.#namespace]: part.metadata } } : {};
    part.part = { type: part.kind, text: part.text, ...provider };
  }

  settle(id: string, whole: Part): void {
    this.hasCalls = true;
    const part = this.#find(id);
    if (part !== undefined) part.part = whole;
    else this.#parts.push({ id, kind: "call", text: "", metadata: {}, part: whole });
  }

  *settled(): Generator<StreamPart> {
    while (this.#parts[0]?.part !== undefined) {
      const { part } = this.#parts.shift()!;
      // A block that held nothing and signs nothing is noise.
      if (part!.type === "text" && part!.text === "" && part!.provider === undefined) continue;
      yield { type: "part", part: part! };
    }
  }

  data(metadata: SharedV4ProviderMetadata | undefined): { provider?: ProviderData } {
    const own = metadata?.[this.#namespace];
    return own === undefined || Object.keys(own).length === 0 ? {} : { provider: { [this.#namespace]: own } };
  }

  #find(id: string): OpenPart | undefined {
    return this.#parts.findLast((part) => part.id === id && part.part === undefined);
  }

  #note(part: OpenPart, metadata: SharedV4ProviderMetadata | undefined): void {
    for (const [key, value] of Object.entries(metadata?.[this.#namespace] ?? {})) {
      if (value !== null && value !== undefined) part.metadata[key] = value;
    }
  }
}

function toReason(
  reason: LanguageModelV4FinishReason,
  hasCalls: boolean,
): "stop" | "calls" | "length" | "content_filter" | "other" | undefined {
  switch (reason.unified) {
    case "stop":
    case "tool-calls":
      // Some servers say "stop" after calls, and some "tool_calls" without one.
      return hasCalls ? "calls" : "stop";
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "interrupted":
    case "error":
      return undefined;
    case "other":
      return reason.raw === undefined ? undefined : "other";
  }
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const { total, cacheRead, cacheWrite } = inputTokens;
  return {
    input: total ?? 0,
    output: outputTokens.total ?? 0,
    ...(cacheRead ? { cached: cacheRead } : {}),
    ...(cacheWrite ? { cacheWritten: cacheWrite } : {}),
    ...(outputTokens.reasoning ? { reasoning: outputTokens.reasoning } : {}),
  };
}
