import { relative } from "node:path";
import { isInside } from "../system/paths.ts";
import { type RunResult, runProgram } from "../system/process.ts";
import { findRipgrep } from "../system/ripgrep.ts";
import { showName } from "../text/show-name.ts";
import { clipLine, cutBytes } from "../text/truncate.ts";
import { defineTool } from "../toolkit/tool.ts";
import type { ToolAccess } from "../toolkit/tool-access.ts";
import { FileProblem } from "../workspace/project-files.ts";

const TIMEOUT_MS = 30_000;
/** What the model gets at most. */
const SHOWN_LINES = 200;
const SHOWN_BYTES = 30_000;
/** Characters of one matching line. */
const LINE_CHARS = 400;
/** A search that finds more than this is stopped: the number tells as much as an exact one would. */
const COUNTED_LINES = 20_000;

export const rg = defineTool({
  name: "Rg",
  description: "Search file contents with ripgrep (Rust regex). Skips ignored, hidden and binary files.",
  usage: "Result lines are path:line:match.",
  input: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1 },
      path: { type: "string", description: "file or directory; default: the working directory" },
      glob: { type: "string", description: "only files like *.ts or !*.test.ts" },
      ignore_case: { type: "boolean" },
      context: { type: "integer", minimum: 0, description: "lines around each match" },
      files_only: { type: "boolean", description: "only the paths of files that match" },
    },
    required: ["pattern"],
    additionalProperties: false,
  },

  paths: ({ path = "." }) => ({ read: [path] }),
  changes: "nothing",

  async run(input, access) {
    const target = await access.files.resolve(input.path ?? ".", access.cwd);
    const stat = await access.files.stat(target);
    if (!stat) throw new FileProblem("searching", target, "no such file or directory");
    // ripgrep opens what it is told to, and a pipe or a device may never end.
    if (stat.kind === "other") throw new FileProblem("searching", target, "is not a regular file");
    const args = searchArguments(input, isInside(access.cwd, target) ? relative(access.cwd, target) || "." : target);
    const read = input.files_only ? readPaths : readMatches;
    const search = await searchLines(await findRipgrep(), args, access, read);
    return describe(search, (input as SearchInput).most);
  },
});

/** Files whose contents are secrets; a search through a folder leaves them out, as nobody was asked about them. */
const SECRET_FILES = [
  ...[".env", ".env.*", ".envrc", "secrets.env", ".netrc", ".git-credentials", ".pgpass", ".npmrc", ".pypirc"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx"],
  ...["**/.ssh/**", "**/.aws/**", "**/.gnupg/**", "**/.kube/**", "**/.docker/**"],
];

/** Whoever searches in there was asked. */
const SECRET_FOLDER = /(^|\/)\.(ssh|aws|gnupg|kube|docker)(\/|$)/;

interface SearchInput {
  readonly pattern: string;
  readonly glob?: string;
  readonly ignore_case?: boolean;
  readonly context?: number;
  readonly files_only?: boolean;
  // What the coding server's grep offers beyond this tool's own parameters; a model that calls Rg cannot give these.
  readonly type?: string;
  readonly before?: number;
  readonly after?: number;
  readonly multiline?: boolean;
  readonly count?: boolean;
  readonly line_numbers?: boolean;
  readonly most?: number;
}

function searchArguments(input: SearchInput, target: string): string[] {
  return [
    ...(input.line_numbers === false || input.count ? [] : ["--line-number"]),
    ...["--with-filename", "--no-heading", "--color=never", "--null"],
    ...[`--max-columns=${LINE_CHARS}`, "--max-columns-preview"],
    ...(input.glob === undefined ? [] : ["--glob", input.glob]),
    // After it: a glob that names hidden files brings none of these. Whoever wants one names it as `path`.
    ...(SECRET_FOLDER.test(target) ? [] : SECRET_FILES.flatMap((name) => ["--glob", `!${name}`])),
    ...(input.ignore_case ? ["--ignore-case"] : []),
    ...(input.context ? ["--context", String(input.context)] : []),
    ...(input.files_only ? ["--files-with-matches"] : []),
    ...(input.type === undefined ? [] : [`--type=${input.type}`]),
    ...(input.before ? ["--before-context", String(input.before)] : []),
    ...(input.after ? ["--after-context", String(input.after)] : []),
    ...(input.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(input.count ? ["--count"] : []),
    ...["-e", input.pattern, "--", target],
  ];
}

interface Search {
  readonly result: RunResult;
  /** In the order of their paths: ripgrep's own order changes from run to run. */
  readonly lines: readonly string[];
  /** There were more lines than we count. */
  readonly stopped: boolean;
}

async function searchLines(
  program: string,
  args: readonly string[],
  { cwd, signal, guardProcess }: Pick<ToolAccess, "cwd" | "signal" | "guardProcess">,
  read: (stdout: string) => readonly Entry[],
): Promise<Search> {
  const stop = new AbortController();
  const forward = () => stop.abort();
  signal.addEventListener("abort", forward, { once: true });
  let count = 0;
  let ended: (() => void) | undefined;
  try {
    if (signal.aborted) stop.abort();
    const result = await runProgram(program, args, {
      cwd,
      // Without the person's own ripgrep settings, which could change the form of the output.
      env: {},
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: COUNTED_LINES * LINE_CHARS,
      signal: stop.signal,
      onStart(pid) {
        ended = guardProcess?.(pid);
      },
      onLine(_, stream) {
        if (stream === "stdout" && ++count > COUNTED_LINES) stop.abort();
      },
    });
    signal.throwIfAborted();
    return { result, lines: sortByPath(read(result.stdout)), stopped: count > COUNTED_LINES || result.capped };
  } finally {
    ended?.();
    signal.removeEventListener("abort", forward);
  }
}

interface Entry {
  readonly path: string;
  readonly line: string;
}

/** The lines of a search by their paths; ripgrep's own order of files changes from run to run. */
function sortByPath(entries: readonly Entry[]): string[] {
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)).map((entry) => entry.line);
}

