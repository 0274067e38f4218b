import { createFuzzyIndex, type FuzzyIndex } from "../text/fuzzy.ts";

/** The project's paths for completion, relative to its folder, folders ending in `/`. */
export interface FileIndex {
  /**
   * Paths that match, best first. The first search waits for the list of files; later ones answer from it at once and,
   * when it has grown old, have it made again in the background. Hidden paths are offered for queries with a dot at the
   * start of a segment. Never throws: without a list there are no matches.
   */
  search(query: string, limit: number, isOffered?: (path: string) => boolean): Promise<readonly string[]>;
  /** Ends a listing under way. */
  close(): void;
}

export interface FileIndexOptions {
  /** Tells every file that is not ignored, hidden ones too, in a stable order. */
  listFiles(onFile: (path: string) => void, signal: AbortSignal): Promise<void>;
  /** Milliseconds, from any start. */
  now(): number;
}

/** A list older than this is made again when somebody asks. */
const OLD_MS = 10_000;
/** Beyond this there are no more paths to offer; memory stays bounded. */
const MOST_PATHS = 500_000;

export function createFileIndex({ listFiles, now }: FileIndexOptions): FileIndex {
  const stop = new AbortController();
  let current: FuzzyIndex | undefined;
  let madeAt = Number.NEGATIVE_INFINITY;
  let making: Promise<void> | undefined;

  async function make(): Promise<void> {
    const index = createFuzzyIndex();
    const folders = new Set<string>();
    try {
      await listFiles((path) => {
        if (index.size >= MOST_PATHS) return;
        addFolders(path, folders, index);
        index.add(path);
      }, stop.signal);
    } catch {
      // What was listed until then is better than nothing.
    }
    if (index.size > 0 || current === undefined) current = index;
    madeAt = now();
    making = undefined;
  }

  return {
    async search(query, limit, isOffered = () => true) {
      if (stop.signal.aborted) return [];
      if (now() - madeAt > OLD_MS) making ??= make();
      if (current === undefined) await making;
      const hidden = /(^|\/)\./.test(query);
      return current?.search(query, limit, (path) => (hidden || !/(^|\/)\./.test(path)) && isOffered(path)) ?? [];
    },
    close: () => stop.abort(),
  };
}

function addFolders(path: string, folders: Set<string>, index: FuzzyIndex): void {
  const end = path.lastIndexOf("/");
  if (end < 0) return;
  const folder = path.slice(0, end + 1);
  if (folders.has(folder)) return;
  folders.add(folder);
  addFolders(path.slice(0, end), folders, index);
  index.add(folder);
}
