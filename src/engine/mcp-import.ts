import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ServerDef, ServerWarning } from "../config/mcp-server.ts";
import { warningsOf } from "../config/servers/check-server.ts";
import { neutralForm, sameServer } from "../config/servers/neutral-form.ts";
import type { Imported } from "../config/servers/read-target.ts";
import { findTarget, TARGETS } from "../config/servers/targets/index.ts";
import type { Tree } from "../config/traced.ts";
import { writeAtomically } from "../system/atomic-file.ts";
import { isInside, personalFolders } from "../system/paths.ts";
import { hashOf, serverEntry } from "./executable-entries.ts";
import { findServers, type McpFound, type McpProblem } from "./mcp-config.ts";
import type { OpenOptions } from "./open-options.ts";
import { openTrust } from "./trust.ts";

export interface ImportRequest {
  /** A target, or `aether`, `dotai`, `a3s`. */
  readonly from: string;
  /** Undefined: the file of that tool in this project, or with `scope: user` the person's. */
  readonly file?: string | undefined;
  readonly scope: "project" | "user";
  readonly dryRun: boolean;
  /** Replace definitions of the same name. */
  readonly force: boolean;
  /** Warnings are errors. */
  readonly strict: boolean;
}

export interface ImportResult {
  /** In the neutral form, by name. */
  readonly servers: Readonly<Record<string, Tree>>;
  readonly warnings: readonly ServerWarning[];
  readonly errors: readonly McpProblem[];
  /** Names that are defined otherwise already: errors, but for a dry run. */
  readonly conflicts: readonly McpProblem[];
  /** Files that were read. */
  readonly read: readonly string[];
  /** Files that were written, or would be. */
  readonly written: readonly string[];
}

/** The words for `--from`. */
export const IMPORT_SOURCES: readonly string[] = [...TARGETS.map(({ name }) => name), "aether", "dotai", "a3s"];

/** Copies definitions of another tool into `config/mcp`. With any error nothing is written. */
export async function importServers(options: OpenOptions, request: ImportRequest): Promise<ImportResult> {
  const files = filesOf(options, request);
  const found = await readAll(options, request, files);
  const servers = found.servers.map((server): ServerDef => {
    const { file: _file, line: _line, ...rest } = server;
    return rest;
  });
  const warnings = [...found.warnings, ...servers.flatMap(warningsOf)];
  const strict = request.strict ? warnings.map(asError) : [];
  const base = { servers: byName(servers), warnings, conflicts: [], read: files, written: [] };
  if (found.errors.length + strict.length > 0) return { ...base, errors: [...found.errors, ...strict] };
  const present = await findServers(options);
  const placed = place(servers, present, request, options);
  const { conflicts } = placed;
  const written = [...placed.files.keys()];
  if (request.dryRun) return { ...base, errors: placed.errors, conflicts, written };
  const errors = [...placed.errors, ...conflicts];
  if (errors.length > 0) return { ...base, errors };
  for (const [file, entries] of placed.files) await write(file, entries, request.from);
  await vouchFor(placed.files, options);
  return { ...base, errors, written };
}

const asError = ({ code, message }: ServerWarning): McpProblem => ({ code, message: `${message} (--strict)` });
const byName = (servers: readonly ServerDef[]) =>
  Object.fromEntries(servers.map((server) => [server.name, neutralForm(server)]));

function filesOf({ cwd, env }: OpenOptions, { from, file, scope }: ImportRequest): readonly string[] {
  if (file !== undefined) return [resolve(cwd, file)];
  const { user } = personalFolders(env);
  const target = findTarget(from);
  const there = (files: readonly string[]) => [files.find((path) => existsSync(path)) ?? files[0]!];
  if (target) return there(target.files({ cwd, user, env }, scope));
  if (from === "aether") return there([join(cwd, ".aether", "mcp.json"), join(cwd, "mcp.json")]);
  // A person's first, so that the project's definitions win.
  const both = scope === "project" ? [user, cwd] : [user];
  const dotai = both.map((folder) => join(folder, ".ai", "config.yaml"));
  const present = [...new Set(dotai)].filter((path) => existsSync(path));
  return present.length > 0 ? present : [dotai.at(-1)!];
}

async function readAll(options: OpenOptions, request: ImportRequest, files: readonly string[]): Promise<Imported> {
  const read = await Promise.all(files.map((file) => readOne(options, request, file)));
  const servers = new Map(read.flatMap((one) => one.servers).map((server) => [server.name, server]));
  return {
    servers: [...servers.values()],
    errors: read.flatMap(({ errors }) => errors),
    warnings: read.flatMap(({ warnings }) => warnings),
  };
}

