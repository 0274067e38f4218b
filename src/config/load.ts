import { builtInConfig } from "./built-in.ts";
import type { Config } from "./config.ts";
import { findHomes, type HomeOptions } from "./homes.ts";
import { type AetherPlaces, type FoundFile, findAether, findFiles } from "./scan.ts";

export interface LoadOptions extends HomeOptions {
  /** `--set key=value`: variables of task templates. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Aether's `settings.json`, to be read in place. The global one counts only beside a project's. */
  readonly aether?: AetherPlaces | undefined;
}

/**
 * Reads every home (aura 17.1). Never throws for what a file says: that is in `problems`. Without a single file
 * nothing is parsed and no library is loaded.
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const homes = await findHomes(options);
  const files = [...(await findFiles(homes)), ...(await findAether(options.aether))];
  if (files.length === 0) return builtInConfig(homes, fingerprintOf(files));
  const { readConfig } = await import("./read.ts");
  return readConfig(homes, files, fingerprintOf(files), options.vars ?? {});
}

/** True when a file was added, removed or written since `config` was read, also in a home that is new. */
export async function isOutdated(config: Config, options: LoadOptions): Promise<boolean> {
  return (await fingerprintNow(options)) !== config.fingerprint;
}

async function fingerprintNow(options: LoadOptions): Promise<string> {
  const [files, aether] = await Promise.all([findHomes(options).then(findFiles), findAether(options.aether)]);
  return fingerprintOf([...files, ...aether]);
}

function fingerprintOf(files: readonly FoundFile[]): string {
  return files.map(({ path, stamp }) => `${path}\0${stamp}`).join("\n");
}
