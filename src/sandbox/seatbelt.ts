import { programFolders, SYSTEM_FOLDERS } from "./base-folders.ts";
import type { Machine } from "./confine.ts";
import type { Launch, Program, Wish } from "./sandbox.ts";

/** macOS: sandbox-exec(1), deprecated for years and still what the system's own services use. */
export function seatbeltLaunch({ starter }: Machine, wish: Wish, program: Program, path: string | undefined): Launch {
  return { file: starter, args: ["-p", seatbeltProfile(wish, path), program.file, ...program.args] };
}

/** The last rule that fits counts, so what is guarded stands last. */
export function seatbeltProfile(wish: Wish, path: string | undefined): string {
  const readable = [...SYSTEM_FOLDERS, ...MAC_FOLDERS, ...programFolders(path, wish.home), ...wish.readOnly];
  const below = (paths: readonly string[]) => paths.map((at) => `(subpath ${quoted(at)})`).join(" ");
  return [
    "(version 1)",
    "(deny default)",
    '(import "system.sb")',
    "(allow process-fork process-exec sysctl-read)",
    "(allow signal (target same-sandbox))",
    "(allow file-read-metadata)",
    `(allow file-read* ${below([...readable, ...wish.readWrite])})`,
    `(allow file-write* ${below(["/private/tmp", "/private/var/tmp", "/private/var/folders", ...wish.readWrite])})`,
    '(allow file-read* file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (subpath "/dev/fd"))',
    ...(wish.guarded.length > 0 ? [`(deny file-write* ${below(wish.guarded)})`] : []),
    ...(wish.network === "inherit" ? ["(allow network* system-socket)"] : []),
  ].join("\n");
}

const MAC_FOLDERS = [
  "/System",
  "/Library",
  "/Applications/Xcode.app",
  "/private/etc",
  "/private/tmp",
  "/private/var/folders",
  "/private/var/select",
];

/** As a string of Scheme. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
