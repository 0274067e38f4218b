import { accessSync, constants, type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "../../system/paths.ts";

/** What the judge looks at on disk. Everything is asked for again at each call: files change. */
export interface Surroundings {
  /** The workspace. Absolute, links followed, as is `home`. */
  readonly cwd: string;
  readonly home: string;
  /** Folders that are ours wherever they are: settings, approvals, trust. */
  readonly ours: readonly string[];
  /** An absolute path, `..` in it or not, with links followed as the system does, as far as it exists. */
  realPath(path: string): string;
  /** What is in a folder; undefined when it is none. */
  entries(folder: string): readonly Entry[] | undefined;
  isFolder(path: string): boolean;
  /** A small text file. */
  readText(path: string): string | undefined;
  /** Would a file of the project run when `name` is called? */
  isShadowed(name: string): boolean;
}
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

export function diskSurroundings(place: {
  readonly cwd: string;
  readonly home: string;
  readonly ours: readonly string[];
  readonly path: string;
}): Surroundings {
  const searched = place.path.split(delimiter).filter((folder) => !isAbsolute(folder) || isInside(place.cwd, folder));
  return {
    ...place,
    realPath,
    entries(folder) {
      const found = attempt(() => readdirSync(folder, { withFileTypes: true }));
      return found?.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    },
    isFolder: (path) => attempt(() => statSync(path).isDirectory()) ?? false,
    readText: (path) => attempt(() => (statSync(path).size <= MAX_TEXT_BYTES ? readFileSync(path, "utf8") : undefined)),
    isShadowed: (name) =>
      searched.some(
        (folder) => attempt(() => accessSync(resolve(place.cwd, folder, name), constants.X_OK) ?? true) ?? false,
      ),
  };
}

/** Asks each question once: for the time of reading one command. */
export function remembering(around: Surroundings): Surroundings {
  const realPaths = new Map<string, string>();
  const folders = new Map<string, readonly Entry[] | undefined>();
  const texts = new Map<string, string | undefined>();
  const areFolders = new Map<string, boolean>();
  const shadowed = new Map<string, boolean>();
  return {
    ...around,
    realPath: (path) => once(realPaths, path, around.realPath),
    entries: (folder) => once(folders, folder, around.entries),
    isFolder: (path) => once(areFolders, path, around.isFolder),
    readText: (path) => once(texts, path, around.readText),
    isShadowed: (name) => once(shadowed, name, around.isShadowed),
  };
}

function once<T>(known: Map<string, T>, key: string, ask: (key: string) => T): T {
  if (!known.has(key)) known.set(key, ask(key));
  return known.get(key) as T;
}

const MAX_TEXT_BYTES = 64 * 1024;

/** The native one: the other takes `..` out of the text before it looks at links. */
function realPath(path: string): string {
  const real = attempt(() => realpathSync.native(path));
  if (real !== undefined) return real;
  const cut = path.replace(/\/+$/, "").lastIndexOf("/");
  const name = path.slice(cut + 1).replace(/\/+$/, "");
  if (cut < 0 || path === "/") return "/";
  const parent = realPath(path.slice(0, cut) || "/");
  return name === ".." ? dirname(parent) : name === "." || name === "" ? parent : join(parent, name);
}

function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  return entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";
}

/** What cannot be looked at is not there, for a judge. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
