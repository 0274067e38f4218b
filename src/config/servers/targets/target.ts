import type { ServerDef, ServerErrorCode, ServerWarningCode } from "../../mcp-server.ts";
import type { Tree } from "../../traced.ts";
import type { Part } from "../env-references.ts";

/** Another tool whose file of MCP servers we read and write (other-systems 3.3-3.7). */
export interface Target {
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** Other words for `name` on the command line. */
  readonly alias: readonly string[];
  /** What its own parser takes: `jsonc` has comments and trailing commas. */
  readonly format: "json" | "jsonc" | "toml";
  /** Candidates, absolute: the first that exists, else the first, is the file. */
  files(where: Where, scope: "project" | "user"): readonly string[];
  /** Where the map of names and entries lies in the file. */
  mapPath(data: Tree): readonly string[];
  readonly references: ReferenceSyntax;
  /** Names it keeps for itself. */
  readonly reserved?: readonly string[];
  /** Fields of a definition it has a word for, of those that not all targets have. */
  readonly says: readonly (keyof ServerDef)[];
  /** Keys of an entry that we write. Any other one stays as it is found. */
  readonly owned: readonly string[];
  /** @param data the whole file as it is, for dialects */
  write(server: ServerDef, out: Writing, data: Tree): Tree;
  /** The entry in neutral words, to be checked like any definition; undefined when it defines nothing. */
  read(entry: Tree, from: Reading): Tree | undefined;
  /** What its owner would refuse in an entry. */
  check(entry: Tree, data: Tree): readonly string[];
}

export interface Where {
  readonly cwd: string;
  /** The person's home directory. */
  readonly user: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a target writes references to environment variables. */
export interface ReferenceSyntax {
  /** Everything its owner replaces; global. Undefined: nothing. */
  readonly pattern?: RegExp;
  /** What a match stands for; undefined: something we have no word for. */
  read?(match: RegExpExecArray): Referred | undefined;
  write?(name: string): string;
  /** `${NAME:-default}` is understood. */
  readonly defaults?: true;
  /** The code for what cannot be written, where there is no `write`. */
  readonly without?: ServerWarningCode;
}

export type Referred = Part & { readonly kind: "variable"; readonly note?: readonly [ServerWarningCode, string] };

/** One definition on its way into a file. `field` is where a text stands, for warnings. */
export interface Writing {
  warn(code: ServerWarningCode, message: string): void;
  text(value: string, field: string): string;
  texts(values: readonly string[], field: string): readonly string[];
  map(values: Readonly<Record<string, string>>, field: string): Readonly<Record<string, string>>;
}

/** One entry on its way out of a file. */
export interface Reading {
  warn(code: ServerWarningCode, message: string): void;
  fail(code: ServerErrorCode, message: string): void;
  /** Values of any type come back as they are unless they are texts. */
  text(value: unknown, field: string): unknown;
  texts(value: unknown, field: string): unknown;
  map(value: unknown, field: string): unknown;
  /** Says which other keys of the entry are lost; `quiet` ones mean nothing to us either way. */
  drop(entry: Tree, known: readonly string[], quiet?: readonly string[]): void;
}

/** Only what is there. */
export function present(fields: Tree): Tree {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && !isEmpty(value)));
}

/** Lists and maps of nothing need not be written; a filter that lets nothing through must. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** A list, or nothing when it is empty. */
export function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
