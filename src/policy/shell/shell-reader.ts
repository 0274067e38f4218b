import type { Model } from "../models/model.ts";
import type { Parsers } from "./parsers.ts";
import type { ShellReading } from "./reading.ts";
import type { Surroundings } from "./surroundings.ts";

export interface ShellReader {
  /** `folder` is where the text runs; undefined when nobody can say. Never throws. */
  read(text: string, folder: string | undefined, around: Surroundings, added: readonly Model[]): Promise<ShellReading>;
}

/** Loads what reads shell texts when the first one is to be read. */
export function createShellReader(): ShellReader {
  let loading: ReturnType<typeof load> | undefined;
  let parsers: Promise<Parsers> | undefined;
  let models: { readonly added: readonly Model[]; readonly byName: ReadonlyMap<string, Model> } | undefined;
  return {
    async read(text, folder, around, added) {
      loading ??= load();
      try {
        const { readShell, ParsersNeeded, modelsByName, loadParsers } = await loading;
        if (models?.added !== added) models = { added, byName: modelsByName(added) };
        const given = { models: models.byName, folders: [folder], around };
        try {
          return readShell(text, { ...given, parsers: await parsers });
        } catch (error) {
          if (!(error instanceof ParsersNeeded)) throw error;
          parsers ??= loadParsers();
          return readShell(text, { ...given, parsers: await parsers });
        }
      } catch (error) {
        return { kind: "unreadable", reason: `the parsers could not be loaded: ${(error as Error).message}` };
      }
    },
  };
}

async function load() {
  const [{ readShell, ParsersNeeded }, { modelsByName }] = await Promise.all([
    import("./read-shell.ts"),
    import("../models/all-models.ts"),
  ]);
  const loadParsers = async () => (await import("./parsers.ts")).loadParsers();
  return { readShell, ParsersNeeded, modelsByName, loadParsers };
}
