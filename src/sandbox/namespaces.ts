import { dirname } from "node:path";
import { isInside } from "../system/paths.ts";
import { programFolders, RESOLVER_FOLDERS, SECRET_FILES, SYSTEM_FOLDERS } from "./base-folders.ts";
import type { Machine } from "./confine.ts";
import { LAUNCHER } from "./launcher.ts";
import type { Launch, Program, Wish } from "./sandbox.ts";

/** The steps behind `unshare` and `perl`, up to the command. */
export type Steps = readonly string[];

/** `unshare` from util-linux (unshare(1)) makes the namespaces, the launcher furnishes them. */
export function inNamespaces(
  { starter, perl = "perl" }: Pick<Machine, "starter" | "perl">,
  network: Wish["network"],
  steps: Steps,
  program: Program,
): Launch {
  const { file, name, args, cwd, readsThree } = program;
  return {
    file: starter,
    args: [
      ...["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--uts", ...(network === "none" ? ["--net"] : [])],
      // Whoever kills the first process kills everything inside.
      ...["--fork", "--kill-child", "--", perl, "-e", LAUNCHER, "--"],
      ...steps,
      ...["user", String(process.getuid?.() ?? 0), String(process.getgid?.() ?? 0)],
      ...["keep", readsThree ? "4" : "3", "cwd", cwd, "--", file, name, ...args],
    ],
  };
}

/** A tree of its own that holds what `wish` names, and the system's programs. */
export function namespacesLaunch(machine: Machine, wish: Wish, program: Program, path: string | undefined): Launch {
  const steps = [
    // Nothing of /sys is offered inside, so its place can be taken while the tree is made.
    ...["at", "/sys", "empty"],
    ...SYSTEM_FOLDERS.flatMap((folder) => ["bind", "ro", folder]),
    ...(wish.network === "inherit" ? RESOLVER_FOLDERS.flatMap((folder) => ["bind", "ro", folder]) : []),
    ...SECRET_FILES.flatMap((file) => ["hide", file]),
    ...["proc", "dev", "tmpfs", "/tmp", "1024", "tmpfs", "/var/tmp", "256"],
    ...["tmpfs", wish.home, "256"],
    ...bindsOf(wish, path).flatMap(({ how, path: at }) => ["bind", how, at]),
    ...(wish.network === "none" ? ["loopback"] : []),
  ];
  return inNamespaces(machine, wish.network, steps, program);
}

export interface Bind {
  readonly how: "ro" | "rw";
  readonly path: string;
}

/** What of the person's own is seen inside, in the order in which it can be mounted. */
export function bindsOf(wish: Wish, path: string | undefined): readonly Bind[] {
  const readOnly = (at: string): Bind => ({ how: "ro", path: at });
  const writable = (at: string): Bind => ({ how: "rw", path: at });
  const declared = [
    ...[...programFolders(path, wish.home), ...wish.readOnly].map(readOnly),
    ...wish.readWrite.map(writable),
    // A folder on which something is mounted cannot be moved away, with what is guarded in it, to put another there.
    ...wish.guarded.flatMap((at) => foldersBetween(wish.readWrite, at)).map(writable),
  ];
  return [...inOrder(declared), ...wish.guarded.map(readOnly)];
}

/** The folders around `path` that lie inside one of `tops`. */
function foldersBetween(tops: readonly string[], path: string): readonly string[] {
  const folder = dirname(path);
  const isBetween = tops.some((top) => top !== folder && isInside(top, folder));
  return isBetween ? [...foldersBetween(tops, folder), folder] : [];
}

/** Outer folders first, because a later one covers; of two words on one path the writable one counts. */
export function inOrder(binds: readonly Bind[]): readonly Bind[] {
  const last = new Map<string, Bind>();
  for (const bind of binds) if (last.get(bind.path)?.how !== "rw") last.set(bind.path, bind);
  return [...last.values()].sort((a, b) => a.path.split("/").length - b.path.split("/").length);
}
