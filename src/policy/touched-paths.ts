import { resolve } from "node:path";
import { fits, mayFit } from "./pattern.ts";
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
}

/** First the paths the call declares, then the ones it was written with. A call without any has no detail. */
export function touchedPaths(call: JudgedCall): readonly TouchedPath[] {
  const declared: TouchedPath[] = [
    ...(call.writes ?? []).map((path) => ({ path, forms: [path], access: "write" as const })),
    ...(call.reads ?? []).map((path) => ({ path, forms: [path], access: "read" as const })),
  ];
  const access = accessOf(call);
  const written = [pathArgument(call.input), ...(call.given ?? [])].filter((given) => given !== undefined);
  return [...declared, ...written.map((given) => writtenPath(given, call, access, declared.length > 0))];
}

/** True when a stopping rule's argument names this path, in any of its forms. */
export function bindsPath(argument: string, touched: TouchedPath, call: JudgedCall): boolean {
  const fold = (text: string) => (call.ignoreCase ? text.normalize("NFC").toLowerCase() : text);
  const arguments_ = [argument, absolute(argument, call)].map(fold);
  return touched.forms.map(fold).some((form) => arguments_.some((wanted) => mayFit(wanted, form)));
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
