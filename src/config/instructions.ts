import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorkspaceText } from "./compose-prompt.ts";
import type { Homes } from "./homes.ts";

export interface InstructionOptions {
  readonly homes: Homes;
  /** Absolute. */
  readonly workDir: string;
  /** Where Aura was started; the search does not climb above it. */
  readonly launchDir: string;
  /** An agent's `agentsmd`. */
  readonly which: "all" | "global" | "local" | "none";
}

/**
 * The AGENTS.md files that apply (aura 17.1), the most general first: the homes', then from the outermost folder down
 * to the working directory. The climb ends at a folder with `.git`, at the launch directory or at the root.
 */
export async function readInstructions(options: InstructionOptions): Promise<readonly WorkspaceText[]> {
  const { homes, which } = options;
  if (which === "none") return [];
  const global = homes.global === undefined || which === "local" ? [] : [homes.global];
  const local = which === "global" ? [] : [...homes.projects, ...(await climb(options))];
  const texts = await Promise.all([...global, ...local].map((folder) => readOne(join(folder, "AGENTS.md"))));
  const seen = new Set<string>();
  return texts
    .filter((text) => text !== undefined)
    .filter(({ real }) => !seen.has(real) && seen.add(real))
    .map(({ path, text }) => ({ type: "Workspace Instructions", path, text }));
}

async function climb({ workDir, launchDir }: InstructionOptions): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = workDir; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === launchDir || folder === dirname(folder) || (await exists(join(folder, ".git")))) return folders;
  }
}

async function readOne(path: string) {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined || text.trim() === "") return undefined;
  const real = await realpath(path).catch(() => path);
  return { path, real, text: text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n") };
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
