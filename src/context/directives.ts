import type { ImagePart } from "../protocol/message.ts";
import { decodeText, detectEncoding } from "../text/text-encoding.ts";

/** What directives touch; `resolve`, `stat`, `read` and `list` are those of the project's files. */
export interface DirectiveAccess {
  /** Absolute. */
  readonly cwd: string;
  resolve(path: string, cwd: string): Promise<string>;
  stat(path: string): Promise<{ readonly kind: "file" | "directory" | "other" } | undefined>;
  read(path: string): Promise<Uint8Array>;
  list(path: string): Promise<readonly { readonly name: string; readonly kind: string }[]>;
  /** Runs `command` as the Bash tool would, deny rules included; the text is what the model reads. */
  runBash(command: string): Promise<BashAnswer>;
  /** The pictures in a file: one, or a page each of a PDF. Throws for what is none. */
  readImages(path: string): Promise<readonly ImagePart[]>;
  /** The model is shown this file whole. */
  sawFile(path: string, bytes: Uint8Array): void;
  env(name: string): string | undefined;
}

export type BashAnswer =
  | { readonly kind: "ran"; readonly output: string }
  /** Refused or broken; `output` is what it said before that. */
  | { readonly kind: "failed"; readonly reason: string; readonly output?: string };

export interface Expanded {
  /** What goes to the model; empty when nothing is left to send. */
  readonly text: string;
  readonly images: readonly ImagePart[];
  /** One sentence for each directive that did not work and was left as written. */
  readonly warnings: readonly string[];
}

/**
 * Replaces `@Image[p]`, `@Bash[c]`, `@File[p]` and `@Path[p]` in what a person wrote (aura 11). A body ends at the
 * first `]`. Directives are found once, in the text as written: nothing that a command or a file says is a directive.
 */
export async function expandDirectives(text: string, access: DirectiveAccess): Promise<Expanded> {
  const found = findDirectives(text);
  if (found.length === 0) return { text, images: [], warnings: [] };
  const work: Work = { access, images: [], commands: [], files: [], warnings: [] };
  const tokens = new Map<Directive, string>();
  // By kind, then in writing order: commands may change the files that are shown after them.
  for (const kind of KINDS)
    for (const directive of found.filter((one) => one.kind === kind)) {
      const token = await EXPAND[kind](directive.body.trim(), work);
      if (token !== undefined) tokens.set(directive, token);
    }
  let message = "";
  let from = 0;
  for (const directive of found) {
    message +=
      text.slice(from, directive.start) + (tokens.get(directive) ?? text.slice(directive.start, directive.end));
    from = directive.end;
  }
  message += text.slice(from);
  const blocks = [...work.commands, ...work.files, ...(message.trim() === "" ? [] : [message])];
  return { text: blocks.join("\n\n"), images: work.images, warnings: work.warnings };
}

export interface Directive {
  readonly kind: (typeof KINDS)[number];
  readonly body: string;
  readonly start: number;
  readonly end: number;
}

/** In the order they stand in the text. An empty body makes no directive. */
export function findDirectives(text: string): readonly Directive[] {
  return [...text.matchAll(/@(Image|Bash|File|Path)\[([^\]]*)\]/g)]
    .filter((match) => match[2]!.trim() !== "")
    .map((match) => ({
      kind: match[1] as Directive["kind"],
      body: match[2]!,
      start: match.index,
      end: match.index + match[0].length,
    }));
}

const KINDS = ["Image", "Bash", "File", "Path"] as const;
const MAX_LINES = 500;

interface Work {
  readonly access: DirectiveAccess;
  readonly images: ImagePart[];
  readonly commands: string[];
  readonly files: string[];
  readonly warnings: string[];
}

/** Each returns what stands in the directive's place, or nothing when it stays as written. */
const EXPAND: Record<Directive["kind"], (body: string, work: Work) => Promise<string | undefined>> = {
  Image: (path, work) =>
    attempt(`@Image[${path}]`, work, async () => {
      const images = await work.access.readImages(await work.access.resolve(path, work.access.cwd));
      const first = work.images.length + 1;
      work.images.push(...images);
      return images.map((_, at) => `[Image ${first + at}: ${path}]`).join(" ");
    }),
  Bash: (command, work) =>
    attempt(`@Bash[${command}]`, work, async () => {
      const answer = await work.access.runBash(command);
      const output = answer.output ?? "";
      if (answer.kind === "failed") {
        work.warnings.push(`@Bash[${command}]: ${answer.reason}`);
        if (output !== "") work.commands.push(`### Command: ${command}\nOutput (error):\n${output.trimEnd()}`);
        return undefined;
      }
      work.commands.push(`### Command: ${command}\nOutput:\n${output.trimEnd()}`);
      return `[Command: ${command}]`;
    }),
  File: (path, work) =>
    attempt(`@File[${path}]`, work, async () => {
      work.files.push(await showPath(path, work.access));
      return `[File: ${path}]`;
    }),
  Path: async (path, { access }) => expandVariables(path, access),
};

async function attempt(
  directive: string,
  work: Work,
  expand: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    return await expand();
  } catch (error) {
    work.warnings.push(`${directive}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function showPath(path: string, access: DirectiveAccess): Promise<string> {
  const full = await access.resolve(path, access.cwd);
  const stat = await access.stat(full);
  if (!stat) throw new Error("no such file or directory");
  if (stat.kind === "directory") return `### Directory: ${path}\nListing:\n${listing(await access.list(full))}`;
  const bytes = await access.read(full);
  const encoding = detectEncoding(bytes);
  if (!encoding.startsWith("utf-16") && bytes.includes(0)) throw new Error("is not a text file");
  const text = decodeText(bytes, encoding);
  const lines = text.split("\n");
  const total = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (total <= MAX_LINES) {
    access.sawFile(full, bytes);
    return `### File: ${path}\nContent:\n${text.replace(/\n$/, "")}`;
  }
  const shown = lines.slice(0, MAX_LINES).join("\n");
  return `### File: ${path}\nContent:\n${shown}\n... truncated at ${MAX_LINES} lines (file has ${total} total)`;
}

function listing(entries: readonly { readonly name: string; readonly kind: string }[]): string {
  const names = (wanted: boolean) =>
    entries.filter(({ kind }) => (kind === "directory") === wanted).map(({ name }) => (wanted ? `${name}/` : name));
  const lines = [...names(true).sort(), ...names(false).sort()];
  return lines.length === 0 ? "(empty)" : lines.join("\n");
}

/** An unset variable stays as written: a name such as `$id.tsx` is a file more often than a mistake. */
function expandVariables(path: string, { env }: DirectiveAccess): string {
  return path.replaceAll(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (whole, braced?: string, bare?: string) => env(braced ?? bare!) || whole,
  );
}
