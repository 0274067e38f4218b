import { realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

export interface HomeOptions {
  /** `--home`: undefined = the default, "" = no global home. */
  readonly home?: string | undefined;
  /** `--config`, in the order given: undefined = the default; empty entries are skipped. */
  readonly projects?: readonly string[] | undefined;
  /** The person's home directory. */
  readonly userHome: string;
  /** Absolute; relative homes are joined to it. */
  readonly cwd: string;
  /** `XDG_CONFIG_HOME`, when set. */
  readonly xdgConfigHome?: string | undefined;
}

/** Absolute directories that hold configuration (aura 17.1). */
export interface Homes {
  readonly global?: string;
  /** Lowest first; a later one wins. */
  readonly projects: readonly string[];
  /** Where sessions, logs, memory and project approvals are written; undefined: nowhere, `aura init` makes one. */
  readonly write?: string;
}

/** Explicit homes need not exist yet (they may be written to); default ones count only when they do. */
export async function findHomes(options: HomeOptions): Promise<Homes> {
  const absolute = (path: string) => resolve(options.cwd, path.replace(/^~(?=$|\/)/, options.userHome));
  const global = options.home === undefined ? await defaultGlobal(options) : options.home && absolute(options.home);
  const projects = options.projects
    ? options.projects.filter((path) => path !== "").map(absolute)
    : await defaultProjects(options, global || undefined);
  const write = projects.at(-1) ?? (global || undefined);
  return { projects, ...(global && { global }), ...(write !== undefined && { write }) };
}

async function defaultGlobal({ userHome, xdgConfigHome }: HomeOptions): Promise<string | undefined> {
  const usual = join(userHome, ".aura");
  if (await isDirectory(usual)) return usual;
  const xdg = xdgConfigHome && join(xdgConfigHome, "aura");
  return xdg && (await isDirectory(xdg)) ? xdg : undefined;
}

/** Started in the person's home directory, `./.aura` is the global home and not a project's. */
async function defaultProjects({ cwd }: HomeOptions, global: string | undefined): Promise<string[]> {
  const project = join(cwd, ".aura");
  if (!(await isDirectory(project))) return [];
  return global !== undefined && (await samePlace(project, global)) ? [] : [project];
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function samePlace(a: string, b: string): Promise<boolean> {
  if (a === b) return true;
  const [realA, realB] = await Promise.all([a, b].map((path) => realpath(path).catch(() => path)));
  return realA === realB;
}
