// What to start with when nothing is configured: a key in the environment, else a server on this machine.

import { entries, readOpenAiEntry } from "./model-list.ts";
import type { ModelInfo, Provider } from "./provider.ts";
import type { ProviderConfig } from "./registry.ts";

export interface Detected {
  readonly config: ProviderConfig;
  /** Absent when only the server knows its models: then `chooseModel` asks it, once, before the first turn. */
  readonly model?: string;
  /** One sentence for the person: what was chosen and why. */
  readonly because: string;
}

/** GETs JSON from a local address; undefined when nothing answers within `timeoutMs`. Must not throw. */
export type Probe = (url: string, timeoutMs: number) => Promise<unknown>;

type Env = Readonly<Record<string, string | undefined>>;

/** Keys first, in the order of this table, without any request; then local servers, all at once. */
export async function detect(env: Env, probe: Probe): Promise<Detected | undefined> {
  for (const look of [fromOpenAiUrl, ...KEYS.map(fromKey)]) {
    const found = look(env);
    if (found !== undefined) return found;
  }
  const answers = await Promise.all(LOCAL.map((server) => fromServer(server, probe)));
  return answers.find((answer) => answer !== undefined);
}

/** The best model for this work that `provider` lists, or undefined when it lists none. Throws ProviderError. */
export async function chooseModel(provider: Provider, signal: AbortSignal): Promise<ModelInfo | undefined> {
  return mostSuitable(await provider.models(signal));
}

/** The model to begin with at a provider that is known here by its name. */
export function defaultModel(provider: string): string | undefined {
  return KEYS.find(({ config }) => config.name === provider)?.model;
}

/** OPENAI_BASE_URL with another host than OpenAI's: a compatible server. It needs no key if it says so itself. */
function fromOpenAiUrl(env: Env): Detected | undefined {
  const url = env["OPENAI_BASE_URL"];
  if (!url || !URL.canParse(url) || /(^|\.)openai\.com$/.test(new URL(url).hostname)) return undefined;
  const model = env["OPENAI_MODEL"];
  const token = env["OPENAI_API_KEY"];
  return {
    config: { name: "openai-compatible", type: "openai-compatible", url, ...(token ? { token } : {}) },
    ...(model ? { model } : {}),
    because: `Using ${model || "a model of"}${model ? " at" : ""} ${new URL(url).host}, because OPENAI_BASE_URL is set.`,
  };
}

interface Key {
  readonly variables: readonly string[];
  readonly config: Omit<ProviderConfig, "token">;
  readonly model: string;
  /** A variable that names another model. */
  readonly modelFrom?: string;
}

const compatible = (name: string, url: string) => ({ name, type: "openai-compatible", url }) as const;

const KEYS: readonly Key[] = [
  {
    variables: ["ANTHROPIC_API_KEY"],
    config: { name: "anthropic", type: "anthropic" },
    model: "claude-sonnet-5-5",
    modelFrom: "ANTHROPIC_MODEL",
  },
  {
    variables: ["OPENAI_API_KEY"],
    config: { name: "openai", type: "openai" },
    model: "gpt-6.1-sol",
    modelFrom: "OPENAI_MODEL",
  },
  {
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    config: { name: "google", type: "google" },
    model: "gemini-3.8-flash",
    modelFrom: "GEMINI_MODEL",
  },
  {
    variables: ["OPENROUTER_API_KEY"],
    config: { name: "openrouter", type: "openrouter" },
    model: "openai/gpt-6.1-sol",
  },
  {
    variables: ["GROQ_API_KEY"],
    config: compatible("groq", "https://api.groq.com/openai/v1"),
    model: "openai/gpt-oss-120b",
  },
  {
    variables: ["MISTRAL_API_KEY"],
    config: compatible("mistral", "https://api.mistral.ai/v1"),
    model: "devstral-medium-latest",
  },
  {
    variables: ["DEEPSEEK_API_KEY"],
    config: compatible("deepseek", "https://api.deepseek.com/v1"),
    model: "deepseek-chat",
  },
  { variables: ["XAI_API_KEY"], config: compatible("xai", "https://api.x.ai/v1"), model: "grok-4" },
];

const fromKey =
  (key: Key) =>
  (env: Env): Detected | undefined => {
    const variable = key.variables.find((name) => env[name]);
    if (variable === undefined) return undefined;
    const model = (key.modelFrom === undefined ? undefined : env[key.modelFrom]) || key.model;
    return {
      config: { ...key.config, token: env[variable]! },
      model,
      because: `Using ${model} by ${key.config.name}, because ${variable} is set.`,
    };
  };

interface LocalServer {
  readonly label: string;
  readonly config: ProviderConfig & { readonly url: string };
  readonly list: string;
}

const localUrl = (port: number, path = "") => `http://127.0.0.1:${port}${path}`;
const LOCAL: readonly LocalServer[] = [
  { label: "Ollama", config: { name: "ollama", type: "ollama", url: localUrl(11434) }, list: "/api/tags" },
  { label: "LM Studio", config: { ...compatible("lmstudio", localUrl(1234, "/v1")) }, list: "/models" },
  { label: "llama.cpp", config: { name: "llamacpp", type: "llamacpp", url: localUrl(8080, "/v1") }, list: "/models" },
  { label: "vLLM", config: { ...compatible("vllm", localUrl(8000, "/v1")) }, list: "/models" },
];

/** Long enough for a busy machine to answer itself, short enough not to be noticed. */
const PROBE_MS = 400;

async function fromServer({ label, config, list }: LocalServer, probe: Probe): Promise<Detected | undefined> {
  const answer = await probe(config.url + list, PROBE_MS);
  const models =
    config.type === "ollama"
      ? entries(answer, "models").map((entry) => ({ name: String(entry["name"] ?? "") }))
      : entries(answer, "data").map(readOpenAiEntry);
  // Any web server may listen on 8080: only a list of models makes it one of ours.
  const model = mostSuitable(models.filter(({ name }) => name !== ""));
  if (model === undefined) return undefined;
  return { config, model: model.name, because: `Using ${model.name} of the ${label} server on this machine.` };
}

/** Code models first, then ones known to call tools; never one that only embeds. */
function mostSuitable(models: readonly ModelInfo[]): ModelInfo | undefined {
  const usable = models.filter(
    ({ name }) => !/embed|rerank|whisper|tts|bge-|minilm|moderation|image|dall-e/i.test(name),
  );
  const rank = ({ name, capabilities }: ModelInfo) => {
    if (capabilities !== undefined && !capabilities.includes("tools")) return 3;
    if (/coder|devstral|codestral|-code/i.test(name)) return 0;
    return /gpt-oss|qwen3|glm-|kimi|minimax|llama3\.[13]|llama-3\.[13]|mistral|claude|gpt-|gemini/i.test(name) ? 1 : 2;
  };
  return usable.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** A probe over `fetch` (the transport's). */
export function createProbe(fetch: typeof globalThis.fetch): Probe {
  return async (url, timeoutMs) => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      const text = await response.text();
      return response.ok ? JSON.parse(text) : undefined;
    } catch {
      // Nothing there, or nothing of ours.
      return undefined;
    }
  };
}
