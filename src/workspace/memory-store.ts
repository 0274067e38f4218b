export type MemoryScope = "local" | "global";

/** Notes kept in `<home>/memory/<key>.md` (aura 2.18). */
export interface MemoryStore {
  /** Throws when the scope has no home, or the key is not a plain name. */
  write(scope: MemoryScope, key: string, content: string): Promise<void>;
  read(scope: MemoryScope, key: string): Promise<string | undefined>;
  /** Sorted keys; undefined when the directory does not exist. */
  keys(scope: MemoryScope): Promise<readonly string[] | undefined>;
}
