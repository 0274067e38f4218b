import type { JudgedCall } from "./policy.ts";
import { isSecret } from "./shell/protected-paths.ts";
import type { TouchedPath } from "./touched-paths.ts";

/** Tools that only look at names: what is in a file stays unread. */
const LISTING: ReadonlySet<string> = new Set(["Glob", "Ls"]);

/** What a call other than a shell command would read of files whose contents are secrets, under any of their names. */
export function secretReads({ tool, reads = [], writes = [], given = [] }: JudgedCall): readonly TouchedPath[] {
  if (tool === "Bash" || LISTING.has(tool) || reads.length === 0) return [];
  // Which given name belongs to which path is not known, so a telling one speaks for all of them.
  const isAlias = writes.length === 0 && given.some(isSecret);
  return reads
    .filter((path) => isAlias || isSecret(path))
    .map((path) => ({ path, forms: [path], access: "read" as const }));
}
