import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { describeProblem } from "../config/problems.ts";
import { type Choices, resolveSettings } from "../config/resolve.ts";
import type { TurnSettings } from "../config/settings.ts";
import { type PersonalFolders, personalFolders } from "../system/paths.ts";
import type { DirTools } from "./dir-tools.ts";
import { type EntryTrust, entryTrust, isNamed } from "./entry-trust.ts";
import type { ExecutableEntry } from "./executable-entries.ts";
import { guardedSettings, lookForGuarded, withoutHeld } from "./guard-config.ts";
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
  /** What there would be without the project's homes; only where something of those is left out. */
  readonly own?: Config;
  /** What of the project may run, entry by entry. */
  readonly entries: EntryTrust;
  /** Of a project that is trusted: what was never seen as it is now, and is not run. */
  readonly held: readonly ExecutableEntry[];
  /** Only where `tools.scripts` or `--agent-dir` asks for tool folders. */
  readonly dirTools?: DirTools;
}

export async function loadTrusted(options: OpenOptions, folders: PersonalFolders): Promise<TrustedConfig> {
  const trusted = await loadHomes(options, folders);
  const { features, agents, modes } = trusted.config;
  const heads = [...agents.values(), ...modes.values()].map(({ value }) => value);
  const wantsHomes =
    [features.value, ...heads.map((head) => head.features)].some((one) => one?.tools?.scripts === true) ||
    options.overrides?.some((override) => /^features\.tools\.scripts=true$/.test(override)) === true;
  if (!wantsHomes && options.agentDir === undefined) return trusted;
  const { withDirTools } = await import("./with-dir-tools.ts");
  return withDirTools(trusted, options, wantsHomes);
}

async function loadHomes(options: OpenOptions, folders: PersonalFolders): Promise<TrustedConfig> {
  const trust = await openTrust(folders.state);
  const config = await loadWithAether(options, folders, trust);
  // A home somebody names on the command line is trusted by that; one that lies in the folder may have come with it.
  const homes = isNamed(options) || options.trust ? [] : await Promise.all(config.homes.projects.map(real));
  const untrusted = config.homes.projects.filter((_, at) => homes[at] !== undefined && !trust.trusts(homes[at]));
  const personal = [
    join(folders.user, ".agents"),
    join(options.env["XDG_CONFIG_HOME"] || join(folders.user, ".config"), "agents"),
    options.env["AETHER_HOME"] || join(folders.user, ".aether"),
  ];
  const entries = entryTrust({ config, trust, options, project: await real(options.cwd), untrusted, personal });
  const plain = { config, trust, untrusted, lost: [], entries, held: [] };
  if (isNamed(options) || config.homes.projects.length === 0) return plain;
  const { held, notices, needsOwn } = await lookForGuarded(config, entries, trust);
  if (untrusted.length === 0 && !needsOwn) return plain;
  const own = await loadConfig({ ...loadOptions(options, folders), projects: [], aether: undefined });
  const { config: safe, lost } = await withoutPowers(config, own, untrusted, trust);
  const guarded = await withoutHeld(safe, own, entries, trust);
  const told = untrusted.length > 0 ? [] : notices;
  return { ...plain, config: { ...guarded, notices: [...guarded.notices, ...told] }, lost, own, held };
}

/** Agents of Aether's settings count in a trusted project only; the fingerprint is the same either way. */
async function loadWithAether(options: OpenOptions, folders: PersonalFolders, trust: Trust): Promise<Config> {
  const where = loadOptions(options, folders);
  const config = await loadConfig(where);
  if (config.aether === undefined) return config;
  const { trustsProject } = await import("./server-trust.ts");
  if (await trustsProject(options, trust)) return config;
  const { fingerprint, aether: file } = config;
  const notice = `${file}: its agents are left out until you trust the project: aura trust .aether`;
  const own = await loadConfig({ ...where, aether: undefined });
  return { ...own, fingerprint, aether: file, notices: [...own.notices, notice] };
}

export type ResolvedSettings =
  | { readonly ok: true; readonly settings: TurnSettings; readonly lost: readonly string[] }
  | { readonly ok: false; readonly message: string };

export function resolveTrusted(trusted: TrustedConfig, choices: Choices): ResolvedSettings {
  const { config, untrusted, lost, own, entries, held } = trusted;
  const resolved = resolveSettings(config, choices);
  if (!resolved.ok) return notFound(resolved.message, trusted, choices);
  if (!own) return { ...resolved, lost };
  const mine = ownSettings(own, choices);
  const reduced =
    untrusted.length === 0
      ? { settings: resolved.settings, lost: [] }
      : withoutExemptions(resolved.settings, untrusted, mine);
  const settings = guardedSettings(reduced.settings, mine, entries, held);
  return { ok: true, settings, lost: [...lost, ...reduced.lost] };
}

/** What somebody asks for may be there, and held back: a task nobody accepted, or an agent of Aether's settings. */
function notFound(message: string, { config, held }: TrustedConfig, { task }: Choices): ResolvedSettings {
  const waits = held.find(({ kind, name }) => kind === "task" && name.toLowerCase() === task?.toLowerCase());
  if (waits) {
    const text = `the task "${waits.name}" of this project is not trusted yet: "/trust" or "aura trust" shows what it would do`;
    return { ok: false, message: text };
  }
  const { aether, notices } = config;
  const notice = aether === undefined ? undefined : notices.find((text) => text.startsWith(aether));
  return { ok: false, message: notice === undefined ? message : `${message}\n${notice}` };
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
export function trustNotice(
  { untrusted }: TrustedConfig,
  lost: readonly string[],
  waiting: readonly ExecutableEntry[],
): string | undefined {
  if (untrusted.length === 0 && waiting.length > 0)
    return `Not run until you accept it as it is now: ${waiting.map(({ kind, name }) => `${kind} ${name}`).join(", ")}. "/trust" or "aura trust" shows it.`;
  const leftOut = [...new Set([...lost, ...named(waiting)])];
  if (leftOut.length === 0) return undefined;
  return `${untrusted.join(", ")} is not trusted yet, so this of it is left out: ${leftOut.join(", ")}. Trust it with /trust or "aura trust".`;
}

/** Each in two or three words; what is told as lost is not told again. */
const named = (waiting: readonly ExecutableEntry[]): readonly string[] =>
  waiting.flatMap(({ kind, name }) => (SAID_AS_LOST.has(kind) ? [] : [`${kind} ${name}`]));

const SAID_AS_LOST: ReadonlySet<string> = new Set(["approvals", "policy", "rewrite", "status line"]);

export const real = (path: string): Promise<string> => realpath(path).catch(() => path);

/** Trusts a configuration home from now on, with all it holds. */
export async function trustHome(options: OpenOptions, home: string): Promise<void> {
  const folders = personalFolders(options.env);
  const trust = await openTrust(folders.state);
  await trust.trustHome(await real(home));
  const { reviewTrust } = await import("./trust-review.ts");
  const { accept } = await reviewTrust({ options, folders, trusted: await loadHomes(options, folders) });
  await accept();
}