async function readOne(
  { cwd }: OpenOptions,
  { from, file: given, scope }: ImportRequest,
  file: string,
): Promise<Imported> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : (error as Error).message;
    return { servers: [], errors: [{ code: "parse-error", message: `${file}: cannot be read: ${why}` }], warnings: [] };
  }
  const target = findTarget(from);
  if (target) {
    const { readTarget } = await import("../config/servers/read-target.ts");
    return readTarget(target, text, file, scope, given === undefined && scope === "user" ? cwd : undefined);
  }
  if (from === "dotai") return (await import("../config/servers/dotai.ts")).readDotai(text, file);
  if (from === "aether") {
    const { readAetherText } = await import("../config/servers/aether-servers.ts");
    return { ...(await readAetherText(text, file)), warnings: [] };
  }
  return readA3s(text, file);
}

async function readA3s(text: string, file: string): Promise<Imported> {
  const [{ splitFrontMatter, FrontMatterError }, { readDirServer }] = await Promise.all([
    import("../text/frontmatter.ts"),
    import("./read-dir-server.ts"),
  ]);
  const failed = (message: string): Imported => ({
    servers: [],
    errors: [{ code: "parse-error", message: `${file}: ${message}` }],
    warnings: [],
  });
  try {
    const { data, body } = await splitFrontMatter(text);
    const head = data as Readonly<Record<string, unknown>>;
    if (head["kind"] !== "mcp") return failed('expected a head with "kind: mcp"');
    const name = typeof head["name"] === "string" ? head["name"] : "";
    const description = body.trim();
    const read = readDirServer(name, head, { file, ...(description !== "" && { description }) });
    return "server" in read
      ? { servers: [read.server], errors: [], warnings: [] }
      : { servers: [], errors: read.errors, warnings: [] };
  } catch (error) {
    if (error instanceof FrontMatterError) return failed(error.message);
    throw error;
  }
}

/** Which definitions go into which file. One that is there already stays where it is. */
function place(
  servers: readonly ServerDef[],
  { config, servers: present, errors: broken }: McpFound,
  { from, scope, force }: ImportRequest,
  options: OpenOptions,
): {
  readonly files: ReadonlyMap<string, readonly ServerDef[]>;
  readonly errors: readonly McpProblem[];
  readonly conflicts: readonly McpProblem[];
} {
  const { homes } = config;
  const project = homes.projects.at(-1) ?? join(options.cwd, ".aura");
  const personal = homes.global ?? personalFolders(options.env).config;
  const folder = join(scope === "project" ? project : personal, "config", "mcp");
  const usual = join(folder, `${findTarget(from)?.name ?? from}.yaml`);
  const files = new Map<string, readonly ServerDef[]>();
  // A file with mistakes is not edited.
  const errors: readonly McpProblem[] = broken.filter(({ message }) => message.startsWith(usual));
  const conflicts: McpProblem[] = [];
  for (const server of servers) {
    const there = present.find(({ name }) => name === server.name);
    if (there && sameServer(there, server)) continue;
    if (there && !force)
      conflicts.push({
        code: "conflict",
        server: server.name,
        message: `"${server.name}" is defined in ${there.file ?? "the configuration"} already; --force replaces it`,
      });
    const file = there?.file && isInside(folder, there.file) ? there.file : usual;
    files.set(file, [...(files.get(file) ?? []), server]);
  }
  return { files, errors, conflicts };
}

/** Comments and other entries of the file stay. */
async function write(file: string, servers: readonly ServerDef[], from: string): Promise<void> {
  const { parseDocument } = await import("yaml");
  const text = await readFile(file, "utf8").catch(() => `# Copied by: aura mcp import --from ${from}\n`);
  const document = parseDocument(text);
  for (const server of servers) document.set(server.name, document.createNode(neutralForm(server)));
  await mkdir(dirname(file), { recursive: true });
  await writeAtomically(file, document.toString({ lineWidth: 0 }));
}

/** A person asked for these entries, so they may run. What else is in their files may have come with the project. */
async function vouchFor(written: ReadonlyMap<string, readonly ServerDef[]>, options: OpenOptions): Promise<void> {
  const { servers } = await findServers(options);
  const trust = await openTrust(personalFolders(options.env).state);
  for (const [file, entries] of written) {
    // As they are read back: what would run is what is trusted.
    const read = servers.filter((server) => server.file === file && entries.some(({ name }) => name === server.name));
    await trust.vouchForEntries(file, read.map(serverEntry).map(hashOf));
  }
}
