import { createFuzzyIndex, type FuzzyIndex } from "../text/fuzzy-index.ts";

/** The project's paths for completion, relative to its folder, folders ending in `/`. */
export interface FileIndex {
  /**
   * Paths that match, best first. It never holds the event loop for longer than a few milliseconds. What takes longer
   * tells `early` what is found until then: a search in a long list, and the first search, which is done when the list of
   * files is. Later ones answer from that list and, when it has grown old, have it made again in the background. A search
   * that is overtaken by another ends with what it has. Hidden paths are offered for queries with a dot at the start of a
   * segment. Never throws: without a list there are no matches.
   */
  search(query: string, limit: number, wishes?: SearchWishes): Promise<readonly string[]>;
  /** Ends a listing under way. */
  close(): void;
}

export interface SearchWishes {
  isOffered?(path: string): boolean;
  early?(found: readonly string[]): void;
}

export interface FileIndexOptions {
  /** Tells every file that is not ignored, hidden ones too, in a stable order. */
  listFiles(onFile: (path: string) => void, signal: AbortSignal): Promise<void>;
  /** Milliseconds, from any start. */
  now(): number;
}

/** A list older than this is made again when somebody asks. */
const OLD_MS = 10_000;
/** How long a piece of a search may take. */
const SLICE_MS = 6;
/** What is found in a list that is still being made is told this often. */
const EARLY_MS = 100;
/** Beyond this there are no more paths to offer; memory stays bounded. */
const MOST_PATHS = 500_000;

export function createFileIndex({ listFiles, now }: FileIndexOptions): FileIndex {
  const stop = new AbortController();
  let current: FuzzyIndex | undefined;
  let madeAt = Number.NEGATIVE_INFINITY;
  let making: { readonly index: FuzzyIndex; readonly done: Promise<void> } | undefined;
  let searches = 0;

  function make() {
    const index = createFuzzyIndex();
    return { index, done: list(index) };
  }

  async function list(index: FuzzyIndex): Promise<void> {
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
    async search(query, limit, { isOffered = () => true, early = () => {} } = {}) {
      if (stop.signal.aborted) return [];
      const own = ++searches;
      const hidden = /(^|\/)\./.test(query);
      const fits = (path: string) => (hidden || !/(^|\/)\./.test(path)) && isOffered(path);
      // What is not a path need not wait for the first list.
      if (current === undefined) early([]);
      if (now() - madeAt > OLD_MS) making ??= make();
      for (let wait = EARLY_MS / 10; ; wait = EARLY_MS) {
        if (current === undefined && making !== undefined) await soonest(making.done, wait);
        const index = current ?? making?.index;
        if (index === undefined) return [];
        const search = index.begin(query, limit, fits);
        for (let overAt = now() + SLICE_MS; !search.advance(() => now() >= overAt); overAt = now() + SLICE_MS) {
          early(search.best());
          await new Promise(setImmediate);
          if (own !== searches) return search.best();
        }
        if (index === current || own !== searches) return search.best();
        early(search.best());
      }
    },
    close: () => stop.abort(),
  };
}

function soonest(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
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
