import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { type Choices, resolveSettings } from "../../../src/config/resolve.ts";
import type { TurnSettings } from "../../../src/config/settings.ts";

/** A scratch directory with these files, gone after the test. */
export async function scratch(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "aura-config-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

/** Loads one project home made of these files; returned paths are relative to it. */
export async function load(files: Readonly<Record<string, string>>): Promise<Config> {
  return loadRoot(await scratch(files), ["."]);
}

/** Loads several homes below one directory: `global` when there is one, then the named ones. */
export async function loadHomes(files: Readonly<Record<string, string>>, projects: readonly string[]): Promise<Config> {
  return loadRoot(await scratch(files), projects);
}

async function loadRoot(root: string, projects: readonly string[]): Promise<Config> {
  return loadConfig({
    home: "global",
    projects: projects.map((project) => join(root, project)),
    userHome: join(root, "nobody"),
    cwd: root,
  });
}

/** Problems without the scratch directory. */
export function problemsOf(config: Config): readonly string[] {
  const root = config.homes.global!.replace(/global$/, "");
  return config.problems.map(({ file, line, message }) => `${file.replace(root, "")}:${line ?? "?"}: ${message}`);
}

export function settle(config: Config, choices: Choices = {}): TurnSettings {
  const resolved = resolveSettings(config, choices);
  if (!resolved.ok) throw new Error(resolved.message);
  return resolved.settings;
}
