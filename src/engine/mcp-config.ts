// What `aura mcp list`, `check`, `import`, `export` and `sync` do, without a conversation. Nothing here starts a server
// or looks a variable up to write it down.
import type { Config } from "../config/config.ts";
import { type LoadOptions, loadConfig } from "../config/load.ts";
import type { ServerDef, ServerError, ServerWarning } from "../config/mcp-server.ts";
import { expandServer } from "../config/servers/expand-server.ts";
import { serversOf } from "../config/servers/servers-of.ts";
import { personalFolders } from "../system/paths.ts";
import { loadOptions } from "./load-options.ts";
import type { OpenOptions } from "./open-options.ts";

/** Codes of the error are those of a definition, and ours for commands: `conflict`, `not-writable`, `warning`. */
export interface McpProblem {
  readonly code: string;
  readonly server?: string;
  readonly message: string;
}

export interface McpFound {
  readonly config: Config;
  readonly servers: readonly ServerDef[];
  readonly errors: readonly ServerError[];
  readonly warnings: readonly ServerWarning[];
}

/** Every definition that counts for the agent that would run, and what is wrong with any. */
export async function findServers(options: OpenOptions): Promise<McpFound> {
  const config = await loadConfig(configPlaces(options));
  const agent = options.agent ?? [...config.agents.values()].find(({ value }) => value.default)?.name;
  const found = await serversOf(config, { cwd: options.cwd, agent });
  return { config, ...found, errors: [...ownErrors(config), ...found.errors] };
}

function configPlaces(options: OpenOptions): LoadOptions {
  return loadOptions(options, personalFolders(options.env));
}

/** The errors of every definition of every agent, unset variables among them. */
export async function checkServers(
  options: OpenOptions,
): Promise<{ readonly errors: readonly ServerError[]; readonly warnings: readonly ServerWarning[] }> {
  const { config, ...first } = await findServers(options);
  const listing = [...config.agents.values()].filter(({ value }) => (value.mcps ?? []).length > 0);
  const more = await Promise.all(listing.map(({ name }) => serversOf(config, { cwd: options.cwd, agent: name })));
  const all = [first, ...more];
  const unset = all
    .flatMap(({ servers }) => servers)
    .filter(({ disabled }) => !disabled)
    .flatMap((server) => {
      const expanded = expandServer(server, options.env);
      return expanded.ok ? [] : expanded.errors;
    });
  const settings = await settingsErrors(config);
  return {
    errors: once([...all.flatMap(({ errors }) => errors), ...settings, ...unset]),
    warnings: once(all.flatMap(({ warnings }) => warnings)),
  };
}

/** What is wrong in the homes' own files, with its code. */
function ownErrors({ problems, homes }: Config): readonly ServerError[] {
  const folders = [homes.global, ...homes.projects]
    .filter((home) => home !== undefined)
    .map((home) => `${home}/config/mcp`);
  return problems
    .filter(({ file }) => folders.some((folder) => file.startsWith(folder)))
    .map(({ file, line, message, code, entity }) => ({
      code: (code ?? "parse-error") as ServerError["code"],
      ...(entity !== undefined && { server: entity }),
      message: `${file}${line === undefined ? "" : `:${line}`}: ${message}`,
    }));
}

async function settingsErrors({ aether }: Config): Promise<readonly ServerError[]> {
  if (aether === undefined) return [];
  const [{ readFile }, { readAetherSettings }, { dirname }] = await Promise.all([
    import("node:fs/promises"),
    import("../config/servers/aether-settings.ts"),
    import("node:path"),
  ]);
  const text = await readFile(aether, "utf8").catch(() => "");
  const read = await readAetherSettings([{ path: aether, text, base: dirname(dirname(aether)), scope: "project" }]);
  return read.problems.map(({ file, line, message }) => ({
    code: /unknown key/.test(message) ? "unknown-field" : "parse-error",
    message: `${file}:${line ?? 1}: ${message}`,
  }));
}

function once<Item extends { readonly message: string }>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [item.message, item])).values()];
}
