import type { McpServerEntry } from "../config.ts";
import type { ServerDef, ServerError, ServerErrorCode, ServerWarning, ServerWarningCode } from "../mcp-server.ts";
import { isTree, type Tree } from "../traced.ts";
import { readJson } from "./json-text.ts";
import { checkName, readEntry, serverDef } from "./read-entry.ts";
import { mapOf } from "./targets/shapes.ts";
import type { Reading, Target } from "./targets/target.ts";
import { toNeutral } from "./targets/translate.ts";

export interface Imported {
  readonly servers: readonly ServerDef[];
  readonly errors: readonly ServerError[];
  readonly warnings: readonly ServerWarning[];
}

/** The data of a target's file; `problem` when its owner could not read it either. */
export async function readData(
  { format }: Pick<Target, "format">,
  text: string,
): Promise<{ readonly data: Tree; readonly problem?: string }> {
  if (format === "toml") return readToml(text);
  const { data, problem } = await readJson(text, format === "jsonc");
  if (problem) return { data: {}, problem: `:${problem.line}: ${problem.message}` };
  return isTree(data) ? { data } : { data: {}, problem: ":1: expected a map" };
}

async function readToml(text: string): Promise<{ readonly data: Tree; readonly problem?: string }> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return { data: parse(text.replace(/^\uFEFF/, "")) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { data: {}, problem: `:${error.line}: ${error.message.split("\n", 1)[0]}` };
  }
}

/** Reads a target's file back into the neutral form (other-systems 3.7). A file that cannot be read is an error. */
export async function readTarget(
  target: Target,
  text: string,
  file: string,
  scope: "project" | "user",
  project?: string,
): Promise<Imported> {
  const { data, problem } = await readData(target, text);
  if (problem !== undefined)
    return { servers: [], errors: [{ code: "parse-error", message: `${file}${problem}` }], warnings: [] };
  // Claude Code keeps what is local to one project in a person's file.
  const local = project === undefined ? {} : mapOf(data, ["projects", project, ...target.mapPath(data)]);
  return readEntries(target, { ...mapOf(data, target.mapPath(data)), ...local }, file, scope);
}

function readEntries(target: Target, entries: Tree, file: string, scope: "project" | "user"): Imported {
  const servers: ServerDef[] = [];
  const errors: ServerError[] = [];
  const warnings: ServerWarning[] = [];
  for (const [name, value] of Object.entries(entries)) {
    const before = errors.length;
    const fail = (code: ServerErrorCode, message: string) =>
      errors.push({ code, server: name, message: `${file}: ${name}: ${message}` });
    const from = reading(target, fail, (code, message) =>
      warnings.push({ code, server: name, message: `${name}, ${message} (${target.title})` }),
    );
    const bad = checkName(name);
    if (bad) fail(bad.code, bad.message);
    if (!isTree(value)) {
      fail("parse-error", "expected a map of settings");
      continue;
    }
    const raw = target.read(value, from);
    if (raw === undefined) continue;
    const { entry, issues } = readEntry(raw);
    for (const { code, message } of issues) fail(code, message);
    if (errors.length === before) servers.push(serverDef(name, { ...entry, scope } satisfies McpServerEntry));
  }
  return { servers, errors, warnings };
}

function reading(
  target: Target,
  fail: (code: ServerErrorCode, message: string) => void,
  warn: (code: ServerWarningCode, message: string) => void,
): Reading {
  const text = (value: unknown, field: string) =>
    typeof value === "string" ? toNeutral(value, target.references, field, warn) : value;
  return {
    warn,
    fail,
    text,
    texts: (value, field) => (Array.isArray(value) ? value.map((item, at) => text(item, `${field}.${at}`)) : value),
    map: (value, field) =>
      isTree(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, text(item, `${field}.${key}`)]))
        : value,
    drop(entry, known, quiet = []) {
      for (const key of Object.keys(entry))
        if (!known.includes(key) && !quiet.includes(key)) warn("field-dropped", `${key}: Aura has no word for it`);
    },
  };
}
