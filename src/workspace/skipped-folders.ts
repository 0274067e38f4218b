import type { Dirent } from "node:fs";

/**
 * Why a folder is left out of snapshots: programs fill it, can fill it again, and it is huge. `path` is relative.
 */
export function whySkipped(path: string, entries: readonly Pick<Dirent, "name">[]): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === ".git" || VERSION_CONTROL.has(name)) return "its own history";
  if (REFILLED.has(name)) return "installed or generated";
  // https://bford.info/cachedir/: what holds this file may be deleted at any time.
  return entries.some((entry) => entry.name === "CACHEDIR.TAG") ? "a cache" : undefined;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));
const VERSION_CONTROL = set(".hg .svn .jj .bzr");
const REFILLED = set(
  "node_modules bower_components .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .gradle " +
    ".terraform .next .nuxt .turbo .parcel-cache .svelte-kit .angular Pods DerivedData .dart_tool .pnpm-store",
);
