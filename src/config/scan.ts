import type { Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Homes } from "./homes.ts";
import { KINDS, type KindPlace } from "./kinds.ts";

export interface FoundFile {
  readonly kind: KindPlace;
  /** Absolute. */
  readonly path: string;
  readonly home: string;
  readonly scope: "global" | "project";
  /** Changes when the file does: modification time and size. */
  readonly stamp: string;
}

/** Every configuration file of all homes, in the order they are applied: global home first, then the projects. */
export async function findFiles(homes: Homes): Promise<readonly FoundFile[]> {
  const places = [
    ...(homes.global === undefined ? [] : [{ home: homes.global, scope: "global" as const }]),
    ...homes.projects.map((home) => ({ home, scope: "project" as const })),
  ];
  const found = await Promise.all(
    places.flatMap(({ home, scope }) =>
      KINDS.map(async (kind) => {
        const files = await walk(join(home, kind.folder), kind, new Set());
        return files.map((file): FoundFile => ({ kind, home, scope, ...file }));
      }),
    ),
  );
  return found.flat();
}

/** Absolute paths of Aether's settings. */
export interface AetherPlaces {
  readonly global: string;
  readonly project: string;
}

const AETHER: KindPlace = { name: "agents", folder: "", form: "aether" };

/** Aether's settings, the global ones first, when the project has such. */
export async function findAether(places: AetherPlaces | undefined): Promise<readonly FoundFile[]> {
  if (!places) return [];
  const [project] = await stamped(places.project);
  if (!project) return [];
  const [global] = await stamped(places.global);
  return [
    ...(global ? [{ kind: AETHER, home: dirname(global.path), scope: "global" as const, ...global }] : []),
    { kind: AETHER, home: dirname(project.path), scope: "project" as const, ...project },
  ];
}

interface Walked {
  readonly path: string;
  readonly stamp: string;
}

/** Links are followed (people link skills from elsewhere), a directory seen before is not entered again. */
async function walk(folder: string, kind: KindPlace, seen: Set<string>): Promise<Walked[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nothingThere);
  if (!entries) return [];
  const real = await realpath(folder).catch(() => folder);
  if (seen.has(real)) return [];
  seen.add(real);

  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (kind.form === "plugin") {
    const manifest = entries.find((entry) => entry.name === "plugin.yaml");
    if (manifest) return stamped(join(folder, manifest.name));
  }
  // A skill with files of its own: its loader reads it, and nothing below it is configuration.
  if (kind.name === "skills" && entries.some((entry) => entry.name === "SKILL.md")) return [];
  const files: Walked[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await statOf(path))?.isDirectory())) {
      if (!isSkipped(entry.name, kind)) files.push(...(await walk(path, kind, seen)));
    } else if (isWanted(entry.name, kind)) {
      files.push(...(await stamped(path)));
    }
  }
  return files;
}

function isSkipped(folder: string, kind: KindPlace): boolean {
  return kind.form === "plugin" && (folder.startsWith(".") || folder === "vendor" || folder === "node_modules");
}

function isWanted(name: string, kind: KindPlace): boolean {
  if (kind.form === "plugin" || name.startsWith(".") || name.includes(".example.")) return false;
  if (kind.form === "markdown") return name.endsWith(".md") && name.toLowerCase() !== "readme.md";
  return name.endsWith(".yaml") || name.endsWith(".yml");
}

async function stamped(path: string): Promise<Walked[]> {
  const stats = await statOf(path);
  return stats?.isFile() ? [{ path, stamp: `${stats.mtimeMs}:${stats.size}` }] : [];
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

function nothingThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
