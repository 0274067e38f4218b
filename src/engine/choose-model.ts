import { readFile } from "node:fs/promises";
import type { Config } from "../config/config.ts";
import { providerSettings } from "../config/provider-settings.ts";
import type { TurnSettings } from "../config/settings.ts";
import { lookUp } from "../providers/model-table.ts";
import { type ModelInfo, type Provider, ProviderError } from "../providers/provider.ts";
import { openProvider, type ProviderConfig } from "../providers/registry.ts";
import type { Script } from "../providers/script-file.ts";
import { createTransport, type Transport } from "../providers/transport.ts";
import type { OpenOptions } from "./open-options.ts";

/** A model to talk to, and how it came to be this one. */
export interface ChosenModel {
  readonly provider: Provider;
  readonly model: string;
  readonly info?: ModelInfo;
  /** One sentence, when nobody configured it. */
  readonly because?: string;
}
export type ModelChoice =
  | { readonly kind: "chosen"; readonly chosen: ChosenModel }
  | { readonly kind: "none"; readonly reason: string }
  /** `unreachable`: another model, or the same later, may do. */
  | { readonly kind: "refused"; readonly problem: string; readonly unreachable?: true };

export interface ModelWish {
  readonly provider?: string | undefined;
  /** `model` or `provider/model`. */
  readonly model?: string | undefined;
}

export type OnRetry = (text: string) => void;

/** Finds models and keeps the connection they share. */
export interface Models {
  choose(config: Config, settings: TurnSettings, wish: ModelWish): Promise<ModelChoice>;
  /** Every configured provider; without any, the one found in the environment. */
  providers(config: Config): Promise<readonly Provider[]>;
  close(): void;
}

export function createModels(options: OpenOptions, onRetry: OnRetry): Models {
  let transport: Transport | undefined;
  const shared = () => {
    transport ??= createTransport({ env: options.env });
    return transport;
  };
  const open = (config: ProviderConfig) =>
    openProvider(config, {
      env: options.env,
      transport: shared(),
      onRetry: ({ failure, waitMs, attempt }) =>
        onRetry(`${failure.message} Trying again in ${Math.ceil(waitMs / 1000)} s (try ${attempt + 1}).`),
    });
  const configured = (config: Config, name: string): ProviderConfig | undefined => {
    const found = providerSettings(config, name, options.env);
    if (found) return found.type === "scripted" ? undefined : { ...found, type: found.type };
    const builtIn = WELL_KNOWN.find((type) => type === name);
    return builtIn && { name: builtIn, type: builtIn };
  };
  const detected = async () => {
    const { createProbe, detect } = await import("../providers/zero-config.ts");
    return detect(options.env, createProbe(shared().fetch));
  };

  return {
    async choose(config, settings, wish) {
      if (options.script !== undefined) return openScript(options.script, options.instant ?? false);
      if (options.noop) {
        const { openNoop } = await import("../providers/noop.ts");
        return { kind: "chosen", chosen: { provider: openNoop("noop"), model: "noop" } };
      }
      const named = splitReference(config, wish);
      const providerName = named.provider ?? settings.model.provider ?? onlyKey(config);
      if (providerName !== undefined) {
        const entry = configured(config, providerName.toLowerCase());
        if (!entry) return { kind: "refused", problem: unknownProvider(config, providerName) };
        return withModel(open(entry), entry, named.model ?? settings.model.name, undefined);
      }
      const found = await detected();
      if (!found) return { kind: "none", reason: NOTHING_FOUND };
      return withModel(
        open(found.config),
        found.config,
        named.model ?? settings.model.name ?? found.model,
        found.because,
      );
    },
    async providers(config) {
      const names = [...config.providers.keys()];
      const entries = names.flatMap((name) => configured(config, name) ?? []);
      if (entries.length > 0) return entries.map(open);
      const found = await detected();
      return found ? [open(found.config)] : [];
    },
    close: () => transport?.close(),
  };
}

const WELL_KNOWN = ["anthropic", "openai", "google", "openrouter", "ollama", "openai-compatible", "llamacpp"] as const;

const NOTHING_FOUND =
  "no model to talk to: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, start a local " +
  "server such as Ollama, configure a provider (aura init), or watch the demo (aura demo)";

async function withModel(
  provider: Provider,
  config: ProviderConfig,
  model: string | undefined,
  because: string | undefined,
): Promise<ModelChoice> {
  if (model !== undefined) {
    const info = lookUp(config.type, model);
    return { kind: "chosen", chosen: { provider, model, ...(info && { info }), ...(because && { because }) } };
  }
  try {
    const { chooseModel } = await import("../providers/zero-config.ts");
    const info = await chooseModel(provider, AbortSignal.timeout(10_000));
    if (!info)
      return { kind: "refused", problem: `the provider ${provider.name} lists no model: name one with --model` };
    const chosen = { provider, model: info.name, info: { ...lookUp(config.type, info.name), ...info } };
    return { kind: "chosen", chosen: { ...chosen, ...(because && { because: `${because} It offers ${info.name}.` }) } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      kind: "refused",
      problem: `the models of ${provider.name} could not be listed: ${reason} Name one with --model.`,
      ...(!isDenied(error) && { unreachable: true }),
    };
  }
}

/** The key is no good. */
const isDenied = (error: unknown) => error instanceof ProviderError && error.failure.kind === "auth";

async function openScript(file: string, instant: boolean): Promise<ModelChoice> {
  const [{ parseScript, ScriptError }, { openScripted }] = await Promise.all([
    import("../providers/script-file.ts"),
    import("../providers/scripted.ts"),
  ]);
  try {
    const script = await parseScript(await readFile(file, "utf8"), file);
    return {
      kind: "chosen",
      chosen: {
        provider: openScripted("scripted", instant ? withoutPauses(script) : script),
        model: script.model.name,
        info: script.model,
      },
    };
  } catch (error) {
    if (error instanceof ScriptError) return { kind: "refused", problem: error.message };
    const code = (error as NodeJS.ErrnoException).code;
    return { kind: "refused", problem: `--script: cannot read ${file}: ${code ?? String(error)}` };
  }
}

function withoutPauses(script: Script): Script {
  return { ...script, turns: script.turns.map(({ delay_ms: _, ...turn }) => turn) };
}

/** `provider/model` names a provider only when one of that name is known: model names contain slashes themselves. */
function splitReference(config: Config, wish: ModelWish): ModelWish {
  const slash = wish.model?.indexOf("/") ?? -1;
  if (wish.provider !== undefined || wish.model === undefined || slash < 1) return wish;
  const provider = wish.model.slice(0, slash).toLowerCase();
  const isKnown = config.providers.has(provider) || WELL_KNOWN.some((type) => type === provider);
  return isKnown ? { provider, model: wish.model.slice(slash + 1) } : wish;
}

/** With providers configured but none named, the first is meant. */
const onlyKey = (config: Config): string | undefined => [...config.providers.keys()][0];

function unknownProvider(config: Config, name: string): string {
  const known = [...new Set([...config.providers.keys(), ...WELL_KNOWN])].sort();
  return `there is no provider "${name}" (known: ${known.join(", ")})`;
}
