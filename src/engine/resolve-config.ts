import { realpath } from "node:fs/promises";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { describeProblem } from "../config/problems.ts";
import { type Choices, resolveSettings } from "../config/resolve.ts";
import type { TurnSettings } from "../config/settings.ts";
import { type PersonalFolders, personalFolders } from "../system/paths.ts";
import { loadOptions } from "./load-options.ts";
import type { OpenOptions } from "./open-options.ts";
import { openTrust, type Trust, withoutExemptions, withoutPowers } from "./trust.ts";

/** The configuration, as far as it is trusted. */
export interface TrustedConfig {
  readonly config: Config;
  readonly trust: Trust;
  /** Project homes a person has not trusted yet. */
  readonly untrusted: readonly string[];
  /** What of them has no effect. */
  readonly lost: readonly string[];
  /** What there would be without the homes that are not trusted; only when there are such. */
  readonly own?: Config;
}

export async function loadTrusted(options: OpenOptions, folders: PersonalFolders): Promise<TrustedConfig> {
  const config = await loadConfig(loadOptions(options, folders));
  const trust = await openTrust(folders.state);
  // A home somebody names on the command line is trusted by that; one that lies in the folder may have come with it.
  const homes = options.config !== undefined || options.trust ? [] : await Promise.all(config.homes.projects.map(real));
  const untrusted = config.homes.projects.filter((_, at) => homes[at] !== undefined && !trust.trusts(homes[at]));
  if (untrusted.length === 0) return { config, trust, untrusted, lost: [] };
  const own = await loadConfig({ ...loadOptions(options, folders), projects: [] });
  const { config: safe, lost } = await withoutPowers(config, own, untrusted, trust);
  return { config: safe, trust, untrusted, lost, own };
}

export type ResolvedSettings =
  | { readonly ok: true; readonly settings: TurnSettings; readonly lost: readonly string[] }
  | { readonly ok: false; readonly message: string };

export function resolveTrusted({ config, untrusted, lost, own }: TrustedConfig, choices: Choices): ResolvedSettings {
  const resolved = resolveSettings(config, choices);
  if (!resolved.ok || !own) return resolved.ok ? { ...resolved, lost } : resolved;
  const reduced = withoutExemptions(resolved.settings, untrusted, ownSettings(own, choices));
  return { ok: true, settings: reduced.settings, lost: [...lost, ...reduced.lost] };
}

/** What a person's own files say of this agent and mode; of the default ones where only the project has them. */
function ownSettings(own: Config, choices: Choices): TurnSettings | undefined {
  const { agent, mode, system: _, ...plain } = choices;
  for (const known of [{ agent, mode }, { mode }, { agent }, {}]) {
    const resolved = resolveSettings(own, { ...plain, ...known });
    if (resolved.ok) return resolved.settings;
  }
  return undefined;
}

/** Every problem of the configuration in one text, or nothing. */
export function problemsOf(config: Config): string | undefined {
  if (config.problems.length === 0) return undefined;
  return ["the configuration has problems:", ...config.problems.map(describeProblem)].join("\n  ");
}

/** One line for a person, when something was held back. */
export function trustNotice({ untrusted }: TrustedConfig, lost: readonly string[]): string | undefined {
  if (lost.length === 0) return undefined;
  return `${untrusted.join(", ")} is not trusted yet, so this of it is left out: ${lost.join(", ")}. Trust it with /trust or "aura trust".`;
}

export const real = (path: string): Promise<string> => realpath(path).catch(() => path);

/** Trusts a configuration home from now on. */
export async function trustHome(options: OpenOptions, home: string): Promise<void> {
  const trust = await openTrust(personalFolders(options.env).state);
  await trust.trustHome(await real(home));
}
