import { dirname, resolve } from "node:path";
import { FileProblem } from "./project-files.ts";

export interface PathSurroundings {
  /** The user's home directory; without it `~` stays as written. */
  readonly home?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Is there something with exactly this absolute name (a dangling link counts)? */
  exists(path: string): Promise<boolean>;
}

/**
 * The absolute path a person or model means (aura 1). A name that exists as written, or whose directory does, is never
 * expanded, because `routes/$id.tsx` is an ordinary file name. Throws FileProblem for an empty path, a NUL and `/`.
 */
export async function resolvePath(path: string, cwd: string, around: PathSurroundings): Promise<string> {
  const trimmed = path.trim();
  if (trimmed === "") throw new FileProblem("resolving", '""', "path is empty");
  if (trimmed.includes("\0")) throw new FileProblem("resolving", JSON.stringify(trimmed), "path contains a NUL");
  const literal = resolve(cwd, trimmed);
  const expanded = resolve(cwd, expand(trimmed, around));
  const chosen = expanded === literal || (await isMeantLiterally(trimmed, literal, around)) ? literal : expanded;
  if (chosen === resolve("/")) throw new FileProblem("resolving", trimmed, "path cannot be root '/'");
  return chosen;
}

async function isMeantLiterally(written: string, literal: string, around: PathSurroundings): Promise<boolean> {
  if (await around.exists(literal)) return true;
  const marksDirectory = /[$~].*\//s.test(written);
  return marksDirectory && (await around.exists(dirname(literal)));
}

function expand(path: string, { home, env }: PathSurroundings): string {
  const fromHome = home && (path === "~" || path.startsWith("~/")) ? home + path.slice(1) : path;
  return fromHome.replace(
    /\$(?:(\w+)|\{(\w+)\})/g,
    (whole, bare: string | undefined, braced: string | undefined) => env[bare ?? braced ?? ""] || whole,
  );
}
