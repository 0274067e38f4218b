import type { Suggestion } from "../protocol/conversation.ts";
import type { FileIndex } from "../workspace/file-index.ts";
import type { ProjectFiles } from "../workspace/project-files.ts";

export interface PathSuggestions {
  /** After `@`, without a bracket: what is taken becomes a whole directive. */
  bare(typed: string, from: number, limit: number): Promise<readonly Suggestion[]>;
  /** After `@File[` and its kind; files close the bracket. */
  inside(directive: string, typed: string, from: number, limit: number): Promise<readonly Suggestion[]>;
  /** A path as an argument. */
  plain(typed: string, from: number, limit: number): Promise<readonly Suggestion[]>;
}

const IMAGE = /\.(png|jpe?g|gif|webp)$/i;
const isFolder = (path: string) => path.endsWith("/");

export function createPathSuggestions(index: FileIndex, files: ProjectFiles, cwd: string): PathSuggestions {
  /** Project paths by likeness; what lies elsewhere, or is ignored, by its folder and beginning. */
  async function find(typed: string, limit: number, fits: (path: string) => boolean = () => true) {
    const offered = (path: string) => !path.includes("]") && fits(path);
    const found = isElsewhere(typed) ? [] : await index.search(typed, limit, offered);
    if (found.length > 0) return found;
    const entries = await entriesOf(typed, files, cwd);
    return entries.filter((path) => isFolder(path) || offered(path)).slice(0, limit);
  }

  return {
    async bare(typed, from, limit) {
      const found = await find(typed, limit);
      return found.map((path) => ({
        text: `@${IMAGE.test(path) ? "Image" : "File"}[${path}${isFolder(path) ? "" : "]"}`,
        label: path,
        from,
      }));
    },
    async inside(directive, typed, from, limit) {
      const fits = directive === "Image" ? (path: string) => IMAGE.test(path) : undefined;
      return (await find(typed, limit, fits)).map((path) => ({
        text: `${path}${isFolder(path) ? "" : "]"}`,
        label: path,
        from,
      }));
    },
    async plain(typed, from, limit) {
      const entries = await entriesOf(typed, files, cwd);
      return entries
        .filter((path) => !/\s/.test(path))
        .slice(0, limit)
        .map((text) => ({ text, from }));
    },
  };
}

function isElsewhere(typed: string): boolean {
  return /^(\/|~|\$|\.\.?\/)/.test(typed);
}

/** Entries of the folder typed so far that go on as typed; hidden ones only after a dot. */
async function entriesOf(typed: string, files: ProjectFiles, cwd: string): Promise<readonly string[]> {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  const start = typed.slice(folder.length).toLowerCase();
  try {
    const entries = await files.list(await files.resolve(folder || ".", cwd));
    return entries
      .filter(({ name }) => name.toLowerCase().startsWith(start) && (start.startsWith(".") || !name.startsWith(".")))
      .map(({ name, kind }) => `${folder}${name}${kind === "directory" ? "/" : ""}`);
  } catch {
    return []; // a folder that is not there has no entries to offer
  }
}
