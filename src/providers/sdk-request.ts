// Our messages and tools as a call of an AI SDK model. Pure and deterministic: the same request gives the same bytes,
// and appending messages changes nothing before them (but where cache markers stand).

import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ImagePart, Message, ProviderData, ToolCallPart, ToolResultPart } from "../protocol/message.ts";
import type { ThinkLevel } from "../protocol/status.ts";
import type { ModelRequest } from "./provider.ts";

/** What one wire format wants differently. */
export interface Dialect {
  /** The name under which the SDK reads options and returns data with parts. */
  readonly namespace: string;
  /** Whether a server wants its own reasoning back; another provider's never goes out. */
  readonly echoesReasoning: boolean;
  /** Images inside a tool result; without it they follow in a user message. */
  readonly imagesInResults: boolean;
  effort(think: ThinkLevel, request: ModelRequest): LanguageModelV4CallOptions["reasoning"];
  options?(request: ModelRequest): SharedV4ProviderOptions[string] | undefined;
  /** Where the prompt may be cached; changes markers only. */
  mark?(call: LanguageModelV4CallOptions, request: ModelRequest): LanguageModelV4CallOptions;
}

export function toCall(request: ModelRequest, dialect: Dialect): LanguageModelV4CallOptions {
  const { generation = {}, responseFormat } = request;
  const options = dialect.options?.(request);
  const call: LanguageModelV4CallOptions = {
    prompt: toPrompt(request, dialect),
    reasoning: dialect.effort(request.think, request) ?? "provider-default",
    abortSignal: request.signal,
  };
  if (request.tools.length > 0) {
    call.tools = request.tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      inputSchema: parameters as JSONSchema7,
    }));
    call.toolChoice = { type: "auto" };
  }
  if (generation.maxOutputTokens !== undefined) call.maxOutputTokens = generation.maxOutputTokens;
  if (generation.temperature !== undefined) call.temperature = generation.temperature;
  if (generation.topP !== undefined) call.topP = generation.topP;
  if (generation.topK !== undefined) call.topK = generation.topK;
  if (generation.frequencyPenalty !== undefined) call.frequencyPenalty = generation.frequencyPenalty;
  if (generation.presencePenalty !== undefined) call.presencePenalty = generation.presencePenalty;
  if (generation.seed !== undefined) call.seed = generation.seed;
  if (generation.stop?.length) call.stopSequences = [...generation.stop];
  if (responseFormat?.type === "json_object") call.responseFormat = { type: "json" };
  if (responseFormat?.type === "json_schema") {
    call.responseFormat = {
      type: "json",
      schema: responseFormat.schema as JSONSchema7,
      ...(responseFormat.name === undefined ? {} : { name: responseFormat.name }),
    };
  }
  if (options !== undefined) call.providerOptions = { [dialect.namespace]: options };
  return dialect.mark?.(call, request) ?? call;
}

function toPrompt(request: ModelRequest, dialect: Dialect): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  if (request.system !== "") prompt.push({ role: "system", content: request.system });
  let images: { tool: string; image: ImagePart }[] = [];
  for (const message of request.messages) {
    // All results of a reply must follow it before anything else may speak.
    if (message.role !== "tool") images = flushImages(images, prompt);
    const turned = turn(message, dialect);
    if (turned !== undefined) prompt.push(turned);
    if (message.role === "tool" && !dialect.imagesInResults) images.push(...imagesOf(message));
  }
  flushImages(images, prompt);
  return prompt;
}

function imagesOf(message: Message): { tool: string; image: ImagePart }[] {
  return message.parts.flatMap((part) =>
    part.type === "tool-result" ? (part.images ?? []).map((image) => ({ tool: part.tool, image })) : [],
  );
}

function flushImages(images: readonly { tool: string; image: ImagePart }[], prompt: LanguageModelV4Prompt): [] {
  if (images.length > 0) {
    const content = images.flatMap(({ tool, image }) => [
      { type: "text" as const, text: `Image from ${tool}${image.name === undefined ? "" : `: ${image.name}`}` },
      toFile(image),
    ]);
    prompt.push({ role: "user", content });
  }
  return [];
}

/**
 * A request repeats all messages before its own. Each is turned once, so that the whole history costs nothing again,
 * and stays the same object, by which the bundled SDK knows what it has turned already (`bin/bundle-patches.mjs`).
 */
const turnedBefore = new WeakMap<Dialect, WeakMap<Message, LanguageModelV4Message | undefined>>();

function turn(message: Message, dialect: Dialect): LanguageModelV4Message | undefined {
  const known = turnedBefore.get(dialect) ?? new WeakMap();
  if (known.has(message)) return known.get(message);
  const turned = toMessage(message, dialect);
  turnedBefore.set(dialect, known.set(message, turned));
  return turned;
}

/** Nothing for a message with nothing to say: providers refuse empty ones. */
function toMessage(message: Message, dialect: Dialect): LanguageModelV4Message | undefined {
  if (message.role === "user") {
    const content: Extract<LanguageModelV4Message, { role: "user" }>["content"] = [];
    for (const part of message.parts) {
      if (part.type === "text" && part.text !== "") content.push({ type: "text", text: part.text });
      if (part.type === "image") content.push(toFile(part));
    }
    return content.length === 0 ? undefined : { role: "user", content };
  }
  if (message.role === "tool") {
    const content = message.parts.flatMap((part) => (part.type === "tool-result" ? [toResult(part, dialect)] : []));
    return content.length === 0 ? undefined : { role: "tool", content };
  }
  const content: Extract<LanguageModelV4Message, { role: "assistant" }>["content"] = [];
  for (const part of message.parts) {
    if (part.type === "tool-result" || part.type === "image") continue;
    const own = ownData(part.provider, dialect);
    if (part.type === "text" && (part.text !== "" || own.providerOptions !== undefined)) {
      content.push({ type: "text", text: part.text, ...own });
    } else if (part.type === "thinking" && dialect.echoesReasoning && own.providerOptions !== undefined) {
      content.push({ type: "reasoning", text: part.text, ...own });
    } else if (part.type === "tool-call") {
      content.push({ type: "tool-call", toolCallId: part.callId, toolName: part.tool, input: toInput(part), ...own });
    }
  }
  return content.length === 0 ? undefined : { role: "assistant", content };
}

/** Data of another provider (the model was changed) would be refused, and so would its reasoning. */
function ownData(provider: ProviderData | undefined, dialect: Dialect): { providerOptions?: SharedV4ProviderOptions } {
  const own = provider?.[dialect.namespace];
  if (own === undefined) return {};
  return { providerOptions: { [dialect.namespace]: own as SharedV4ProviderOptions[string] } };
}

/** Every format wants an object here, also for what was never JSON. */
function toInput(call: ToolCallPart): unknown {
  const { input } = call;
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  return { malformed_input: input };
}

function toResult(part: ToolResultPart, dialect: Dialect): LanguageModelV4ToolResultPart {
  const result = { type: "tool-result" as const, toolCallId: part.callId, toolName: part.tool };
  if (dialect.imagesInResults && part.images !== undefined && part.images.length > 0) {
    const value = [{ type: "text" as const, text: part.text }, ...part.images.map(toFile)];
    return { ...result, output: { type: "content", value } };
  }
  return { ...result, output: { type: part.failed ? "error-text" : "text", value: part.text } };
}

function toFile(image: ImagePart): Omit<LanguageModelV4FilePart, "providerOptions"> {
  return {
    type: "file",
    mediaType: image.mediaType,
    data: { type: "data", data: image.data },
    ...(image.name === undefined ? {} : { filename: image.name }),
  };
}
