import { join } from "node:path";
import type { LoadOptions } from "../config/load.ts";
import type { PersonalFolders } from "../system/paths.ts";
import type { OpenOptions } from "./open-options.ts";

/** Where configuration is looked for. */
export function loadOptions(options: OpenOptions, folders: PersonalFolders): LoadOptions {
  return {
    home: options.home,
    projects: options.config,
    userHome: folders.user,
    cwd: options.cwd,
    xdgConfigHome: options.env["XDG_CONFIG_HOME"],
    vars: options.variables ?? {},
    aether: {
      global: join(options.env["AETHER_HOME"] || join(folders.user, ".aether"), "settings.json"),
      project: join(options.cwd, ".aether", "settings.json"),
    },
  };
}
