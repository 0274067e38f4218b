import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { ServerDef, ServerWarning } from "../config/mcp-server.ts";
import { type EntryChange, type ExportPlan, planExport } from "../config/servers/plan-export.ts";
import { findTarget } from "../config/servers/targets/index.ts";
import type { Target } from "../config/servers/targets/target.ts";
import { withLock, writeAtomically } from "../system/atomic-file.ts";
import { personalFolders } from "../system/paths.ts";
import { findServers, type McpFound, type McpProblem } from "./mcp-config.ts";
import type { OpenOptions } from "./open-options.ts";

type Scope = ServerDef["scope"];

export interface ExportAsk {
  readonly target: string;
  readonly scope: Scope;
  /** Definitions of every scope go into the file of this one. */
  readonly allScopes: boolean;
  /** Definitions of this dotai or Aether file instead of the configured ones. */
  readonly file?: string | undefined;
}

export interface HowToExport {
  readonly dryRun: boolean;
  /** Take entries that were changed by hand or are not ours. */
  readonly force: boolean;
  /** Warnings are errors. */
  readonly strict: boolean;
}

export interface ExportedFile {
  readonly target: string;
  readonly scope: Scope;
  /** Absolute. */
  readonly path: string;
  readonly content: string;
  readonly changes: Readonly<Record<string, EntryChange>>;
  readonly warnings: readonly ServerWarning[];
}

export interface ExportResult {
  readonly files: readonly ExportedFile[];
  readonly errors: readonly McpProblem[];
}

/** Writes definitions into the file of another tool. With any error nothing is written. */
export async function exportServers(options: OpenOptions, ask: ExportAsk, how: HowToExport): Promise<ExportResult> {
  return exportAll(options, [ask], how);
}

/** Does every export again that was made from here; `target` limits it to one tool's. */
export async function syncServers(
  options: OpenOptions,
  target: string | undefined,
  how: HowToExport,
): Promise<ExportResult> {
  const found = await findServers(options);
  const places = statePlaces(options, found);
  const recorded = await Promise.all([readState(places.project), readState(places.user)]);
  const wanted = target === undefined ? undefined : (findTarget(target)?.name ?? target);
  const asks = recorded
    .flatMap(({ files }) => files)
    .filter((file) => wanted === undefined || file.target === wanted)
    .map(({ target: name, scope, allScopes }) => ({ target: name, scope, allScopes }));
  return exportAll(options, asks, how, found);
}

async function exportAll(
  options: OpenOptions,
  asks: readonly ExportAsk[],
  how: HowToExport,
  known?: McpFound,
): Promise<ExportResult> {
  const found = known ?? (await findServers(options));
  const planned: Planned[] = [];
  for (const ask of asks) planned.push(await plan(options, ask, found, how));
  const files = planned.map(({ file }) => file);
  const errors = planned.flatMap((one) => one.errors);
  const strict = how.strict
    ? files.flatMap(({ warnings }) => warnings).map(({ code, message }) => ({ code, message: `${message} (--strict)` }))
    : [];
  const all = [...errors, ...strict];
  if (all.length === 0 && !how.dryRun) for (const one of planned) await carryOut(one);
  return { files, errors: all };
}

interface Planned {
  readonly file: ExportedFile;
  readonly errors: readonly McpProblem[];
  readonly hashes: ExportPlan["hashes"];
  readonly allScopes: boolean;
  readonly stateFile: string;
  /** As the state file has it. */
  readonly recordedPath: string;
  readonly before: string | undefined;
}

async function plan(options: OpenOptions, ask: ExportAsk, found: McpFound, { force }: HowToExport): Promise<Planned> {
  const { cwd } = options;
  const target = findTarget(ask.target)!;
  const path = fileOf(target, options, ask.scope);
  const from = ask.file === undefined ? found : await definitionsIn(resolve(cwd, ask.file));
  const stateFile = statePlaces(options, found)[ask.scope];
  const recordedPath = ask.scope === "project" ? relative(cwd, path) : path;
  const state = await readState(stateFile);
  const recorded = state.files.find((file) => file.target === target.name && file.path === recordedPath);
  const before = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const made = await planExport({
    target,
    servers: from.servers.filter(({ scope }) => ask.allScopes || scope === ask.scope),
    file: path,
    text: before ?? "",
    known: recorded?.servers ?? {},
    force,
  });
  const { content, changes, warnings } = made;
  return {
    file: { target: target.name, scope: ask.scope, path, content, changes, warnings },
    errors: [...from.errors, ...made.errors],
    hashes: made.hashes,
    allScopes: ask.allScopes,
    stateFile,
    recordedPath,
    before,
  };
}

function fileOf(target: Target, { cwd, env }: OpenOptions, scope: Scope): string {
  const files = target.files({ cwd, user: personalFolders(env).user, env }, scope);
  return files.find((path) => existsSync(path)) ?? files[0]!;
}

async function definitionsIn(file: string): Promise<Pick<McpFound, "servers" | "errors">> {
  const text = await readFile(file, "utf8").catch((error: Error) => error);
  if (typeof text !== "string")
    return { servers: [], errors: [{ code: "parse-error", message: `${file}: cannot be read: ${text.message}` }] };
  if (/\.ya?ml$/i.test(file)) return (await import("../config/servers/dotai.ts")).readDotai(text, file);
  return (await import("../config/servers/aether-servers.ts")).readAetherText(text, file);
}

async function carryOut(planned: Planned): Promise<void> {
  const { file, hashes, allScopes, stateFile, recordedPath, before } = planned;
  const { target, scope, path, content } = file;
  // A file that names no servers need not come to be.
  if (content !== (before ?? "")) await writeAtomically(path, content);
  if (before === undefined && content === "") return;
  await withLock(stateFile, async () => {
    const state = await readState(stateFile);
    const others = state.files.filter((one) => !(one.target === target && one.path === recordedPath));
    const files = [...others, { target, scope, path: recordedPath, allScopes, servers: hashes }];
    await writeAtomically(stateFile, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
  });
}

interface SyncState {
  readonly files: readonly {
    readonly target: string;
    readonly scope: Scope;
    /** Relative to the project for its files. */
    readonly path: string;
    readonly allScopes: boolean;
    /** Name → SHA-256 of the entry as we wrote it. */
    readonly servers: Readonly<Record<string, string>>;
  }[];
}

/** What a person's exports wrote is known to all their projects. */
function statePlaces(options: OpenOptions, { config }: McpFound): Readonly<Record<Scope, string>> {
  const { homes } = config;
  const project = homes.projects.at(-1) ?? join(options.cwd, ".aura");
  const user = homes.global ?? personalFolders(options.env).config;
  const file = join("state", "mcp-sync.json");
  return { project: join(project, file), user: join(user, file) };
}

/** A state that cannot be read knows nothing: every entry then is somebody else's. */
async function readState(file: string): Promise<SyncState> {
  try {
    const { files } = JSON.parse(await readFile(file, "utf8")) as Partial<SyncState>;
    return { files: Array.isArray(files) ? files.filter(({ target }) => findTarget(target) !== undefined) : [] };
  } catch {
    return { files: [] };
  }
}
