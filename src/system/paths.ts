import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folders that belong to a person rather than to a project. All absolute; none is created here. */
export interface PersonalFolders {
  /** `~`. */
  readonly user: string;
  /** The global configuration home: `~/.aura` when it is there, else `$XDG_CONFIG_HOME/aura`, else `~/.aura`. */
  readonly config: string;
  /** Sessions, locks, logs: what is worth keeping but not worth editing. */
  readonly state: string;
  /** What may be deleted at any time. */
  readonly cache: string;
}

/**
 * By the XDG Base Directory Specification (https://specifications.freedesktop.org/basedir-spec/latest/), whose
 * variables count only when they hold an absolute path.
 */
export function personalFolders(env: Environment): PersonalFolders {
  const user = env["HOME"] || homedir();
  const plain = join(user, ".aura");
  const xdg = (name: string) => (env[name] && isAbsolute(env[name]) ? join(env[name], "aura") : undefined);
  return {
    user,
    config: existsSync(plain) ? plain : (xdg("XDG_CONFIG_HOME") ?? plain),
    state: xdg("XDG_STATE_HOME") ?? join(user, ".local", "state", "aura"),
    cache: xdg("XDG_CACHE_HOME") ?? join(user, ".cache", "aura"),
  };
}

/** The nearest folder from `from` upwards that holds `.git` or `.aura`; `from` itself when there is none. */
export function findProjectRoot(from: string, user: string): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    // The .aura of the home folder is the global one and makes no project of it.
    const marks = folder === resolve(user) ? [".git"] : [".git", ".aura"];
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return resolve(from);
  }
}

/** Is `path` the folder itself or below it? Both absolute; symbolic links are not followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** `path` as seen from `folder` when it is inside, else unchanged. */
export function shortenPath(folder: string, path: string): string {
  return isInside(folder, path) ? relative(folder, path) || "." : path;
}
