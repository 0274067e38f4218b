import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ExecutableEntry } from "./executable-entries.ts";
import type { TrustedConfig } from "./resolve-config.ts";

/** What a home says its commands do: that decides what is asked about. */
export async function modelEntries(home: string): Promise<readonly ExecutableEntry[]> {
  const folder = join(home, "config", "policy");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.ya?ml$/.test(name));
  return Promise.all(
    names.map(async (name): Promise<ExecutableEntry> => {
      const file = join(folder, name);
      return { kind: "command model", name: basename(file), file, text: await readFile(file, "utf8").catch(() => "") };
    }),
  );
}

/** The homes whose models count: a person's own, and those of the project as they were accepted. */
export async function acceptedModels(
  homes: readonly string[],
  { entries }: Pick<TrustedConfig, "entries">,
): Promise<readonly string[]> {
  const accepted = homes.map(
    async (home) => !entries.isForeign(home) || (await modelEntries(home)).every((entry) => entries.runs(entry)),
  );
  const verdicts = await Promise.all(accepted);
  return homes.filter((_, at) => verdicts[at]);
}
