import { statSync } from "node:fs";
import { RESOLVER_FOLDERS, SECRET_FILES, SYSTEM_FOLDERS } from "./base-folders.ts";
import type { Machine } from "./confine.ts";
import { bindsOf } from "./namespaces.ts";
import type { Launch, Program, Wish } from "./sandbox.ts";

/** bwrap(1) 0.8 and newer. Files to be hidden that are not there would be made, so only those there are named. */
export function bubblewrapLaunch(
  { starter }: Machine,
  wish: Wish,
  { file, args, cwd }: Program,
  path: string | undefined,
  exists: (path: string) => "file" | "folder" | undefined = kindOf,
): Launch {
  const readable = [...SYSTEM_FOLDERS, ...(wish.network === "inherit" ? RESOLVER_FOLDERS : [])];
  return {
    file: starter,
    args: [
      // A new session: nothing can be typed into the terminal from inside (TIOCSTI).
      ...[
        "--die-with-parent",
        "--new-session",
        "--unshare-all",
        ...(wish.network === "inherit" ? ["--share-net"] : []),
      ],
      ...readable.flatMap((folder) => ["--ro-bind-try", folder, folder]),
      ...SECRET_FILES.flatMap((secret) => hide(secret, exists(secret))),
      ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", wish.home],
      ...bindsOf(wish, path).flatMap(({ how, path: at }) => [how === "rw" ? "--bind-try" : "--ro-bind-try", at, at]),
      ...wish.guarded.flatMap((at) => ["--ro-bind-try", at, at]),
      ...["--chdir", cwd, "--", file, ...args],
    ],
  };
}

function hide(path: string, kind: "file" | "folder" | undefined): readonly string[] {
  if (kind === undefined) return [];
  return kind === "folder" ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function kindOf(path: string): "file" | "folder" | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && (found.isDirectory() ? "folder" : "file");
}
