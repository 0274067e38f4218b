import { delimiter, isAbsolute, join } from "node:path";
import { isInside } from "../system/paths.ts";

/** What programs need in order to run at all; readable in every sandbox. */
export const SYSTEM_FOLDERS: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix",
  "/gnu/store",
  "/run/current-system",
];

/** With the network: where names are resolved. */
export const RESOLVER_FOLDERS: readonly string[] = ["/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf"];

/** Of the system, but nobody's business: only root could read most of them anyway. */
export const SECRET_FILES: readonly string[] = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssh",
  "/etc/ssl/private",
  "/etc/kubernetes",
  "/etc/docker",
  "/etc/wireguard",
];

/** Where version managers keep programs below a home folder. None of these holds credentials. */
const TOOLCHAINS: readonly string[] = [
  ".asdf/installs",
  ".bun/bin",
  ".cargo/bin",
  ".deno/bin",
  ".fnm/node-versions",
  ".local/bin",
  ".local/lib",
  ".local/share/fnm",
  ".local/share/mise/installs",
  ".local/share/pnpm",
  ".local/share/uv/python",
  ".nvm/versions",
  ".pyenv/libexec",
  ".pyenv/version",
  ".pyenv/versions",
  ".rbenv/libexec",
  ".rbenv/version",
  ".rbenv/versions",
  ".rustup",
  ".sdkman/candidates",
  ".volta/bin",
  ".volta/tools",
  "go/bin",
];

/** The folders with programs that lie outside the system's own: those on the `PATH` and those of version managers. */
export function programFolders(path: string | undefined, home: string): readonly string[] {
  const onPath = (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder) && folder !== "/");
  const outside = onPath.filter((folder) => !SYSTEM_FOLDERS.some((system) => isInside(system, folder)));
  // A whole home folder, or one that holds it, is never only a place for programs.
  const safe = outside.filter((folder) => !isInside(folder, home));
  return [...new Set([...TOOLCHAINS.map((folder) => join(home, folder)), ...safe])];
}
