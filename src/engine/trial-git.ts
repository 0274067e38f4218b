import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Why git would find no repository where only `folder` is within reach, as the end of a sentence: it begins above, or
 * `.git` is a file that leads elsewhere, as in worktrees and submodules. Undefined where it would, and where there is
 * none at all.
 */
export function gitOutside(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = statSync(join(at, ".git"), { throwIfNoEntry: false });
    if (found) return at === folder && found.isDirectory() ? undefined : OUTSIDE;
    if (dirname(at) === at) return undefined;
  }
}

const OUTSIDE = "git keeps what it knows of this folder outside of it, which is out of reach there";
