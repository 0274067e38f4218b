import { join } from "node:path";
import type { MemoryScope, MemoryStore } from "./memory-store.ts";
import type { ProjectFiles } from "./project-files.ts";

/** Absolute directories of the entries; a scope without one is disabled. */
export type MemoryDirectories = { readonly [scope in MemoryScope]?: string };

/** Memory entries as `<directory>/<key>.md` in `files`. */
export function fileMemoryStore(files: ProjectFiles, directories: MemoryDirectories): MemoryStore {
  const keys = async (scope: MemoryScope) => {
    const directory = directoryOf(scope, directories);
    if ((await files.stat(directory))?.kind !== "directory") return undefined;
    const entries = await files.list(directory);
    return entries
      .filter((entry) => entry.kind !== "directory" && entry.name.endsWith(".md"))
      .map((entry) => entry.name.slice(0, -".md".length))
      .sort();
  };

  return {
    keys,
    async write(scope, key, content) {
      checkKey(key);
      const directory = directoryOf(scope, directories);
      const twin = (await keys(scope))?.find((known) => known !== key && sameOnSomeDisk(known, key));
      if (twin !== undefined)
        throw new Error(`memory entry "${twin}" exists and "${key}" differs only by case: use "${twin}"`);
      await files.apply([{ kind: "write", path: join(directory, `${key}.md`), bytes: Buffer.from(content) }]);
    },
    async read(scope, key) {
      checkKey(key);
      // The listing decides, because a disk that ignores case would also open an entry of another name.
      if (!(await keys(scope))?.includes(key)) return undefined;
      const bytes = await files.read(join(directoryOf(scope, directories), `${key}.md`));
      return Buffer.from(bytes).toString();
    },
  };
}

function directoryOf(scope: MemoryScope, directories: MemoryDirectories): string {
  const directory = directories[scope];
  if (directory !== undefined) return directory;
  throw new Error(
    scope === "global"
      ? "global memory disabled (no --home configured)"
      : "local memory disabled (no project .aura directory)",
  );
}

function checkKey(key: string) {
  const refuse = (why: string) => {
    throw new Error(`invalid memory key ${JSON.stringify(key)}: ${why}`);
  };
  if (key.trim() === "") refuse("it must not be empty");
  if (key !== key.trim()) refuse("it must not begin or end with a space");
  if (/[/\\]/.test(key) || key.includes("..")) refuse('it must not contain "/", "\\" or ".."');
  if (/[\u0000-\u001f\u007f]/.test(key)) refuse("it must not contain control characters");
  if (Buffer.byteLength(key) > 200) refuse("it must not be longer than 200 bytes");
}

const sameOnSomeDisk = (a: string, b: string) => a.normalize("NFC").toLowerCase() === b.normalize("NFC").toLowerCase();
