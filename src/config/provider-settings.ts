import type { Capability, Config, ProviderType } from "./config.ts";
import { expandVariables } from "./expand.ts";

/** A configured provider ready for use; durations in milliseconds. */
export interface ProviderSettings {
  readonly name: string;
  readonly type: ProviderType;
  readonly url?: string;
  /** Secret. */
  readonly token?: string;
  readonly models: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  readonly keepAliveMs?: number;
  readonly timeoutMs: number;
  readonly retry: { readonly maxAttempts: number; readonly baseDelayMs: number; readonly maxDelayMs: number };
  /** Empty: all. */
  readonly capabilities: readonly Capability[];
  readonly file?: string;
}

/** The configured provider of that name, or undefined. The token comes from the file or from the environment. */
export function providerSettings(
  config: Config,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): ProviderSettings | undefined {
  const entity = config.providers.get(name.toLowerCase());
  if (!entity?.value.type) return undefined;
  const { type, url, token, models, keep_alive, timeout, retry, capabilities } = entity.value;
  const variable = `AURA_PROVIDERS_${entity.name.toUpperCase().replaceAll("-", "_")}_TOKEN`;
  const secret = expandVariables(token ?? "", env) || env[variable];
  return {
    name: entity.name.toLowerCase(),
    type,
    ...(url && { url: expandVariables(url, env) }),
    ...(secret && { token: secret }),
    models: { include: models?.include ?? [], exclude: models?.exclude ?? [] },
    ...(keep_alive !== undefined && { keepAliveMs: keep_alive }),
    timeoutMs: timeout || 300_000,
    retry: {
      maxAttempts: retry?.max_attempts ?? 0,
      baseDelayMs: retry?.base_delay || 1000,
      maxDelayMs: retry?.max_delay || 30_000,
    },
    capabilities: capabilities ?? [],
    ...(entity.file !== undefined && { file: entity.file }),
  };
}
