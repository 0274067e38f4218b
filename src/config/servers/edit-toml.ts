import { isDeepStrictEqual } from "node:util";
import { isTree, type Tree } from "../traced.ts";
import type { EntryEdit } from "./edit-json.ts";
import { type TomlStatement, tomlStatements } from "./toml-statements.ts";

type Table = Extract<TomlStatement, { kind: "table" }>;
type Pair = Extract<TomlStatement, { kind: "pair" }>;

/**
 * The text with these entries as tables below `path`. Only lines of owned keys change: rewriting parsed TOML would lose
 * the comments. @param data the text, parsed. @throws EditProblem where an entry is written in another form than tables
 */
export function editToml(text: string, path: readonly string[], edits: readonly EntryEdit[], data: Tree): string {
  let result = text;
  for (const edit of edits) {
    const base = [...path, edit.key];
    const isThere = base.reduce<unknown>((at, key) => (isTree(at) ? at[key] : undefined), data) !== undefined;
    result = editTable(result, base, edit, isThere);
  }
  return result;
}

/** The person has to make the change. */
export class EditProblem extends Error {}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function editTable(text: string, base: readonly string[], { entry, owned, key }: EntryEdit, isThere: boolean): string {
  const tables = tablesOf(text);
  const own = tables.find(({ table }) => isDeepStrictEqual(table.path, base));
  const below = tables.filter(({ table }) => table.path.length > base.length && startsWith(table.path, base));
  if (!own && !entry && !isThere) return text;
  if (!own && (isThere || below.length > 0))
    throw new EditProblem(`${base.join(".")} is not written as a table [${header(base)}]; change "${key}" by hand`);
  if (!entry)
    return applied(
      text,
      [...(own ? [own] : []), ...below].map(({ table, end }) => removed(table.start, end)),
    );
  if (!own) return appended(text, base, entry);

  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const changes: Change[] = [];
  const added: string[] = [];
  for (const field of owned) {
    const value = entry[field];
    const sub = below.find(({ table }) => isDeepStrictEqual(table.path, [...base, field]));
    const pairs = own.pairs.filter((pair) => pair.key[0] === field);
    const [pair] = pairs;
    if (sub && isTree(value)) changes.push(...replacedPairs(sub, value, newline));
    else {
      if (sub) changes.push(removed(sub.table.start, sub.end));
      if (value !== undefined && pairs.length === 1 && pair!.key.length === 1) {
        const written = tomlValue(value);
        if (text.slice(pair!.valueStart, pair!.valueEnd) !== written)
          changes.push({ start: pair!.valueStart, end: pair!.valueEnd, text: written });
        continue;
      }
      changes.push(...pairs.map(({ start, end }) => removed(start, end)));
      if (value !== undefined) added.push(`${tomlKey(field)} = ${tomlValue(value)}`);
    }
  }
  if (added.length > 0) changes.push(inserted(text, own.end, added, newline));
  return applied(text, changes);
}

interface TableText {
  readonly table: Table;
  readonly pairs: readonly Pair[];
  /** Behind its last pair; what follows up to the next table belongs to that. */
  readonly end: number;
}

function tablesOf(text: string): readonly TableText[] {
  const tables: { table: Table; pairs: Pair[]; end: number }[] = [];
  for (const statement of tomlStatements(text)) {
    if (statement.kind === "table") tables.push({ table: statement, pairs: [], end: statement.end });
    else {
      const last = tables.at(-1);
      last?.pairs.push(statement);
      if (last) last.end = statement.end;
    }
  }
  return tables.filter(({ table }) => !table.isList);
}

/** Every pair of a table as `values` say. */
function replacedPairs({ table, pairs, end }: TableText, values: Tree, newline: string): readonly Change[] {
  const kept = pairs.filter(({ key }) => key.length === 1 && values[key[0]!] !== undefined);
  const missing = Object.entries(values).filter(([name]) => !kept.some(({ key }) => key[0] === name));
  const lines = missing.map(([name, value]) => `${tomlKey(name)} = ${tomlValue(value)}${newline}`);
  return [
    ...kept.map(({ key, valueStart, valueEnd }) => ({
      start: valueStart,
      end: valueEnd,
      text: tomlValue(values[key[0]!]),
    })),
    ...pairs.filter((pair) => !kept.includes(pair)).map(({ start, end }) => removed(start, end)),
    ...(lines.length > 0
      ? [{ start: Math.max(end, table.end), end: Math.max(end, table.end), text: lines.join("") }]
      : []),
  ];
}

function appended(text: string, base: readonly string[], entry: Tree): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = Object.entries(entry).map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}`);
  const table = [`[${header(base)}]`, ...lines, ""].join(newline);
  if (text.trim() === "") return text.replace(/\s+$/, "") + table;
  return `${text.replace(/[\s]+$/, "")}${newline}${newline}${table}`;
}

const removed = (start: number, end: number): Change => ({ start, end, text: "" });

/** The last line of a file may have no line break yet. */
function inserted(text: string, at: number, lines: readonly string[], newline: string): Change {
  const before = at > 0 && text[at - 1] !== "\n" ? newline : "";
  return { start: at, end: at, text: before + lines.map((line) => line + newline).join("") };
}

function applied(text: string, changes: readonly Change[]): string {
  return [...changes]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((result, { start, end, text: put }) => result.slice(0, start) + put + result.slice(end), text);
}

const startsWith = (path: readonly string[], base: readonly string[]) => base.every((key, at) => path[at] === key);
const header = (path: readonly string[]) => path.map(tomlKey).join(".");
const tomlKey = (key: string) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlText(key));
/** A basic string: JSON's escapes are all TOML's, and DEL needs one. */
const tomlText = (text: string) => JSON.stringify(text.toWellFormed()).replaceAll("\x7f", "\\u007f");

function tomlValue(value: unknown): string {
  if (typeof value === "string") return tomlText(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (!isTree(value)) return String(value);
  const pairs = Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}
