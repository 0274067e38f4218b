// A Provider from an AI SDK model: translate, stream, and turn every error into an ending.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type FailureContext, toFailure } from "./failures.ts";
import { type ModelInfo, type ModelRequest, type Provider, ProviderError, type StreamPart } from "./provider.ts";
import { CutStreamError, ForeignAnswerError, toReply } from "./sdk-reply.ts";
import { type Dialect, toCall } from "./sdk-request.ts";

export interface SdkProviderOptions {
  readonly name: string;
  readonly dialect: Dialect;
  readonly failure: FailureContext;
  /** Loads the SDK; called once, on first use. */
  load(): Promise<(modelId: string) => LanguageModelV4>;
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>;
}

export function createSdkProvider(options: SdkProviderOptions): Provider {
  const { name, dialect, failure } = options;
  let loading: Promise<(modelId: string) => LanguageModelV4> | undefined;
  // A model builds its schemas anew, which costs as much as a request.
  const models = new Map<string, LanguageModelV4>();
  async function modelOf(id: string): Promise<LanguageModelV4> {
    loading ??= options.load();
    const model = models.get(id) ?? (await loading)(id);
    models.set(id, model);
    return model;
  }
  return {
    name,
    async *stream(request: ModelRequest): AsyncGenerator<StreamPart> {
      const context = { ...failure, model: request.model, signal: request.signal };
      let answered: string | undefined;
      try {
        const model = await modelOf(request.model);
        request.signal.throwIfAborted();
        const { stream, response } = await model.doStream(toCall(request, dialect));
        answered = response?.headers?.["content-type"];
        yield* toReply(stream, dialect.namespace);
      } catch (error) {
        // A page or a plain object holds no event, so to the SDK it is a stream that was cut at once.
        const isForeign = error instanceof CutStreamError && answered && !answered.startsWith("text/event-stream");
        const problem = isForeign ? new ForeignAnswerError(answered!) : error;
        yield { type: "failed", failure: toFailure(problem, context) };
      }
    },
    async warm(model) {
      await modelOf(model).catch(() => undefined);
    },
    async models(signal) {
      try {
        return await options.list(signal);
      } catch (error) {
        throw new ProviderError(toFailure(error, { ...failure, signal }));
      }
    },
  };
}
