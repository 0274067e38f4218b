import { dirname, join, resolve } from "node:path";
import type { Folders } from "./effects.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Why git would run more than itself in one of these folders; undefined when it would not. Settings inside a repository
 * may name programs that even `git status` starts (git-config(1): core.fsmonitor, diff.external, filters, pagers …).
 */
export function whyGitRuns(folders: Folders, around: Surroundings): string | undefined {
  for (const folder of folders) {
    if (folder === undefined) return "it runs git in a folder that only running it tells";
    const config = configOf(folder, around);
    if (config === undefined) continue;
    const hook = join(dirname(config), "hooks", "post-index-change");
    if (around.readText(hook) !== undefined) return `git runs ${hook} when it looks at files`;
    const text = around.readText(config);
    if (text === undefined) return `the settings of the repository cannot be read: ${config}`;
    const found = PROGRAMS.exec(text);
    if (found)
      return `the settings of the repository name programs that git runs: ${config}: ${found[0].trim().slice(0, 60)}`;
  }
  return undefined;
}

const PROGRAMS =
  /^[ \t]*(?:(?:fsmonitor|external|textconv|sshcommand|askpass|pager|editor|hookspath|process|clean|smudge|program|command|helper|driver|worktree|attributesfile|gitproxy|path|worktreeconfig|\w*command)\b.*|\[\s*(?:pager|alias|include|includeif|filter|gpg|credential|interactive|difftool|mergetool)\b.*)$|\][ \t]*[a-z]/im;

/** The file of settings of the repository a folder is in. */
function configOf(start: string, around: Surroundings): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const dot = join(folder, ".git");
    if (around.isFolder(dot)) return join(dot, "config");
    const link = around.readText(dot);
    if (link !== undefined) return linkedConfig(folder, link, around);
    // A repository without a working tree may lie in any folder.
    if (around.isFolder(join(folder, "objects")) && around.readText(join(folder, "HEAD")) !== undefined)
      return join(folder, "config");
    if (folder === dirname(folder)) return undefined;
  }
}

/** gitrepository-layout(5): `.git` is a file that names the folder, which may name the common one. */
function linkedConfig(folder: string, link: string, around: Surroundings): string {
  const target = resolve(folder, /^gitdir:\s*(.+?)\s*$/m.exec(link)?.[1] ?? "");
  const common = around.readText(join(target, "commondir"))?.trim();
  return join(common === undefined ? target : resolve(target, common), "config");
}
