import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Model } from "./model.ts";

/**
 * What people add about commands of theirs, from `config/policy/*.yaml` of homes that are trusted. Read when it is first
 * asked for, and again for other homes; what is wrong is told once, and a file with a mistake adds nothing.
 */
export function createModelShelf(
  tell: (problem: string) => void,
): (homes: readonly string[]) => Promise<readonly Model[]> {
  let known: { readonly key: string; readonly models: Promise<readonly Model[]> } | undefined;
  return (homes) => {
    const key = homes.join("\0");
    if (known?.key !== key) known = { key, models: readAll(homes, tell) };
    return known.models;
  };
}

async function readAll(homes: readonly string[], tell: (problem: string) => void): Promise<readonly Model[]> {
  const models: Model[] = [];
  // The nearest home comes first and has the last word.
  for (const home of homes.toReversed()) {
    for (const file of await yamlFiles(join(home, "config", "policy"))) {
      const { readModels } = await import("./read-models.ts");
      const reading = await readModels(await readFile(file, "utf8"), file);
      if (reading.problems.length === 0) models.push(...reading.models);
      for (const problem of reading.problems) tell(problem);
    }
  }
  return models;
}

async function yamlFiles(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => /\.ya?ml$/.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return []; // most homes have no such folder
  }
}