/** With --files-with-matches there is nothing but NULs. */
function readPaths(stdout: string): Entry[] {
  const paths = stdout.split("\0").filter((path) => path.trim() !== "");
  return paths.map(plainPath).map((path) => ({ path, line: showName(path) }));
}

/** `--null` ends the path with a NUL, so that a colon, a dash or a line end in it confuses nobody. */
function readMatches(stdout: string): Entry[] {
  const entries: Entry[] = [];
  let path = "";
  for (let at = 0; at < stdout.length; ) {
    const bare = BARE_LINE.exec(stdout.slice(at, at + 2000))?.[0];
    const pathEnd = bare === undefined ? stdout.indexOf("\0", at) : -1;
    const end = stdout.indexOf("\n", Math.max(at, pathEnd));
    const line = stdout.slice(Math.max(at, pathEnd + 1), end < 0 ? stdout.length : end);
    if (pathEnd >= 0) {
      path = plainPath(stdout.slice(at, pathEnd));
      entries.push({ path, line: joinPath(showName(path), line) });
    } else if (line !== "") {
      if (line !== "--") path = plainPath(line);
      entries.push({ path, line: line === "--" ? line : path });
    }
    if (end < 0) break;
    at = end + 1;
  }
  return entries;
}

/** Lines that begin with no path and NUL: between two places of one file, and about a binary file. */
const BARE_LINE = /^(?:--(?=\n)|[^\0\n]*: binary file matches [^\0\n]*)/;

function plainPath(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}

/** A match is `path:line:text`, a line of its surroundings `path-line-text`. */
function joinPath(path: string, rest: string): string {
  return `${path}${/^\d+-/.test(rest) ? "-" : ":"}${rest.replace(/\r$/, "")}`;
}

/** @throws Error when ripgrep could not search at all; then its own words say why */
function describe({ result, lines, stopped }: Search, most = SHOWN_LINES): string {
  const failed = result.kind === "exited" && result.code > 1;
  const problems = result.stderr.trim();
  if (failed && lines.length === 0) throw new Error(problems || `rg ended with code ${result.code}`);
  const notices: string[] = [];
  const shown = limitLines(lines, Math.min(most, SHOWN_LINES));
  if (shown.length < lines.length || stopped) notices.push(moreNotice(shown.length, lines.length, stopped));
  if (result.kind === "timeout") notices.push("[stopped after 30s; not everything was searched: narrow path or glob]");
  if (failed || (problems !== "" && !stopped))
    notices.push(`[some files could not be searched: ${cutBytes(problems, 1000)}]`);
  if (shown.length === 0 && result.kind === "exited") notices.unshift("No matches found.");
  return [...shown, ...notices].join("\n");
}

function limitLines(lines: readonly string[], most: number): string[] {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, most)) {
    const clipped = clipLine(line, LINE_CHARS + 200);
    bytes += Buffer.byteLength(clipped) + 1;
    if (bytes > SHOWN_BYTES) break;
    shown.push(clipped);
  }
  return shown;
}

function moreNotice(shown: number, total: number, stopped: boolean): string {
  const more = stopped ? `more than ${Math.min(total, COUNTED_LINES) - shown}` : String(total - shown);
  return `[${more} more lines; narrow with path, glob or a stricter pattern, or list paths with files_only]`;
}
