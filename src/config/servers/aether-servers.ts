import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ServerRef } from "../config.ts";
import type { ServerDef, ServerError, ServerErrorCode } from "../mcp-server.ts";
import { isTree } from "../traced.ts";
import { readJson } from "./json-text.ts";
import { checkName, readEntry, serverDef } from "./read-entry.ts";

export interface ReadServers {
  readonly servers: readonly ServerDef[];
  readonly errors: readonly ServerError[];
}

/** What an entry of Aether's `mcp.json` may say (other-systems 1.2). */
export const AETHER_FIELDS = ["type", "command", "args", "env", "url", "headers", "input", "proxy"] as const;

/**
 * Reads Aether-style files and inline lists in their order; of a name that comes twice the last whole entry wins, with
 * its `proxy` flag (other-systems 1.3). A listed file that is missing is an error.
 * @param cwd what relative paths are relative to
 * @param listedIn the file that has the list, where inline servers are written
 */
export async function readServerRefs(refs: readonly ServerRef[], cwd: string, listedIn?: string): Promise<ReadServers> {
  const read = await Promise.all(
    refs.map((ref) => {
      if (typeof ref === "string") return readAetherFile(resolve(cwd, ref), false);
      if (ref.type === "file") return readAetherFile(resolve(cwd, ref.path), ref.proxy ?? false);
      const place = listedIn === undefined ? {} : { file: listedIn };
      return readAetherServers(ref.servers, { ...place, proxied: false, lineOf: () => undefined });
    }),
  );
  const servers = new Map(read.flatMap((one) => one.servers).map((server) => [server.name, server]));
  return { servers: [...servers.values()], errors: read.flatMap(({ errors }) => errors) };
}

/** @param file absolute */
export async function readAetherFile(file: string, proxied: boolean): Promise<ReadServers> {
  try {
    return readAetherText(await readFile(file, "utf8"), file, proxied);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : (error as Error).message;
    return failed("parse-error", `${file}: cannot be read: ${why}`);
  }
}

export async function readAetherText(text: string, file: string, proxied = false): Promise<ReadServers> {
  const json = await readJson(text, false);
  if (json.problem) return failed("parse-error", `${file}:${json.problem.line}: ${json.problem.message}`);
  if (!isTree(json.data)) return failed("parse-error", `${file}:1: expected {"servers": {…}}`);
  const { servers, mcpServers, ...others } = json.data;
  const unknown = Object.keys(others).find((key) => key !== "$schema");
  if (unknown !== undefined)
    return failed(
      "unknown-field",
      `${file}:${json.lineOf([unknown])}: unknown key "${unknown}" (known: servers, mcpServers)`,
    );
  if (servers !== undefined && mcpServers !== undefined)
    return failed(
      "parse-error",
      `${file}:${json.lineOf(["mcpServers"])}: servers and mcpServers are both there; keep one`,
    );
  const key = mcpServers === undefined ? "servers" : "mcpServers";
  return readAetherServers(servers ?? mcpServers ?? {}, {
    proxied,
    file,
    lineOf: (path) => json.lineOf([key, ...path]),
  });
}

interface Around {
  readonly file?: string;
  /** Every server is reached through the proxy. */
  readonly proxied: boolean;
  /** Below the map of servers. */
  lineOf(path: readonly string[]): number | undefined;
}

/** The nested form of the proxy reads as its servers, each with `proxy` set. */
function readAetherServers(map: unknown, around: Around): ReadServers {
  if (!isTree(map)) return failed("parse-error", `${at(around, [])}servers: expected a map of names and definitions`);
  const servers: ServerDef[] = [];
  const errors: ServerError[] = [];
  for (const [name, data] of Object.entries(map)) {
    const { entry, issues } = readEntry(data, AETHER_FIELDS);
    const nested = name.toLowerCase() === "proxy" && entry.transport === "in-memory" ? entry.input : undefined;
    const found = [
      ...issues,
      ...(nested === undefined ? [checkName(name)].filter((issue) => issue !== undefined) : []),
    ];
    errors.push(
      ...found.map(({ code, path, message }) => ({
        code,
        server: name,
        message: `${at(around, [name, ...path])}${name}: ${message}`,
      })),
    );
    if (found.length > 0) continue;
    if (nested !== undefined) {
      const inner = isTree(nested) ? (nested["servers"] ?? nested["mcpServers"]) : undefined;
      const read = readAetherServers(inner, {
        ...around,
        proxied: true,
        lineOf: (path) => around.lineOf([name, "input", "servers", ...path]),
      });
      servers.push(...read.servers);
      errors.push(...read.errors);
      continue;
    }
    const line = around.lineOf([name]);
    const place = { ...(around.file !== undefined && { file: around.file }), ...(line !== undefined && { line }) };
    servers.push(serverDef(name, { ...entry, ...(around.proxied && { proxy: true }) }, place));
  }
  return { servers, errors };
}

function at({ file, lineOf }: Around, path: readonly string[]): string {
  const line = lineOf(path);
  return file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}: `;
}

function failed(code: ServerErrorCode, message: string): ReadServers {
  return { servers: [], errors: [{ code, message }] };
}
