import { files } from "./files.ts";
import { git } from "./git.ts";
import type { Model } from "./model.ts";
import { packages } from "./packages.ts";
import { remote } from "./remote.ts";
import { shell } from "./shell.ts";
import { system } from "./system.ts";
import { text } from "./text.ts";
import { wrappers } from "./wrappers.ts";

/** Models by the names of their programs; `added` ones replace ours of the same name. */
export function modelsByName(added: readonly Model[]): ReadonlyMap<string, Model> {
  const all = [...files, ...text, ...shell, ...wrappers, ...system, ...git, ...packages, ...remote, ...added];
  return new Map(all.flatMap((model) => model.names.split(/\s+/).map((name) => [name, model] as const)));
}
