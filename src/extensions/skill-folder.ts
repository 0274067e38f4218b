import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, sep } from "node:path";

export interface FoundSkill {
  /** Absolute. */
  readonly file: string;
  /** Of a skill with files of its own: the folder that holds them. */
  readonly folder?: string;
  /** Changes when the file does. */
  readonly stamp: string;
}

/** Links in circles end here; nobody nests skills deeper. */
const DEEPEST = 8;
const MOST_FILES = 200;
/** A file that is larger is data for a program, not text for a model. */
const LARGEST_BYTES = 1_000_000;

/**
 * The skills below a folder, in a fixed order: every folder with a SKILL.md is one, whatever lies below it, and with
 * `flat` so is every other Markdown file. A folder that is not there has none.
 */
export async function findSkillFiles(dir: string, flat: boolean, depth = 0): Promise<readonly FoundSkill[]> {
  const entries = await listing(dir);
  const own = entries.find(({ name }) => name === "SKILL.md");
  if (own) return stamped(join(dir, own.name), dir);
  const found: FoundSkill[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(dir, entry.name);
    const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(path)));
    if (isFolder && depth < DEEPEST) found.push(...(await findSkillFiles(path, flat, depth + 1)));
    else if (!isFolder && flat && isFlatSkill(entry.name)) found.push(...(await stamped(path)));
  }
  return found;
}

/** The files of a skill's folder, by paths with forward slashes; its own text is not among them. */
export async function skillResources(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const walk = async (dir: string, depth: number): Promise<void> => {
    for (const entry of await listing(dir)) {
      if (entry.name.startsWith(".") || paths.length >= MOST_FILES) continue;
      const path = join(dir, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) await walk(path, depth + 1);
      else if (entry.isFile()) paths.push(relative(folder, path).split(sep).join("/"));
    }
  };
  await walk(folder, 0);
  return paths.filter((path) => path !== "SKILL.md");
}

/**
 * One file of a skill's folder. Throws, with the files there are, for an absolute path, one that leads out of the
 * folder by dots or by links, a folder, and what is no text.
 */
export async function readResource(folder: string, path: string): Promise<string> {
  const refuse = async (why: string): Promise<never> => {
    const files = await skillResources(folder);
    throw new Error(`${path}: ${why}. Files: ${files.join(", ") || "none"}`);
  };
  if (isAbsolute(path) || path.split(/[/\\]/).includes("..") || path.includes("\0"))
    return refuse("only relative paths inside the skill's folder can be read");
  const [root, target] = await Promise.all([realpath(folder), realpath(join(folder, path)).catch(() => undefined)]);
  if (target === undefined) return refuse("no such file");
  if (!target.startsWith(root + sep)) return refuse("leads out of the skill's folder");
  const stats = await stat(target);
  if (!stats.isFile()) return refuse("is a folder");
  if (stats.size > LARGEST_BYTES) return refuse(`is too large (${stats.size} bytes)`);
  const bytes = await readFile(target);
  return bytes.includes(0) ? refuse("is not text") : bytes.toString("utf8");
}

function isFlatSkill(name: string): boolean {
  return name.endsWith(".md") && name.toLowerCase() !== "readme.md" && !name.includes(".example.");
}

async function stamped(file: string, folder?: string): Promise<FoundSkill[]> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.size > LARGEST_BYTES) return [];
  return [{ file, stamp: `${stats.mtimeMs}:${stats.size}`, ...(folder !== undefined && { folder }) }];
}

async function listing(dir: string): Promise<Dirent[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isDirectory = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/** What a skill is called that does not say. */
export function nameOfFile({ file, folder }: FoundSkill): string {
  return folder === undefined ? basename(file, ".md") : basename(folder);
}
