import { basename, join } from "node:path";
import { showName } from "../text/show-name.ts";
import { defineTool } from "../toolkit/tool.ts";
import type { ProjectFiles } from "../workspace/project-files.ts";

const MOST_ENTRIES = 1000;

export const ls = defineTool({
  name: "Ls",
  description: "Lists a directory: directories first, each with a final `/`.",
  input: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "Default: ." },
      depth: { type: "integer", description: "Levels to descend; default 1" },
    },
  },
  changes: "nothing",

  async run({ path = ".", depth = 1 }, { files, cwd, signal }) {
    const root = await files.resolve(path, cwd);
    const found = await files.stat(root);
    if (!found) throw new Error(`path not found: ${root}`);
    if (found.kind !== "directory") return basename(root);
    const { directories, others, failures, capped } = await walk(files, root, Math.max(1, depth), signal);
    const entries = [...directories.sort(), ...others.sort()].map(showName);
    const listing = entries.length === 0 && failures.length === 0 ? "Empty directory" : entries.join("\n");
    const notices = [
      capped ? `[only the first ${MOST_ENTRIES} entries are listed; list a deeper path or use Glob]` : undefined,
      failures.length > 0
        ? [
            `[${failures.length} entries skipped due to errors]`,
            ...failures.slice(0, 3).map((line) => `  ${line}`),
          ].join("\n")
        : undefined,
    ].filter((notice) => notice !== undefined);
    return [listing, ...notices].join("\n\n");
  },

  paths: ({ path = "." }) => ({ read: [path] }),
});

/** Level by level, so that the cap cuts the deepest entries. Links are listed, not followed. */
async function walk(files: ProjectFiles, root: string, depth: number, signal: AbortSignal) {
  const directories: string[] = [];
  const others: string[] = [];
  const failures: string[] = [];
  let level = [""];
  for (let at = 0; at < depth && level.length > 0; at++) {
    const next: string[] = [];
    for (const directory of level) {
      signal.throwIfAborted();
      const entries = await files.list(join(root, directory)).catch((error: unknown) => {
        if (directory === "") throw error;
        failures.push(error instanceof Error ? error.message : String(error));
        return [];
      });
      for (const entry of entries) {
        if (directories.length + others.length === MOST_ENTRIES) return { directories, others, failures, capped: true };
        const path = join(directory, entry.name);
        if (entry.kind === "directory") {
          directories.push(`${path}/`);
          next.push(path);
        } else others.push(path);
      }
    }
    level = next;
  }
  return { directories, others, failures, capped: false };
}
