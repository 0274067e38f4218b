import type { Suggestion } from "../protocol/conversation.ts";
import type { FileIndex } from "../workspace/file-index.ts";
import type { ProjectFiles } from "../workspace/project-files.ts";

export interface PathSuggestions {
  /** After `@`, without a bracket: what is taken becomes a whole directive. */
  bare(place: Place, early: Early): Promise<readonly Suggestion[]>;
  /** After `@File[` and its kind; files close the bracket. */
  inside(directive: string, place: Place, early: Early): Promise<readonly Suggestion[]>;
  /** A path as an argument. */
  plain(place: Place): Promise<readonly Suggestion[]>;
}

export interface Place {
  readonly typed: string;
  /** Where the typed part begins in the line. */
  readonly from: number;
  readonly limit: number;
}

/** Told what is found while the search goes on. */
export type Early = (items: readonly Suggestion[]) => void;

const IMAGE = /\.(png|jpe?g|gif|webp)$/i;
const isFolder = (path: string) => path.endsWith("/");

export function createPathSuggestions(index: FileIndex, files: ProjectFiles, cwd: string): PathSuggestions {
  type Fits = (path: string) => boolean;
  /** Project paths by likeness; what lies elsewhere, or is ignored, by its folder and beginning. */
  async function find({ typed, limit }: Place, fits: Fits, early: (paths: readonly string[]) => void) {
    const isOffered = (path: string) => !path.includes("]") && fits(path);
    const found = isElsewhere(typed) ? [] : await index.search(typed, limit, { isOffered, early });
    if (found.length > 0) return found;
    const entries = await entriesOf(typed, files, cwd);
    return entries.filter((path) => isFolder(path) || isOffered(path)).slice(0, limit);
  }

  return {
    async bare(place, early) {
      const whole = (path: string) => ({
        text: `@${IMAGE.test(path) ? "Image" : "File"}[${path}${isFolder(path) ? "" : "]"}`,
        label: path,
        from: place.from,
      });
      const found = await find(
        place,
        () => true,
        (paths) => early(paths.map(whole)),
      );
      return found.map(whole);
    },
    async inside(directive, place, early) {
      const rest = (path: string) => ({ text: `${path}${isFolder(path) ? "" : "]"}`, label: path, from: place.from });
      const fits = directive === "Image" ? (path: string) => IMAGE.test(path) : () => true;
      return (await find(place, fits, (paths) => early(paths.map(rest)))).map(rest);
    },
    async plain({ typed, from, limit }) {
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
