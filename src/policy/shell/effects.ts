import { resolve } from "node:path";
import { isInside } from "../../system/paths.ts";
import { expandGlob } from "./globs.ts";
import { isSecret, whyGuarded } from "./protected-paths.ts";
import type { Effect } from "./reading.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Value } from "./values.ts";

/** The folders a command may run in; undefined among them: nobody can say. */
export type Folders = readonly (string | undefined)[];

/** A path means everything below it too; `visible`: but not what begins with a dot. */
export type Deep = boolean | "visible";

export type FileEffect = "read" | "list" | "write" | "delete";

/** What using a value as a path does. */
export function fileEffects(
  kind: FileEffect,
  value: Value,
  deep: Deep,
  folders: Folders,
  around: Surroundings,
): readonly Effect[] {
  const texts = textsOf(value, folders, around);
  if (texts === undefined) return [somewhere(kind, value)];
  return folders.flatMap((folder) =>
    texts.flatMap((text) => one(kind, text, value.kind === "under" ? true : deep, folder, around)),
  );
}

/** The words a value stands for, as far as they can be told right now. */
export function textsOf(value: Value, folders: Folders, around: Surroundings): readonly string[] | undefined {
  if (value.kind === "text") return [value.text];
  if (value.kind === "under") return value.folders;
  if (value.kind === "any") return undefined;
  const found: string[] = [];
  for (const folder of folders) {
    const names = folder === undefined ? undefined : expandGlob(value.pattern, folder, around);
    if (names === undefined) return undefined;
    // Without a file that fits, the pattern itself is the word.
    found.push(...(names.length > 0 ? names : [value.text]));
  }
  return found;
}

function somewhere(kind: FileEffect, value: Value): Effect {
  const name = value.kind === "any" && value.prefix !== "" ? `${value.prefix}…` : "a file that only running it tells";
  return { kind, concern: `${VERBS[kind]} ${name}` };
}

function one(
  kind: FileEffect,
  text: string,
  deep: Deep,
  folder: string | undefined,
  around: Surroundings,
): readonly Effect[] {
  if (text === "" || (NOWHERE.has(text) && !(kind === "write" && INPUT.has(text)))) return [];
  if (/^\/dev\/(?:tcp|udp)\//.test(text)) return [{ kind: "network", concern: `it connects to ${text}` }];
  if (text.startsWith("/") === false && folder === undefined)
    return [{ kind, concern: `${VERBS[kind]} ${text} in a folder that only running it tells` }];
  const given = resolve(folder ?? "/", text);
  if (/^\/(?:proc\/[^/]*|dev\/fd)\//.test(given) || /\/proc\/(?:self|thread-self|\d+)(?:\/|$)/.test(text))
    return [{ kind, concern: `${VERBS[kind]} ${text}, which is another file for every process` }];
  // As the system reads it: `..` after a link leaves the folder the link leads to.
  const path = around.realPath(text.startsWith("/") ? text : `${folder}/${text}`);
  const reach = deep ? { deep: true as const } : {};
  const effect = { kind, path, ...(given !== path && { given }), ...reach };
  if (kind === "write" || kind === "delete") return [{ ...effect, ...guard(effect, given, around) }];
  const concern = whyAsk(kind, path, deep, around);
  return [{ ...effect, ...(concern !== undefined && { concern: `${VERBS[kind]} ${path}, ${concern}` }) }];
}

const NOWHERE = new Set(
  "/dev/null /dev/stdin /dev/stdout /dev/stderr /dev/zero /dev/full /dev/random /dev/urandom /dev/fd/0 /dev/fd/1 /dev/fd/2 /dev/fd/63".split(
    " ",
  ),
);

/** Opened again for writing, the file that is read there is emptied. */
const INPUT = new Set(["/dev/stdin", "/dev/fd/0"]);

const VERBS = { read: "it reads", list: "it looks at", write: "it writes", delete: "it deletes" } as const;

function guard(
  { kind, path, deep }: { kind: "write" | "delete" | FileEffect; path: string; deep?: true },
  given: string,
  around: Surroundings,
) {
  const reason =
    whyGuarded(path, around.home, around.ours) ??
    whyGuarded(given, around.home, around.ours) ??
    (kind === "delete" || deep ? whyHolds(path, around) : undefined);
  const concern = `${VERBS[kind]} ${path}${reason === undefined ? "" : `: ${reason}`}`;
  return reason === undefined ? { concern } : { concern, always: true as const };
}

/** A folder that goes with all that is in it. */
function whyHolds(path: string, around: Surroundings): string | undefined {
  return path === around.cwd || isInside(path, around.cwd) ? "the whole workspace is in it" : undefined;
}

function whyAsk(kind: FileEffect, path: string, deep: Deep, around: Surroundings): string | undefined {
  if (!isInside(around.cwd, path)) return "which is outside this folder";
  if (kind === "list") return undefined;
  if (isSecret(path)) return "which may hold secrets";
  const secret = deep === false ? undefined : look(path, around, { ...SHALLOW, hidden: deep === true }).secret;
  return secret === undefined ? undefined : `below which is ${secret}, which may hold secrets`;
}

/** May a link be reached below what a value names? Yes where there is too much to look through. */
export function holdsLinks(value: Value, folders: Folders, around: Surroundings): boolean {
  const texts = textsOf(value, folders, around);
  if (texts === undefined) return true;
  return folders.some((folder) =>
    texts.some((text) => {
      if (folder === undefined) return true;
      const path = around.realPath(text.startsWith("/") ? text : `${folder}/${text}`);
      return look(path, around, WHOLE).links;
    }),
  );
}

interface Looked {
  readonly secret?: string;
  /** No name holds what would make two words of it, and nothing is a link. */
  readonly plain: boolean;
  /** There may be links. */
  readonly links: boolean;
}
interface Limits {
  readonly depth: number;
  readonly entries: number;
  /** Not entered. */
  readonly skips: ReadonlySet<string>;
  /** Names that begin with a dot count too. */
  readonly hidden: boolean;
}
/** Secrets lie near the top; to look through all of a large tree would cost more than the command. */
const SHALLOW: Limits = {
  depth: 3,
  entries: 3000,
  skips: new Set([".git", "node_modules", "vendor", "target", "dist"]),
  hidden: true,
};
const WHOLE: Limits = { depth: 32, entries: 3000, skips: new Set(), hidden: true };

/** All below a folder can be handed on as words, cut at blanks. */
export const hasPlainNames = (path: string, around: Surroundings): boolean => look(path, around, WHOLE).plain;

function look(top: string, around: Surroundings, limits: Limits): Looked {
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: top, depth: 0 }];
  let left = limits.entries;
  let plain = true;
  let links = false;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const { name, kind } of around.entries(folder.path) ?? []) {
      if (left-- <= 0) return { plain: false, links: true };
      links ||= kind === "link";
      if (kind === "link" || !/^[\w.@+=,%-]+$/.test(name)) plain = false;
      if (!limits.hidden && name.startsWith(".")) continue;
      const path = `${folder.path}/${name}`;
      if (kind === "file" && isSecret(path)) return { secret: path, plain: false, links };
      if (kind === "folder" && folder.depth + 1 < limits.depth && !limits.skips.has(name))
        folders.push({ path, depth: folder.depth + 1 });
      else if (kind === "folder" && limits === WHOLE) {
        plain = false;
        links = true;
      }
    }
  }
  return { plain, links };
}
