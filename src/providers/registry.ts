// A configured provider (aura 17.7) as a Provider. Each format's code is loaded when it is first asked for.

import type { Endpoint } from "./endpoint.ts";
import { type ModelInfo, type Provider, ProviderError, type ProviderFailure } from "./provider.ts";
import { createRetry, type RetryOptions, sleep } from "./retry.ts";
import { createTransport, type Transport } from "./transport.ts";

export type ProviderType =
  | "anthropic"
  | "openai"
  | "openai-compatible"
  | "google"
  | "ollama"
  | "llamacpp"
  | "openrouter"
  | "copilot"
  | "codex";

export interface ProviderConfig {
  readonly name: string;
  readonly type: ProviderType;
  readonly url?: string;
  /** Already expanded. When empty, the type's usual variable counts, at the type's usual host. */
  readonly token?: string;
  /** Globs (`*`, `?`) over model names, without regard to case; `exclude` wins. */
  readonly models?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  readonly keepAlive?: string;
  /** Longest silence of the server; 5 minutes by default. */
  readonly timeoutMs?: number;
  /** `maxAttempts` counts tries, the first included; absent or 0 is 4. */
  readonly retry?: { readonly maxAttempts?: number; readonly baseDelayMs?: number; readonly maxDelayMs?: number };
}

export interface OpenOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One for all providers of a process keeps connections warm; made from `env` when absent. */
  readonly transport?: Transport;
  readonly random?: RetryOptions["random"];
  readonly sleep?: RetryOptions["sleep"];
  readonly onRetry?: RetryOptions["onRetry"];
}

/** Does no input or output. Everything that can go wrong ends the first stream, or throws ProviderError from `models`. */
export function openProvider(config: ProviderConfig, options: OpenOptions): Provider {
  const known = TYPES[config.type];
  if (known === undefined)
    return refuse(
      config,
      `Providers of type ${config.type} are not supported yet. Use ${Object.keys(TYPES).join(", ")}.`,
    );
  const url = config.url || known.url;
  if (url === undefined) return refuse(config, `The provider ${config.name} needs a url.`);
  if (!URL.canParse(url)) return refuse(config, `The url of the provider ${config.name} is not an address: ${url}`);
  // A key of the environment goes to the host it belongs to and nowhere else.
  const isUsual = known.url !== undefined && new URL(url).host === new URL(known.url).host;
  const token = config.token || (isUsual ? (known.keys.map((key) => options.env[key]).find(Boolean) ?? "") : "");
  const keyFrom = known.keys[0];
  if (token === "" && keyFrom !== undefined && isUsual) {
    return refuse(
      config,
      `There is no key for the provider ${config.name}. Set ${keyFrom}, or \`token\` in its configuration.`,
    );
  }
  const endpoint: Endpoint = {
    name: config.name,
    type: config.type,
    url,
    token,
    ...(keyFrom === undefined ? {} : { keyFrom: `${keyFrom} or the provider's token` }),
    ...(config.keepAlive ? { keepAlive: config.keepAlive } : {}),
    transport: (options.transport ?? createTransport({ env: options.env })).withTimeout(config.timeoutMs || 300_000),
  };
  return createRetry(
    limit(
      defer(config.name, () => known.open(endpoint)),
      config,
    ),
    {
      attempts: config.retry?.maxAttempts || 4,
      baseDelayMs: config.retry?.baseDelayMs || 1000,
      maxDelayMs: config.retry?.maxDelayMs || 30_000,
      random: options.random ?? Math.random,
      sleep: options.sleep ?? sleep,
      ...(options.onRetry === undefined ? {} : { onRetry: options.onRetry }),
    },
  );
}

interface Type {
  readonly url?: string;
  /** The variables that usually hold the key. */
  readonly keys: readonly string[];
  open(endpoint: Endpoint): Promise<Provider>;
}

const openCompatible = async (endpoint: Endpoint) =>
  (await import("./openai-compatible.ts")).openOpenAiCompatible(endpoint);

const TYPES: Readonly<Partial<Record<ProviderType, Type>>> = {
  anthropic: {
    url: "https://api.anthropic.com/v1",
    keys: ["ANTHROPIC_API_KEY"],
    open: async (endpoint) => (await import("./anthropic.ts")).openAnthropic(endpoint),
  },
  openai: {
    url: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY"],
    open: async (endpoint) => (await import("./openai.ts")).openOpenAi(endpoint),
  },
  google: {
    url: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    open: async (endpoint) => (await import("./google.ts")).openGoogle(endpoint),
  },
  openrouter: {
    url: "https://openrouter.ai/api/v1",
    keys: ["OPENROUTER_API_KEY"],
    open: async (endpoint) => (await import("./openrouter.ts")).openOpenRouter(endpoint),
  },
  ollama: {
    url: "http://127.0.0.1:11434",
    keys: [],
    open: async (endpoint) => (await import("./ollama.ts")).openOllama(endpoint),
  },
  llamacpp: { url: "http://127.0.0.1:8080/v1", keys: [], open: openCompatible },
  "openai-compatible": { keys: [], open: openCompatible },
};

/** The provider behind `load`, loaded once, when first asked. */
function defer(name: string, load: () => Promise<Provider>): Provider {
  let loading: Promise<Provider> | undefined;
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  return {
    name,
    async *stream(request) {
      yield* (await loaded()).stream(request);
    },
    warm: async (model) => {
      const provider = await loaded().catch(() => undefined);
      await provider?.warm?.(model);
    },
    models: async (signal) => (await loaded()).models(signal),
  };
}

/** Only the models that the configuration lets through. */
function limit(provider: Provider, { models }: ProviderConfig): Provider {
  if (models === undefined) return provider;
  const { include = [], exclude = [] } = models;
  const isListed = ({ name }: ModelInfo) =>
    (include.length === 0 || include.some((glob) => matches(glob, name))) &&
    !exclude.some((glob) => matches(glob, name));
  return { ...provider, models: async (signal) => (await provider.models(signal)).filter(isListed) };
}

function matches(glob: string, name: string): boolean {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "i").test(name);
}

function refuse({ name }: ProviderConfig, message: string): Provider {
  const failure: ProviderFailure = { kind: "bad_request", message, retryable: false };
  return {
    name,
    async *stream() {
      yield { type: "failed", failure };
    },
    models: () => Promise.reject(new ProviderError(failure)),
  };
}
