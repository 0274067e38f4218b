import { isInside } from "../../system/paths.ts";
import type { ToolAccess } from "../../toolkit/tool-access.ts";
import { MOST_SOURCE_BYTES } from "./limits.ts";
import { ScriptFailure } from "./script-failure.ts";

export interface ScriptSource {
  readonly text: string;
  /** Absolute, links followed. */
  readonly file: string;
}

export const isScriptName = (path: string): boolean => /\.m?js$/.test(path);

/**
 * Reads a script as it is now, so that an edit counts at the next call.
 * @param path relative to the workspace, which is where the session works
 * @throws ScriptFailure `read-error`, `path-escape` (also through a link), `bad-extension`, `source-too-large`
 */
export async function readSource(
  path: string,
  { files, cwd }: Pick<ToolAccess, "files" | "cwd">,
): Promise<ScriptSource> {
  const unreadable = (error: unknown) =>
    new ScriptFailure("read-error", `${path}: ${error instanceof Error ? error.message : String(error)}`);
  try {
    const workspace = await files.realPath(cwd);
    const file = await files.realPath(await files.resolve(path, cwd));
    if (!isInside(workspace, file)) throw new ScriptFailure("path-escape", `${path} leads out of the workspace`);
    if (!isScriptName(file))
      throw new ScriptFailure("bad-extension", `${path} leads to ${file}: a script is .js or .mjs`);
    const stat = await files.stat(file);
    if (stat?.kind !== "file") throw new ScriptFailure("read-error", `${path}: there is no such file`);
    if (stat.size > MOST_SOURCE_BYTES) throw tooLarge(path, stat.size);
    const bytes = await files.read(file);
    if (bytes.length > MOST_SOURCE_BYTES) throw tooLarge(path, bytes.length);
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), file };
  } catch (error) {
    throw error instanceof ScriptFailure ? error : unreadable(error);
  }
}

const tooLarge = (path: string, bytes: number) =>
  new ScriptFailure("source-too-large", `${path} has ${bytes} bytes; a script has at most ${MOST_SOURCE_BYTES}`);
