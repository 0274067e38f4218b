import { resolve } from "node:path";
import { fits, hasWildcard, headOf, mayFit } from "./pattern.ts";
import type { JudgedCall } from "./policy.ts";

/** A call's path in the forms a rule may name it. */
export interface TouchedPath {
  /** Absolute and, where the caller could tell, with links followed. */
  readonly path?: string;
  /** True for another form of a path the call declares: what covers the declared ones covers it. */
  readonly isAlias?: true;
  /** Every form in which a stopping rule may name it. */
  readonly forms: readonly string[];
  readonly access: "read" | "write" | "unknown";
  /** Everything below it is touched as well. */
  readonly deep?: true;
  /** It only looks like a path; the tool did not say so. Rules may stop it; none lets it through. */
  readonly isGuess?: true;
}

/** First the paths the call declares, then the ones it was written with. A call without any has no detail. */
export function touchedPaths(call: JudgedCall): readonly TouchedPath[] {
  const declared: TouchedPath[] = [
    ...(call.writes ?? []).map((path) => ({ path, forms: [path], access: "write" as const })),
    ...(call.reads ?? []).map((path) => ({ path, forms: [path], access: "read" as const })),
  ];
  const access = accessOf(call);
  const written = [pathArgument(call.input), ...(call.given ?? [])].filter((given) => given !== undefined);
  const touched = [...declared, ...written.map((given) => writtenPath(given, call, access, declared.length > 0))];
  return isForeign(call) ? [...touched, ...guessedPaths(call)] : touched;
}

/** A tool of a server: what it does with a path is not known. */
const isForeign = ({ tool }: JudgedCall): boolean => tool.startsWith("mcp__");

/** What looks like a path among the arguments of a foreign tool. */
function guessedPaths(call: JudgedCall): readonly TouchedPath[] {
  const found = new Set<string>();
  collectTexts(call.input, "", found, 0);
  return [...found].map((text) => ({
    forms: [text, absolute(text, call)],
    access: "unknown" as const,
    isGuess: true as const,
  }));
}

function collectTexts(value: unknown, key: string, found: Set<string>, depth: number): void {
  if (depth > 6 || found.size > 200) return;
  if (typeof value === "string") {
    const text = value.trim().replace(/^file:\/\/(?:localhost)?(?=\/)/, "");
    if (text === "" || text.length > 4096 || text.includes("\n")) return;
    if (PATH_KEY.test(key) || /^(?:[/~]|\.\.?\/)/.test(text)) found.add(text);
  } else if (Array.isArray(value)) for (const item of value) collectTexts(item, key, found, depth + 1);
  else if (typeof value === "object" && value !== null)
    for (const [name, item] of Object.entries(value)) collectTexts(item, name, found, depth + 1);
}

const PATH_KEY =
  /path|file|folder|dir(?:ectory)?$|^(?:source|destination|src|dest?|from|to|target|root|cwd|uri|location)$/i;

/** True when a stopping rule's argument names this path, in any of its forms. */
export function bindsPath(argument: string, touched: TouchedPath, call: JudgedCall): boolean {
  const fold = (text: string) => (call.ignoreCase ? text.normalize("NFC").toLowerCase() : text);
  const arguments_ = [argument, absolute(argument, call)].map(fold);
  const forms = touched.forms.map(fold);
  if (forms.some((form) => arguments_.some((wanted) => mayFit(wanted, form)))) return true;
  return touched.deep === true && forms.some((form) => arguments_.some((wanted) => reachesInto(wanted, form)));
}

/** True when what a rule names may lie below a folder. */
function reachesInto(wanted: string, folder: string): boolean {
  const head = headOf(wanted);
  const below = folder.endsWith("/") ? folder : `${folder}/`;
  return head.startsWith(below) || (hasWildcard(wanted) && below.startsWith(head));
}

/** True when an allowing rule's argument covers this path: only its absolute form counts, and `..` never escapes. */
export const coversPath = (argument: string, path: string, call: JudgedCall): boolean =>
  argument !== "" && fits(absolute(argument, call), path);

/** The first non-empty of `path` and `file_path` (aura 6.2). */
function pathArgument(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { path, file_path } = input as { readonly path?: unknown; readonly file_path?: unknown };
  return [path, file_path].find((value) => typeof value === "string" && value !== "") as string | undefined;
}

function writtenPath(given: string, call: JudgedCall, access: TouchedPath["access"], isDeclared: boolean): TouchedPath {
  const path = absolute(given.trim(), call);
  const forms = [given, given.trim(), path];
  if (isDeclared) return { isAlias: true, forms, access };
  // Nobody resolved it, and a variable in it may stand for anything: then no rule can cover it.
  return given.includes("$") ? { forms, access } : { path, forms, access };
}

const accessOf = ({ reads = [], writes = [] }: JudgedCall): TouchedPath["access"] =>
  writes.length > 0 ? "write" : reads.length > 0 ? "read" : "unknown";

function absolute(path: string, { cwd, home }: JudgedCall): string {
  return path === "~" || path.startsWith("~/") ? resolve(home, path.slice(2)) : resolve(cwd, path);
}
