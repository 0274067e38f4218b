import { readFile } from "node:fs/promises";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { serversOf } from "../config/servers/servers-of.ts";
import type { PersonalFolders } from "../system/paths.ts";
import { modelEntries } from "./command-models.ts";
import { mayHaveEntries } from "./entry-trust.ts";
import { configEntries, type ExecutableEntry, hashOf, serverEntry, skillEntry } from "./executable-entries.ts";
import { loadOptions } from "./load-options.ts";
import type { OpenOptions } from "./open-options.ts";
import type { TrustedConfig } from "./resolve-config.ts";
import { isOwnServer, vouchesForServer } from "./server-trust.ts";
import { skillPlaces } from "./skills.ts";

export interface ProjectFacts {
  readonly options: OpenOptions;
  readonly folders: PersonalFolders;
  readonly trusted: TrustedConfig;
}

/** Everything of the project that could run, or let run, whether or not it is accepted. Nothing is run to find it. */
export async function projectEntries(facts: ProjectFacts): Promise<readonly ExecutableEntry[]> {
  const { options, folders, trusted } = facts;
  if (!mayHaveEntries(trusted.config, options)) return [];
  const { entries } = trusted;
  // As it is written: from the configuration in force, what was held back is gone already.
  const config = trusted.own ? await loadConfig(loadOptions(options, folders)) : trusted.config;
  const found = [
    ...configEntries(config, entries.isForeign),
    ...(await foreignServers(config, facts)),
    ...(await foreignSkills(config, facts)),
    ...(await commandModels(config, facts)),
  ];
  const byText = new Map(found.map((entry) => [`${entry.kind}\0${entry.name}\0${entry.text}`, entry]));
  return [...byText.values()].sort((a, b) => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1));
}

/** Those nobody has accepted as they are now. */
export async function waitingEntries(facts: ProjectFacts): Promise<readonly ExecutableEntry[]> {
  const { options, trusted } = facts;
  if (options.trust) return [];
  const waiting: ExecutableEntry[] = [];
  for (const entry of await projectEntries(facts)) {
    if (!(await isVouched(entry, trusted)) && !isAccepted(entry, trusted)) waiting.push(entry);
  }
  return waiting;
}

/** What we wrote into the project ourselves, on a person's yes. */
async function isVouched(entry: ExecutableEntry, { trust }: TrustedConfig): Promise<boolean> {
  const { kind, file } = entry;
  if (file === undefined) return false;
  if (kind === "MCP server") return vouchesForServer(trust, file, hashOf(entry));
  return kind === "approvals" && (await trust.trustsFile(file));
}

const isAccepted = (entry: ExecutableEntry, { entries, untrusted }: TrustedConfig) =>
  entry.kind === "MCP server" ? untrusted.length === 0 && entries.accepts(entry) : entries.runs(entry);

async function foreignServers(config: Config, { options, trusted }: ProjectFacts): Promise<ExecutableEntry[]> {
  const agents = [undefined, ...[...config.agents.values()].map(({ name }) => name)];
  const found = await Promise.all(agents.map((agent) => serversOf(config, { cwd: options.cwd, agent })));
  return found
    .flatMap(({ servers }) => servers)
    .filter((server) => !isOwnServer(server, { ...trusted, config }, options))
    .map(serverEntry);
}

async function foreignSkills(config: Config, { options, folders, trusted }: ProjectFacts): Promise<ExecutableEntry[]> {
  const places = await skillPlaces({ options, folders, config, cwd: options.cwd, trusted });
  const theirs = places.filter(({ dir }) => trusted.entries.isForeign(dir));
  if (theirs.length === 0) return [];
  const { findSkills } = await import("../extensions/skills.ts");
  const { skills } = await findSkills(theirs);
  const read = skills.map(async ({ name, file }) =>
    skillEntry(name, file, await readFile(file, "utf8").catch(() => "")),
  );
  return (await Promise.all(read)).filter((entry) => entry !== undefined);
}

/** What a project says its commands do decides what is asked about. */
async function commandModels(config: Config, { trusted }: ProjectFacts): Promise<ExecutableEntry[]> {
  const homes = config.homes.projects.filter((home) => trusted.entries.isForeign(home));
  return (await Promise.all(homes.map(modelEntries))).flat();
}
