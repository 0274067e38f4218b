import { basename } from "node:path";
import type { ServerDef, ServerError } from "../../config/mcp-server.ts";
import type { ScriptDef } from "../script/script-tool.ts";
import { type DirFile, listFiles } from "./list-files.ts";
import { type DirError, type DirWarning, dirError } from "./problems.ts";
import { type HeadedFile, readHead } from "./read-head.ts";
import { readScript } from "./read-script.ts";

/** One file of `tools/`. */
export type DirTool = {
  readonly name: string;
  /** Relative to the directory. */
  readonly file: string;
  /** Absolute, links followed. */
  readonly path: string;
} & ({ readonly kind: "script"; readonly script: ScriptDef } | { readonly kind: "mcp"; readonly server: ServerDef });

export interface ToolFolder {
  /** Empty when there is an error: a directory loads whole or not at all. */
  readonly tools: readonly DirTool[];
  readonly errors: readonly DirError[];
  readonly warnings: readonly DirWarning[];
}

/** What a `kind: mcp` head says, in the form all servers have; a parser of the configuration's. */
export type ReadServer = (
  name: string,
  fields: Readonly<Record<string, unknown>>,
  place: { readonly file: string; readonly description?: string },
) => { readonly server: ServerDef } | { readonly errors: readonly ServerError[] };

/** Reads `<dir>/tools/*.md` (other-systems 4.1-4.3). Every error of every file is told. */
export async function readToolFolder(dir: string, readServer: ReadServer): Promise<ToolFolder> {
  const listed = await listFiles(dir, "tools");
  const errors: DirError[] = [...listed.errors];
  const tools: DirTool[] = [];
  const names = new Map<string, string>();
  for (const entry of listed.files) {
    const read = await readTool(entry, readServer);
    if ("error" in read) {
      errors.push(read.error);
      continue;
    }
    const before = names.get(read.name.toLowerCase());
    if (before !== undefined)
      errors.push(dirError("duplicate-name", read.file, `"${read.name}" is the name of ${before} already`));
    else names.set(read.name.toLowerCase(), read.file);
    tools.push(read);
  }
  return { tools: errors.length > 0 ? [] : tools, errors, warnings: listed.warnings };
}

async function readTool(entry: DirFile, readServer: ReadServer): Promise<DirTool | { readonly error: DirError }> {
  const { file, path } = entry;
  const head = await readHead(file, entry.text);
  if ("error" in head) return head;
  const { kind } = head.fields;
  if (kind !== "mcp" && kind !== "script") {
    const said = kind === undefined ? '"kind" is missing' : `kind: there is no ${JSON.stringify(kind)}`;
    return { error: dirError("unknown-kind", file, `${said}; use mcp or script`, head.lineOf("kind")) };
  }
  const name = nameOf(head);
  if (typeof name !== "string") return name;
  if (kind === "script") {
    const script = readScript(name, head);
    return "error" in script ? script : { kind, name, file, path, script };
  }
  const { kind: _, name: __, ...fields } = head.fields;
  const read = readServer(name, fields, { file: path, ...(head.body !== "" && { description: head.body }) });
  if ("server" in read) return { kind, name, file, path, server: read.server };
  const [first] = read.errors;
  return { error: dirError("mcp-invalid", file, first ? `${first.code}: ${first.message}` : "it is no server", 1) };
}

/** A server must say its name; a script without one is called like its file. */
function nameOf({ fields, file, lineOf }: HeadedFile): string | { readonly error: DirError } {
  const { kind, name = kind === "script" ? basename(file, ".md") : undefined } = fields;
  if (typeof name === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  const said = name === undefined ? '"name" is missing' : `name: ${JSON.stringify(name)} cannot be one`;
  const rule = `letters, digits, "_" and "-", at most 64`;
  return { error: dirError("bad-name", file, `${said}: ${rule}`, lineOf("name")) };
}
