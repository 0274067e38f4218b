import { isAbsolute, resolve, sep } from "node:path";
import { showName } from "../text/show-name.ts";
import { defineTool } from "../toolkit/tool.ts";
import type { DirectoryEntry, ProjectFiles } from "../workspace/project-files.ts";
import { FileProblem } from "../workspace/project-files.ts";
import { readIgnoreRules } from "./ignore-rules.ts";

const SHOWN_PATHS = 200;

export const glob = defineTool({
  name: "Glob",
  description: "Find files by name: **, *, ?, [class], {a,b}. Leaves out what .gitignore names.",
  input: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, description: "such as src/**/*.{ts,tsx}" },
      path: { type: "string", description: "directory to start in; default: the working directory" },
      include_ignored: { type: "boolean" },
    },
    required: ["pattern"],
    additionalProperties: false,
  },

  paths: ({ path = "." }) => ({ read: [path] }),
  changes: "nothing",

  async run(input, access) {
    if (!isWellFormed(input.pattern)) throw new Error(`invalid pattern: ${input.pattern}`);
    const folder = await access.files.resolve(input.path ?? ".", access.cwd);
    const stat = await access.files.stat(folder);
    if (!stat) throw new FileProblem("searching", folder, "no such file or directory");
    if (stat.kind !== "directory") throw new FileProblem("searching", folder, "is a file, not a directory");
    // The search passes over what it cannot list, and must not pass over all there is.
    await access.files.list(folder);

    const all = input.include_ignored === true;
    const paths = await findFiles(input.pattern, folder, access.files, all, access.signal);
    access.signal.throwIfAborted();
    if (paths.length === 0)
      return `No files matched${all ? "" : " (ignored files were left out; include_ignored: true looks there too)"}`;
    const shown = paths.slice(0, SHOWN_PATHS);
    const more = paths.length - shown.length;
    return [
      `Found ${paths.length} match(es):`,
      ...shown.map(showName),
      ...(more > 0 ? [`[${more} more; narrow the pattern or the path]`] : []),
    ].join("\n");
  },
});

/** Absolute paths, sorted. */
async function findFiles(
  pattern: string,
  folder: string,
  files: ProjectFiles,
  includeIgnored: boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const { default: fastGlob } = await import("fast-glob");
  const found = await fastGlob.glob(escapeExtensions(pattern), {
    cwd: folder,
    fs: await projectDisk(files, includeIgnored, signal),
    dot: true,
    extglob: false,
    followSymbolicLinks: false,
    // A link to a file is neither file nor directory to the walk; it is sorted out below.
    onlyFiles: false,
    objectMode: true,
    suppressErrors: true,
  });
  const paths: string[] = [];
  for (const { path, dirent } of found) {
    const absolute = isAbsolute(path) ? path : resolve(folder, path);
    if (dirent.isFile() || (dirent.isSymbolicLink() && (await leadsToFile(absolute, files)))) paths.push(absolute);
  }
  return paths.sort();
}

/** A link that leads nowhere, in a circle or where we may not look is no file; the others are still found. */
async function leadsToFile(link: string, files: ProjectFiles): Promise<boolean> {
  const stat = await files.stat(link).catch(() => undefined);
  return stat?.kind === "file";
}

/** Brackets and braces that close, no lone backslash at the end. */
function isWellFormed(pattern: string): boolean {
  let braces = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\" && ++at === pattern.length) return false;
    if (char === "{") braces++;
    if (char === "}" && --braces < 0) return false;
    if (char === "[") {
      at = endOfClass(pattern, at);
      if (at < 0) return false;
    }
  }
  return braces === 0;
}

/** Index of the bracket that closes the class begun at `start`; -1 when none does. */
function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === "!" || pattern[at] === "^") at++;
  // A bracket in first place is a member of the class.
  for (at++; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at;
  }
  return -1;
}

/** In the syntax we promise, parentheses and a leading `!` stand for themselves: `app/(shop)/page.tsx`. */
function escapeExtensions(pattern: string): string {
  return pattern.replace(/\\.|[()|]|^!/gs, (part) => (part.length === 2 ? part : `\\${part}`));
}

type Callback<T> = (problem: NodeJS.ErrnoException | null, value: T) => void;

/** What fast-glob needs of a disk, on top of the project's files; ignored folders are never entered. */
async function projectDisk(files: ProjectFiles, includeIgnored: boolean, signal: AbortSignal) {
  const rules = includeIgnored ? undefined : await readIgnoreRules(files);
  const list = async (folder: string): Promise<readonly DirectoryEntry[]> => {
    if (signal.aborted || folder.split(sep).includes(".git")) return [];
    const entries = await files.list(folder);
    return rules ? rules.keep(folder, entries) : entries.filter((entry) => entry.name !== ".git");
  };
  const lookUp = async (path: string) => {
    const stat = await files.stat(path);
    if (!stat) throw Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT" });
    return kindTests(stat.kind);
  };
  // fast-glob is typed for the functions of node:fs; of their results it uses only the names and the kind tests.
  return {
    readdir: (path: string, _options: unknown, done: Callback<unknown>) =>
      answer(
        list(path).then((entries) => entries.map((one) => ({ name: one.name, ...kindTests(one.kind) }))),
        done,
      ),
    lstat: (path: string, done: Callback<unknown>) => answer(lookUp(path), done),
    stat: (path: string, done: Callback<unknown>) => answer(lookUp(path), done),
  } as unknown as Partial<import("fast-glob").FileSystemAdapter>;
}

function answer<T>(work: Promise<T>, done: Callback<T>): void {
  work.then(
    (value) => done(null, value),
    (problem) => done(problem, undefined as T),
  );
}

function kindTests(kind: DirectoryEntry["kind"]) {
  return {
    isFile: () => kind === "file",
    isDirectory: () => kind === "directory",
    isSymbolicLink: () => kind === "symlink",
    isBlockDevice: () => false,
    isCharacterDevice: () => false,
    isFIFO: () => false,
    isSocket: () => false,
  };
}
