import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { type DirTool, readToolFolder } from "../extensions/agent-dir/tool-folder.ts";
import { filesItRuns, whatItRuns } from "../extensions/agent-dir/what-it-runs.ts";
import type { ScriptSession } from "../extensions/script/inner-calls.ts";
import { scriptTool } from "../extensions/script/script-tool.ts";
import type { KnownTool } from "../toolkit/known-tool.ts";
import type { OpenOptions } from "./open-options.ts";
import { readDirServer } from "./read-dir-server.ts";
import { real } from "./resolve-config.ts";
import { SCRIPTS_OFF } from "./script-tools.ts";
import type { Trust } from "./trust.ts";

/** What `tools/*.md` of the homes and of `--agent-dir` declare, and how far a person has trusted it. */
export interface DirTools {
  /** Another one when a file or a person's trust in it is another. */
  readonly stamp: string;
  /** True when a file was added, removed or written since. */
  isOutdated(): Promise<boolean>;
  /** Servers that may be started. */
  readonly servers: readonly (DirTool & { readonly kind: "mcp"; readonly isNamed: boolean })[];
  /** One line a problem, for a person. */
  readonly notices: readonly string[];
  /**
   * The script tools, those that may not run included, with the reason.
   * @param homesCount false where the agent has those of homes turned off; a folder named on the command line counts
   */
  known(session: ScriptSession, isTaken: (name: string) => boolean, homesCount: boolean): readonly KnownTool[];
  /** What is not trusted yet: a line for each command or script, and the files a yes vouches for. */
  readonly untrusted: { readonly lines: readonly string[]; readonly files: readonly string[] };
}

interface TrustedSoFar {
  readonly config: Config;
  readonly trust: Trust;
}

/**
 * Reads the folders. One that does not load whole contributes nothing.
 * @param wantsHomes whether the homes' folders count (`tools.scripts`); `--agent-dir` always does
 */
export async function readDirTools(
  { config, trust }: TrustedSoFar,
  options: OpenOptions,
  wantsHomes: boolean,
): Promise<DirTools> {
  const found: Found[] = [];
  const notices: string[] = [];
  const dirs = places(config, options, wantsHomes);
  const before = await fingerprintOf(dirs, []);
  for (const { dir, isOwn, isNamed } of dirs) {
    const { tools, errors, warnings } = await readToolFolder(dir, readDirServer);
    for (const { code, message } of errors) notices.push(`tools of ${dir} are left out: ${code}: ${message}`);
    for (const { code, message } of warnings) notices.push(`${code}: ${message} (${dir})`);
    for (const tool of tools) found.push({ tool, isNamed, held: await whyHeld(tool, isOwn, trust, options) });
  }
  const held = found.flatMap(({ tool, held }) => (held === undefined ? [] : [tool]));
  const scripts = found.flatMap(({ tool, ...rest }) => (tool.kind === "script" ? [{ tool, ...rest }] : []));
  const files = filesItRuns(
    scripts.map(({ tool }) => tool),
    options.cwd,
  );
  const fingerprint = `${before}\n${await fingerprintOf([], files)}`;
  const objection = async (file: string) =>
    options.trust || (await trust.trustsFile(file)) ? undefined : `${file}: ${CHANGED}`;
  return {
    stamp: JSON.stringify([fingerprint, held.map(({ path }) => path)]),
    isOutdated: async () => `${await fingerprintOf(dirs, [])}\n${await fingerprintOf([], files)}` !== fingerprint,
    servers: found.flatMap(({ tool, held, isNamed }) =>
      tool.kind === "mcp" && held === undefined ? [{ ...tool, isNamed }] : [],
    ),
    notices: held.length > 0 ? [...notices, notTrusted(held)] : notices,
    known: (session, isTaken, homesCount) =>
      scripts.flatMap(({ tool, held, isNamed }) => {
        if (isTaken(tool.name)) return [];
        const made = scriptTool(tool.script, { session, objection });
        const why = held ?? (homesCount || isNamed ? undefined : SCRIPTS_OFF);
        const unavailable = why === undefined ? {} : { unavailable: { value: why, file: tool.path, line: 1 } };
        return [{ tool: made, source: `script:${tool.path}`, ...unavailable }];
      }),
    untrusted: { lines: whatItRuns(held), files: await Promise.all(filesItRuns(held, options.cwd).map(real)) },
  };
}

interface Found {
  readonly tool: DirTool;
  /** Of a folder on the command line. */
  readonly isNamed: boolean;
  /** Why it may not run. */
  readonly held: string | undefined;
}

interface Place {
  readonly dir: string;
  readonly isNamed: boolean;
  /** A person's own home, or one named on the command line: trusted by that. What came with a project is by content. */
  readonly isOwn: boolean;
}

const CHANGED = "not trusted as it is now; /trust shows what it would run";

function places(config: Config, { config: named, agentDir }: OpenOptions, wantsHomes: boolean): readonly Place[] {
  const { global, projects } = config.homes;
  const homes = [
    ...(global === undefined ? [] : [{ dir: global, isNamed: false, isOwn: true }]),
    ...projects.map((dir) => ({ dir, isNamed: false, isOwn: named !== undefined })),
  ];
  return [
    ...(wantsHomes ? homes : []),
    ...(agentDir === undefined ? [] : [{ dir: agentDir, isNamed: true, isOwn: false }]),
  ];
}

async function whyHeld(tool: DirTool, isOwn: boolean, trust: Trust, options: OpenOptions): Promise<string | undefined> {
  if (options.trust) return undefined;
  if (!isOwn && !(await trust.trustsFile(tool.path))) return `${tool.file}: ${CHANGED}`;
  if (tool.kind === "mcp") return undefined;
  // Also for a person's own definition: the script it names lies in whatever project they stand in.
  const script = join(options.cwd, tool.script.path);
  const isThere = (await stat(script).catch(() => undefined)) !== undefined;
  return !isThere || (await trust.trustsFile(await real(script))) ? undefined : `${tool.script.path}: ${CHANGED}`;
}

function notTrusted(tools: readonly DirTool[]): string {
  const names = tools.map(({ name }) => name).join(", ");
  return `not offered until you trust what they run: ${names}. /trust shows it.`;
}

/** By name, time and size of everything that was or could be read. */
async function fingerprintOf(dirs: readonly Place[], files: readonly string[]): Promise<string> {
  const listed = await Promise.all(
    dirs.map(async ({ dir }) => {
      const names = await readdir(join(dir, "tools")).catch(() => []);
      return names.map((name) => join(dir, "tools", name));
    }),
  );
  const stamps = [...listed.flat().sort(), ...files].map(async (file) => {
    const stats = await stat(file).catch(() => undefined);
    return `${file}\0${stats?.mtimeMs ?? ""}:${stats?.size ?? ""}`;
  });
  return (await Promise.all(stamps)).join("\n");
}
