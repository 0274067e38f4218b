import { createHash } from "node:crypto";
import type { ServerDef, ServerErrorCode, ServerWarning } from "../mcp-server.ts";
import { isTree, type Tree } from "../traced.ts";
import { type EntryEdit, editJson } from "./edit-json.ts";
import { EditProblem, editToml } from "./edit-toml.ts";
import { readData } from "./read-target.ts";
import { dataText, sameData } from "./same-data.ts";
import { mapOf } from "./targets/shapes.ts";
import type { Target } from "./targets/target.ts";
import { writeEntry } from "./write-entry.ts";

/** `conflict`: the entry was changed by hand since we wrote it, or was never ours. */
export type EntryChange = "new" | "updated" | "unchanged" | "removed" | "conflict";

export interface ExportPlan {
  /** The whole file as it is to be. */
  readonly content: string;
  /** By name. */
  readonly changes: Readonly<Record<string, EntryChange>>;
  readonly errors: readonly ExportError[];
  readonly warnings: readonly ServerWarning[];
  /** Of what we own in the file afterwards, by name. */
  readonly hashes: Readonly<Record<string, string>>;
}

export interface ExportError {
  readonly code: ServerErrorCode | "conflict" | "not-writable";
  readonly server?: string;
  readonly message: string;
}

export interface ExportRequest {
  readonly target: Target;
  readonly servers: readonly ServerDef[];
  /** Absolute, for messages. */
  readonly file: string;
  /** What the file holds; "" when there is none. */
  readonly text: string;
  /** What we wrote last time, by name. */
  readonly known: Readonly<Record<string, string>>;
  /** Take entries that were changed by hand, or are not ours. */
  readonly force: boolean;
}

/**
 * What a file of another tool becomes with these definitions in it. Pure: nothing is read or written. The result is
 * checked by the target's own rules before it is handed out.
 */
export async function planExport(request: ExportRequest): Promise<ExportPlan> {
  const { target, servers, file, text, known, force } = request;
  const { data, problem } = await readData(target, text);
  if (problem !== undefined) return failed([{ code: "parse-error", message: `${file}${problem}` }]);
  const path = target.mapPath(data);
  const entries = mapOf(data, path);
  const keyOf = (name: string) => Object.keys(entries).find((key) => key.toLowerCase() === name) ?? name;

  const errors: ExportError[] = [];
  const warnings: ServerWarning[] = [];
  const changes: Record<string, EntryChange> = {};
  const hashes: Record<string, string> = {};
  const edits: EntryEdit[] = [];
  const conflict = (server: string, why: string) => {
    changes[server] = "conflict";
    errors.push({ code: "conflict", server, message: `${file}: "${server}" ${why}; look at it, or use --force` });
  };

  for (const server of servers) {
    if (target.reserved?.includes(server.name)) {
      errors.push({
        code: "reserved-name",
        server: server.name,
        message: `"${server.name}" is a name ${target.title} keeps for itself`,
      });
      continue;
    }
    const written = writeEntry(target, server, data);
    warnings.push(...written.warnings);
    if (!written.entry) continue;
    const { entry } = written;
    const key = keyOf(server.name);
    const found = isTree(entries[key]) ? ownedPart(entries[key], target) : undefined;
    hashes[server.name] = hashOf(entry);
    if (found === undefined) changes[server.name] = "new";
    else if (sameData(found, entry)) changes[server.name] = "unchanged";
    else if (force || known[server.name] === hashOf(found)) changes[server.name] = "updated";
    else
      conflict(
        server.name,
        known[server.name] === undefined ? "is there already and is not Aura's" : "was changed by hand",
      );
    edits.push({ key, entry, owned: target.owned });
  }
  for (const [name, hash] of Object.entries(known)) {
    const found = entries[keyOf(name)];
    if (hashes[name] !== undefined || !isTree(found)) continue;
    if (!force && hash !== hashOf(ownedPart(found, target)))
      conflict(name, "is defined no more here, but was changed by hand");
    else {
      changes[name] = "removed";
      edits.push({ key: keyOf(name), owned: target.owned });
    }
  }
  if (errors.length > 0) return { ...failed(errors), warnings, changes };
  const needed = edits.filter(({ key }) => changes[key.toLowerCase()] !== "unchanged");
  const content = needed.length === 0 ? text : await edited(target, text, path, needed, data);
  if (typeof content !== "string")
    return { ...failed([{ ...content, message: `${file}: ${content.message}` }]), warnings, changes };
  const wrong = await complaints(target, content, { before: data, path, edits });
  if (wrong.length > 0)
    return {
      ...failed(wrong.map((message) => ({ code: "not-writable", message: `${file}: ${message}` }))),
      warnings,
      changes,
    };
  return { content, changes, errors, warnings, hashes };
}

async function edited(
  target: Target,
  text: string,
  path: readonly string[],
  edits: readonly EntryEdit[],
  data: Tree,
): Promise<string | ExportError> {
  try {
    return target.format === "toml" ? editToml(text, path, edits, data) : await editJson(text, path, edits);
  } catch (error) {
    if (error instanceof EditProblem) return { code: "not-writable", message: error.message };
    throw error;
  }
}

/** What the owner of the file would object to in the new content, and what we would have spoilt in it. */
async function complaints(
  target: Target,
  content: string,
  {
    before,
    path,
    edits,
  }: { readonly before: Tree; readonly path: readonly string[]; readonly edits: readonly EntryEdit[] },
): Promise<readonly string[]> {
  const { data, problem } = await readData(target, content);
  if (problem !== undefined) return [`the new content could not be read back${problem}`];
  const entries = mapOf(data, path);
  const ours = new Set(edits.map(({ key }) => key));
  const others = (all: Tree) => without(all, path, ours);
  if (!sameData(others(data), others(before))) return ["the change would touch entries that are not Aura's"];
  return edits.flatMap(({ key, entry }) => {
    if (!entry) return entries[key] === undefined ? [] : [`${key}: could not be removed`];
    const found = isTree(entries[key]) ? entries[key] : {};
    if (!sameData(ownedPart(found, target), entry)) return [`${key}: reads back differently`];
    return target
      .check(ownedPart(found, target), data)
      .map((message) => `${key}: ${target.title} refuses it: ${message}`);
  });
}

/** A copy without these keys at `path`, and without the maps that are empty then. */
function without(data: Tree, path: readonly string[], keys: ReadonlySet<string>): Tree {
  const [first, ...rest] = path;
  if (first === undefined) return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.has(key)));
  const inner = isTree(data[first]) ? without(data[first], rest, keys) : {};
  const { [first]: _, ...others } = data;
  return Object.keys(inner).length === 0 ? others : { ...others, [first]: inner };
}

function ownedPart(entry: Tree, target: Target): Tree {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => target.owned.includes(key)));
}

/** Of the data, whatever the order of its keys. */
function hashOf(entry: Tree): string {
  return createHash("sha256").update(dataText(entry)).digest("hex");
}

function failed(errors: readonly ExportError[]): ExportPlan {
  return { content: "", changes: {}, errors, warnings: [], hashes: {} };
}
