import { existsSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { isInside } from "../system/paths.ts";

type InstructionScope = "global" | "local";

export interface InstructionFile {
  /** Absolute. */
  readonly path: string;
  readonly scope: InstructionScope;
  readonly text: string;
}

export interface InstructionOptions {
  /** `.aura` homes, lowest first. */
  readonly homes: readonly { readonly dir: string; readonly scope: InstructionScope }[];
  /** Absolute. */
  readonly workdir: string;
  /** Absolute; where the search begins when no folder above `workdir` holds a `.git`. */
  readonly launchDir: string;
  /** The agent's `agentsmd`. */
  readonly which: "all" | "global" | "local" | "none";
  /** Read beside AGENTS.md, only because somebody asked: `CLAUDE.md`, `GEMINI.md`. */
  readonly alsoNamed?: readonly string[];
  /** Bytes of each file that are used; default 64 KiB. */
  readonly maxBytes?: number;
}

/**
 * The AGENTS.md files that hold here (aura 17.1): each home's, then from the project root down to the workdir, so
 * that the nearest is read last and wins. Unreadable files become notices; missing ones are no news.
 *
 * Without a `.git` above it nothing outside the launch directory is read: who may write to a folder high up, such as
 * the system's scratch folder, must not instruct the model.
 */
export async function gatherInstructions(
  options: InstructionOptions,
): Promise<{ readonly files: readonly InstructionFile[]; readonly notices: readonly string[] }> {
  const files: InstructionFile[] = [];
  const notices: string[] = [];
  const seen = new Set<string>();
  // A clone may hold a link to anything of this machine; what it says would go to the provider.
  const top = await realpath(projectRoot(options.workdir) ?? options.launchDir);
  for (const { dir, scope } of placesOf(options)) {
    for (const name of ["AGENTS.md", ...(options.alsoNamed ?? [])]) {
      const path = join(dir, name);
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || seen.has(real)) continue;
      seen.add(real);
      if (scope === "local" && !isInside(top, real) && !isInside(await realpath(dir), real)) {
        notices.push(`${path} is a link out of the project and was left out`);
        continue;
      }
      const read = await readInstructions(path, options.maxBytes ?? 64 * 1024);
      if (read.notice) notices.push(read.notice);
      if (read.text.trim() !== "") files.push({ path, scope, text: read.text });
    }
  }
  return { files, notices };
}

/** The nearest folder at or above `dir` that holds a `.git`, file or folder. */
function projectRoot(dir: string): string | undefined {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function placesOf({ homes, workdir, launchDir, which }: InstructionOptions) {
  const folders = foldersBetween(projectRoot(workdir) ?? launchDir, workdir);
  const places = [...homes, ...folders.map((dir) => ({ dir, scope: "local" as const }))];
  return which === "none" ? [] : places.filter(({ scope }) => which === "all" || scope === which);
}

/** From `top` down to `dir`, both included; only `dir` when `top` is not above it. */
function foldersBetween(top: string, dir: string): readonly string[] {
  const way = relative(top, dir);
  if (way === "") return [dir];
  const steps = way.split(sep);
  if (steps[0] === ".." || isAbsolute(way)) return [dir];
  return [top, ...steps.map((_, at) => join(top, ...steps.slice(0, at + 1)))];
}

async function readInstructions(path: string, maxBytes: number): Promise<{ text: string; notice?: string }> {
  try {
    const handle = await open(path, "r");
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, maxBytes)), 0);
      const text = decode(buffer.subarray(0, bytesRead));
      if (size <= maxBytes) return { text };
      const whole = text.slice(0, text.lastIndexOf("\n") + 1) || text;
      return { text: whole, notice: `${path} has ${size} bytes; only the first ${maxBytes} are used` };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { text: "", notice: `${path} cannot be read: ${(error as Error).message}` };
  }
}

/** UTF-8 unless a byte order mark says otherwise; the mark itself is no text. */
function decode(bytes: Uint8Array): string {
  const little = bytes[0] === 0xff && bytes[1] === 0xfe;
  const big = bytes[0] === 0xfe && bytes[1] === 0xff;
  return new TextDecoder(little ? "utf-16le" : big ? "utf-16be" : "utf-8").decode(bytes);
}
