import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { isInside } from "../system/paths.ts";
import { type ExecutableEntry, hashOf } from "./executable-entries.ts";
import type { OpenOptions } from "./open-options.ts";
import type { Trust } from "./trust.ts";

/** Whether what came with a project may run, entry by entry. */
export interface EntryTrust {
  /** A file of the project's rather than of a person's own homes. */
  isForeign(file: string | undefined): boolean;
  /** Its file is a person's own, or its text is what they accepted. */
  runs(entry: Pick<ExecutableEntry, "kind" | "text" | "file">): boolean;
  /** Its text is what they accepted in this project, wherever it is written. */
  accepts(entry: Pick<ExecutableEntry, "kind" | "text">): boolean;
}

export interface EntryTrustFacts {
  readonly config: Pick<Config, "homes">;
  readonly trust: Trust;
  readonly options: OpenOptions;
  /** The working directory, links followed: what is accepted is accepted here. */
  readonly project: string;
  readonly untrusted: readonly string[];
  /** Other folders of the person's, which may lie in the project where that is their home directory. */
  readonly personal: readonly string[];
}

export function entryTrust({ config, trust, options, project, untrusted, personal }: EntryTrustFacts): EntryTrust {
  const { global, projects } = config.homes;
  // What lies in a home somebody named on the command line is their own.
  const homes = isNamed(options) ? [] : projects;
  const own = [...personal, ...(global === undefined ? [] : [global]), ...(isNamed(options) ? projects : [])];
  const isForeign = (file: string | undefined) =>
    file !== undefined &&
    (homes.some((home) => isInside(home, file)) ||
      (isInside(options.cwd, file) && !own.some((home) => isInside(home, file))));
  const accepts: EntryTrust["accepts"] = (entry) => trust.accepts(project, hashOf(entry));
  return {
    isForeign,
    accepts,
    runs(entry) {
      if (!isForeign(entry.file) || options.trust) return true;
      if (untrusted.some((home) => isInside(home, entry.file ?? ""))) return false;
      return accepts(entry);
    },
  };
}

/** Homes on the command line. One that only the environment names, and by a relative path, is any clone's. */
export const isNamed = ({ config, isConfigFromEnv }: OpenOptions): boolean =>
  config !== undefined && isConfigFromEnv !== true;

/** Most folders have nothing of the kind, and are not to be read for it. */
export const mayHaveEntries = ({ homes, aether }: Pick<Config, "homes" | "aether">, { cwd }: OpenOptions): boolean =>
  homes.projects.length > 0 ||
  aether !== undefined ||
  ["mcp.json", ".claude/skills", ".agents/skills"].some((path) => existsSync(join(cwd, path)));
