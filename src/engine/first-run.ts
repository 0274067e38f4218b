import { chmod, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Provider } from "../providers/provider.ts";
import type { ProviderType } from "../providers/registry.ts";
import { writeAtomically } from "../system/atomic-file.ts";
import type { ModelChoice } from "./choose-model.ts";
import type { Engine } from "./engine.ts";
import { reload, useModel } from "./switch-selection.ts";

/** Stands where a model should be until a person chose one: says so instead of answering. */
export function openUnconfigured(reason: string): Provider {
  return {
    name: "none",
    models: async () => [],
    async *stream() {
      yield { type: "failed", failure: { kind: "auth", message: reason, retryable: false } };
    },
  };
}

export type SetUp = "ready" | "demo" | "later";

/** The first screen without a model: a key, a server, or the demo (issue of the first minute). */
export async function setUpModel(engine: Engine): Promise<SetUp> {
  for (;;) {
    const how = await pick(engine, "No model yet. How do you want to start?", [
      { id: "key", label: "Paste an API key", description: "Anthropic, OpenAI, Google, OpenRouter, Groq, xAI" },
      { id: "server", label: "Use a server", description: "Ollama, llama.cpp, LM Studio, vLLM, or any compatible one" },
      { id: "demo", label: "Watch the demo", description: "a scripted model in a scratch project, no key needed" },
    ]);
    if (how === "demo") return "demo";
    if (how === null) return "later";
    const entry = how === "key" ? await askKey(engine) : await askServer(engine);
    if (entry === undefined) continue;
    const problem = await adopt(engine, entry);
    if (problem === undefined) return "ready";
    engine.emit({ type: "notice", level: "error", text: problem });
  }
}

interface Entry {
  readonly name: string;
  readonly type: ProviderType;
  readonly url?: string;
  readonly token?: string;
}

/** How keys begin, the longest prefix first. */
const KEY_SHAPES: readonly (readonly [prefix: string, entry: Omit<Entry, "token">])[] = [
  ["sk-ant-", { name: "anthropic", type: "anthropic" }],
  ["sk-or-", { name: "openrouter", type: "openrouter" }],
  ["AIza", { name: "google", type: "google" }],
  ["gsk_", { name: "groq", type: "openai-compatible", url: "https://api.groq.com/openai/v1" }],
  ["xai-", { name: "xai", type: "openai-compatible", url: "https://api.x.ai/v1" }],
  ["sk-", { name: "openai", type: "openai" }],
];

async function askKey(engine: Engine): Promise<Entry | undefined> {
  const key = await ask(engine, "Paste the key. It is saved in your own configuration, readable by you alone.", true);
  if (key === undefined) return undefined;
  const known = KEY_SHAPES.find(([prefix]) => key.startsWith(prefix))?.[1];
  if (known) return { ...known, token: key };
  const names = KEY_SHAPES.map(([, entry]) => ({ id: entry.name, label: entry.name }));
  const whose = await pick(engine, "Whose key is it?", names);
  const chosen = KEY_SHAPES.find(([, entry]) => entry.name === whose)?.[1];
  return chosen && { ...chosen, token: key };
}

async function askServer(engine: Engine): Promise<Entry | undefined> {
  const url = await ask(engine, "Its address, for example http://127.0.0.1:11434 (Ollama) or http://127.0.0.1:8080/v1");
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    engine.emit({ type: "notice", level: "error", text: `"${url}" is no http address` });
    return undefined;
  }
  return new URL(url).port === "11434"
    ? { name: "ollama", type: "ollama", url }
    : { name: "server", type: "openai-compatible", url };
}

/**
 * Saves the provider and goes on with it; a sentence, and nothing saved, when that cannot be. A known provider that
 * cannot be reached is tried later with the model people mostly begin with.
 */
async function adopt(engine: Engine, entry: Entry): Promise<string | undefined> {
  const home = engine.config.homes.global ?? engine.folders.config;
  const file = join(home, "config", "providers", `${entry.name}.yaml`);
  const before = await readFile(file).catch(() => undefined);
  const { stringify } = await import("yaml");
  const { name, ...fields } = entry;
  engine.emit({ type: "notice", level: "info", text: `Asking ${name} for its models…` });
  await save(file, stringify({ [name]: fields }));
  await reload(engine);
  const choice = await engine.models.choose(engine.config, engine.settings, { provider: name });
  const model = choice.kind === "chosen" ? choice.chosen.model : await fallback(name, choice);
  if (choice.kind !== "chosen" && model === undefined) {
    await (before === undefined ? rm(file, { force: true }) : save(file, before));
    await reload(engine);
    return choice.kind === "none" ? choice.reason : choice.problem;
  }
  if (choice.kind === "refused") engine.emit({ type: "notice", level: "warn", text: choice.problem });
  const reference = await useModel(engine, `${name}/${model}`);
  engine.emit({ type: "notice", level: "info", text: `Using ${reference}; saved in ${file}` });
  return undefined;
}

async function save(file: string, content: string | Uint8Array): Promise<void> {
  await writeAtomically(file, content, { mode: 0o600 });
  await chmod(file, 0o600);
}

async function fallback(name: string, choice: ModelChoice): Promise<string | undefined> {
  if (choice.kind !== "refused" || !choice.unreachable) return undefined;
  return (await import("../providers/zero-config.ts")).defaultModel(name);
}

const NEVER = new AbortController().signal;

async function pick(
  engine: Engine,
  title: string,
  items: readonly { id: string; label: string; description?: string }[],
) {
  const result = await engine.requests.open("pick", { title, items }, NEVER).answered;
  return result === "withdrawn" ? null : result.answer;
}

async function ask(engine: Engine, text: string, secret = false): Promise<string | undefined> {
  const question = { text, options: [], multiSelect: false, ...(secret && { secret }) };
  const result = await engine.requests.open("question", { questions: [question] }, NEVER).answered;
  const answer = result === "withdrawn" ? undefined : result.answer?.[0]?.[0]?.trim();
  return answer === "" ? undefined : answer;
}
