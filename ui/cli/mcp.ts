import { type ExportResult, loadMcpCommands, type McpProblem, type OpenOptions } from "../../src/index.ts";
import type { Outputs } from "../headless/writers.ts";
import type { Invocation } from "./arguments.ts";
import { ExpectedStop } from "./expected-stop.ts";

type Engine = Awaited<ReturnType<typeof loadMcpCommands>>;
type Asked<Action extends string> = Extract<Invocation, { command: "mcp" }>["ask"] & { readonly action: Action };

/** `aura mcp …`, except `serve`. Shapes and codes: other-systems 9. Returns the exit code. */
export async function runMcp(
  { ask }: Extract<Invocation, { command: "mcp" }>,
  options: OpenOptions,
  out: Outputs,
): Promise<number> {
  const engine = await loadMcpCommands();
  switch (ask.action) {
    case "list":
      return list(engine, ask, options, out);
    case "check":
      return check(engine, ask, options, out);
    case "import":
      return importFrom(engine, ask, options, out);
    case "export":
      return exportTo(engine, ask, options, out);
    case "sync":
      return sync(engine, ask, options, out);
  }
}

async function list(engine: Engine, { json }: Asked<"list">, options: OpenOptions, out: Outputs): Promise<number> {
  const { servers, errors, warnings } = await engine.findServers(options);
  if (json) {
    const shown = servers.map((server) => {
      const absent = engine.absentParts(server, options.cwd);
      const parts = absent.length > 0 ? { absent } : {};
      return [server.name, { ...engine.neutralForm(server), ...placeOf(server), ...parts }];
    });
    printJson(out, { servers: Object.fromEntries(shown), errors, warnings });
  } else {
    for (const server of servers) {
      const { name, transport, command, args, url, disabled, file, line } = server;
      const what = transport === "in-memory" ? ["aura mcp serve", name] : [command ?? url ?? "", ...args];
      const from = file === undefined ? "" : `  (${file}${line === undefined ? "" : `:${line}`})`;
      out.data(`${name}  ${transport}  ${what.join(" ").trim()}${disabled ? "  disabled" : ""}${from}\n`);
      for (const part of engine.absentParts(server, options.cwd)) out.data(`  without ${part.name}: ${part.reason}\n`);
    }
    if (servers.length === 0 && errors.length === 0)
      out.talk(`aura: ${engine.importHint(options.cwd) ?? "no MCP server is configured"}\n`);
    tell(out, errors, warnings);
  }
  return errors.length > 0 ? 1 : 0;
}

const placeOf = ({ file, line }: { readonly file?: string; readonly line?: number }) => ({
  ...(file !== undefined && { file }),
  ...(line !== undefined && { line }),
});

async function check(
  engine: Engine,
  { json, strict }: Asked<"check">,
  options: OpenOptions,
  out: Outputs,
): Promise<number> {
  const { errors, warnings } = await engine.checkServers(options);
  if (json) printJson(out, { errors, warnings });
  else {
    tell(out, errors, warnings);
    if (errors.length + warnings.length === 0) out.data("The MCP configuration is fine.\n");
  }
  return errors.length > 0 || (strict && warnings.length > 0) ? 1 : 0;
}

async function importFrom(engine: Engine, ask: Asked<"import">, options: OpenOptions, out: Outputs): Promise<number> {
  const { json, ...request } = ask;
  const from = ask.from.toLowerCase();
  if (!engine.findTarget(from) && !engine.IMPORT_SOURCES.includes(from))
    throw new ExpectedStop(`mcp import: there is no "${ask.from}": use ${engine.IMPORT_SOURCES.join(", ")}`);
  if (from === "a3s" && ask.file === undefined) throw new ExpectedStop("mcp import --from a3s: name the --file");
  const { servers, warnings, errors, conflicts, read, written } = await engine.importServers(options, {
    ...request,
    from,
  });
  if (errors.length > 0) return fail(out, errors, warnings, json);
  if (json) {
    printJson(out, { servers, warnings, conflicts, read, written: ask.dryRun ? [] : written });
    return 0;
  }
  const { stringify } = await import("yaml");
  if (Object.keys(servers).length === 0) out.talk(`aura: ${read.join(", ")} defines no MCP server\n`);
  else out.data(stringify(servers, { lineWidth: 0 }));
  tell(out, conflicts, warnings);
  for (const file of written) out.talk(`aura: ${ask.dryRun ? "would be written to" : "written to"} ${file}\n`);
  if (written.length === 0 && Object.keys(servers).length > 0) out.talk("aura: all of it is configured already\n");
  return 0;
}

async function exportTo(engine: Engine, ask: Asked<"export">, options: OpenOptions, out: Outputs): Promise<number> {
  known(engine, ask.target, "mcp export");
  const { json, dryRun, force, strict, ...what } = ask;
  const result = await engine.exportServers(options, what, { dryRun, force, strict });
  const file = result.files[0]!;
  if (result.errors.length > 0) return fail(out, result.errors, file.warnings, json);
  if (json) {
    const { path, content, warnings, changes } = file;
    printJson(out, { path, content, warnings, changes });
  } else if (dryRun) {
    tell(out, [], file.warnings);
    out.talk(`aura: ${file.path} would be:\n`);
    out.data(file.content);
  } else tellFiles(out, result);
  return 0;
}

async function sync(engine: Engine, ask: Asked<"sync">, options: OpenOptions, out: Outputs): Promise<number> {
  if (ask.target !== undefined) known(engine, ask.target, "mcp sync");
  const { json, target, ...how } = ask;
  const result = await engine.syncServers(options, target, how);
  const warnings = result.files.flatMap((file) => file.warnings);
  if (result.errors.length > 0) return fail(out, result.errors, warnings, json);
  if (json) printJson(out, { files: result.files, warnings });
  else if (result.files.length === 0)
    out.talk("aura: nothing was exported from here yet: aura mcp export --target …\n");
  else tellFiles(out, result, ask.dryRun);
  return 0;
}

function known({ findTarget, TARGETS }: Engine, target: string, by: string): void {
  if (!findTarget(target))
    throw new ExpectedStop(`${by}: there is no target "${target}": use ${TARGETS.map(({ name }) => name).join(", ")}`);
}

function tellFiles(out: Outputs, { files }: ExportResult, dryRun = false): void {
  for (const { path, changes, warnings } of files) {
    tell(out, [], warnings);
    const said = Object.entries(changes).map(([name, change]) => `${name} (${change})`);
    out.data(`${path}: ${said.join(", ") || "no servers"}${dryRun ? " - not written" : ""}\n`);
  }
}

/** What went wrong, on both ways out; nothing was written. */
function fail(out: Outputs, errors: readonly McpProblem[], warnings: readonly McpProblem[], json: boolean): number {
  if (json) printJson(out, { errors, warnings });
  else tell(out, [], warnings);
  tell(out, errors, []);
  return 1;
}

function tell(out: Outputs, errors: readonly McpProblem[], warnings: readonly McpProblem[]): void {
  for (const { code, message } of errors) out.talk(`error ${code}: ${message}\n`);
  for (const { code, message } of warnings) out.talk(`warning ${code}: ${message}\n`);
}

const printJson = (out: Outputs, value: unknown) => out.data(`${JSON.stringify(value, null, 2)}\n`);
