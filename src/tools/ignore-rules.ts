import { dirname, join, relative } from "node:path";
import type { Ignore } from "ignore";
import type { DirectoryEntry, ProjectFiles } from "../workspace/project-files.ts";

/** Says which entries of a folder Git would not look at. */
export interface IgnoreRules {
  /** `entries` of `folder` (absolute) without the ignored ones; `.git` is always left out. */
  keep(folder: string, entries: readonly DirectoryEntry[]): Promise<readonly DirectoryEntry[]>;
}

interface RuleFile {
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * The rules of every `.gitignore` from the repository's root down, and of `.git/info/exclude`
 * (https://git-scm.com/docs/gitignore): the deepest file that has an opinion decides. Outside a repository only the
 * files below the first folder asked about count. Each file is read once.
 */
export async function readIgnoreRules(files: ProjectFiles): Promise<IgnoreRules> {
  const { default: ignore } = await import("ignore");
  const known = new Map<string, Promise<readonly RuleFile[]>>();

  /** Deepest first. */
  function rulesFor(folder: string): Promise<readonly RuleFile[]> {
    let rules = known.get(folder);
    if (!rules) {
      rules = gather(folder);
      known.set(folder, rules);
    }
    return rules;
  }

  async function gather(folder: string): Promise<readonly RuleFile[]> {
    const isRoot = (await kindOf(join(folder, ".git"))) !== undefined;
    const own = await read(folder, join(folder, ".gitignore"));
    if (isRoot) return [...own, ...(await read(folder, join(folder, ".git", "info", "exclude")))];
    const parent = dirname(folder);
    return parent === folder ? own : [...own, ...(await rulesFor(parent))];
  }

  async function read(folder: string, path: string): Promise<RuleFile[]> {
    if ((await kindOf(path)) !== "file") return [];
    try {
      const text = new TextDecoder().decode(await files.read(path));
      return [{ folder, rules: ignore({ allowRelativePaths: false }).add(text) }];
    } catch {
      return []; // unreadable rules rule nothing
    }
  }

  /** What cannot be looked at, such as a link in a circle, rules nothing either. */
  const kindOf = async (path: string) => (await files.stat(path).catch(() => undefined))?.kind;

  return {
    async keep(folder, entries) {
      const rules = await rulesFor(folder);
      return entries.filter((entry) => {
        if (entry.name === ".git") return false;
        return rules.length === 0 || !isIgnored(rules, join(folder, entry.name), entry.kind === "directory");
      });
    },
  };
}

function isIgnored(rules: readonly RuleFile[], path: string, isDirectory: boolean): boolean {
  for (const { folder, rules: file } of rules) {
    const { ignored, unignored } = file.test(relative(folder, path) + (isDirectory ? "/" : ""));
    if (ignored || unignored) return ignored;
  }
  return false;
}
