import type { Config } from "../config/config.ts";
import { isProviderSecret } from "../system/secrets.ts";
import type { OpenOptions } from "./open-options.ts";

/** What may be mistaken for part of an ordinary text is not hidden. */
const SHORTEST = 12;

/**
 * Values we know to be secrets: keys of providers, and variables whose name says so. No call's result needs them, and
 * what a model sees goes to its provider, into the log and into exports.
 */
export function knownSecrets(config: Config, { env }: OpenOptions): readonly string[] {
  const configured = [...config.providers.values()].flatMap(({ value }) => value.token ?? []);
  const fromEnv = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (isProviderSecret(name) || SECRET_NAME.test(name)) ? [value] : [],
  );
  return [...new Set([...configured, ...fromEnv])]
    .filter((value) => value.length >= SHORTEST && !NO_SECRET.test(value))
    .sort((a, b) => b.length - a.length);
}

const SECRET_NAME =
  /(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS|(API|ACCESS|PRIVATE|SECRET|SIGNING)_?KEY)S?$/i;

/** A reference to a variable, a path or an address: settings of providers have such names too. */
const NO_SECRET = /^(\$|\/|~|\.|https?:)/;

/** `text` without those values. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, "***");
  return clean;
}
