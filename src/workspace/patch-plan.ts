import { basename, dirname, join } from "node:path";
import { ENCODING_NAMES, nameCharacter, unencodable } from "../text/text-encoding.ts";
import { applyChunks } from "./patch-apply.ts";
import { type Operation, PatchProblem } from "./patch-parse.ts";
import type { FileChange, ProjectFiles } from "./project-files.ts";
import { documentBytes, encodeLike, openDocument, type TextDocument } from "./text-document.ts";

/** One operation as it will be reported and shown. */
export interface PlannedOperation {
  readonly sign: "A" | "M" | "D" | "R";
  readonly path: string;
  /** The source of a move. */
  readonly from?: string;
  /** The file before and after this operation; undefined where there is none. */
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

/** An existing file the patch changes: what read-before-write is about. */
export interface TouchedFile {
  /** Real path. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly act: "write" | "delete";
  /** 1-based lines that are changed or stand beside a change; undefined: all of them. */
  readonly lines?: readonly number[];
}

/** A file as the patch leaves it. */
interface WrittenFile {
  /** Real path. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** For each line its line in the file at `from`, 0 for a new one; undefined when the whole text is the patch's. */
  readonly origins?: readonly number[];
  readonly from: string;
}

export interface PatchPlan {
  readonly operations: readonly PlannedOperation[];
  readonly touched: readonly TouchedFile[];
  readonly written: readonly WrittenFile[];
  /** Real paths of files that go away. */
  readonly removed: readonly string[];
  readonly changes: readonly FileChange[];
}

/** Works every operation out in memory, each on the results of those before it. Throws PatchProblem or FileProblem. */
export async function planPatch(
  operations: readonly Operation[],
  files: ProjectFiles,
  cwd: string,
): Promise<PatchPlan> {
  const draft = new Draft(files);
  const planned: PlannedOperation[] = [];
  for (const operation of operations) {
    const path = await files.resolve(operation.path, cwd);
    if (operation.kind === "add") planned.push(await planAdd(draft, path, operation));
    else if (operation.kind === "delete") planned.push(await planDelete(draft, path));
    else {
      const to = operation.moveTo === undefined ? path : await files.resolve(operation.moveTo, cwd);
      planned.push(await planUpdate(draft, path, to, operation));
    }
  }
  return { operations: planned, ...draft.result() };
}

async function planAdd(draft: Draft, path: string, { lines, finalNewline }: Operation & { kind: "add" }) {
  const entry = await draft.open(path, `Add File ${path}`);
  const before = entry.now?.bytes;
  const text = lines.length === 0 ? "" : lines.join("\n") + (finalNewline ? "\n" : "");
  const { bytes, encoding } = encodeLike(before, text);
  const character = unencodable(text, encoding);
  if (character !== undefined) {
    throw new PatchProblem(
      `Add File ${path}: ${before ? `the file that is there is ${ENCODING_NAMES[encoding]}, which` : ENCODING_NAMES[encoding]} cannot hold ${nameCharacter(character)}`,
    );
  }
  entry.touch("write", undefined);
  entry.now = { bytes, document: openDocument(bytes), from: undefined };
  return { sign: "A", path, after: bytes, ...(before ? { before } : {}) } as const;
}

async function planDelete(draft: Draft, path: string) {
  if (await draft.removeLink(path)) return { sign: "D", path } as const;
  const entry = await draft.open(path, `Delete File ${path}`);
  if (!entry.now) throw new PatchProblem(`Delete File ${path}: no such file or directory`);
  const before = entry.now.bytes;
  entry.touch("delete", []);
  entry.now = undefined;
  return { sign: "D", path, before } as const;
}

async function planUpdate(draft: Draft, path: string, to: string, operation: Operation & { kind: "update" }) {
  const entry = await draft.open(path, `Update File ${path}`);
  const old = entry.now;
  if (!old) throw new PatchProblem(`patch failed: ${path} does not exist, use Add File to create it`);
  if (operation.chunks.length === 0 && operation.moveTo === undefined) {
    throw new PatchProblem(`Update File ${path}: it has no lines that begin with '+' or '-'`);
  }
  const { document, touched } = applyChunks(old.document, operation.chunks, path);
  const bytes = operation.chunks.length === 0 ? old.bytes : documentBytes(document);
  entry.touch("write", touched);
  const next = { bytes, document, from: old.from };

  const target = await draft.open(to, `Update File ${path}, Move to ${to}`);
  if (target === entry) {
    entry.now = next;
    return { sign: "M", path, before: old.bytes, after: bytes } as const;
  }
  target.touch("write", undefined);
  target.now = next;
  target.mode = entry.mode;
  if (!(await draft.removeLink(path))) entry.now = undefined;
  return { sign: "R", path: to, from: path, before: old.bytes, after: bytes } as const;
}

interface Content {
  readonly bytes: Uint8Array;
  readonly document: TextDocument;
  /** The real path of the file whose lines `document` counts; undefined when the patch wrote it all. */
  readonly from: string | undefined;
}

/** A file while the patch is being worked out. */
class Entry {
  readonly path: string;
  readonly onDisk: Content | undefined;
  now: Content | undefined;
  mode: number | undefined;
  #act: "write" | "delete" | undefined;
  #lines: Set<number> | "all" = new Set();

  constructor(path: string, onDisk: Content | undefined, mode: number | undefined) {
    this.path = path;
    this.onDisk = onDisk;
    this.now = onDisk;
    this.mode = mode;
  }

  /** `lines` are those of the file on disk; undefined: all. */
  touch(act: "write" | "delete", lines: readonly number[] | undefined) {
    if (this.#act !== "write") this.#act = act;
    // Lines of a text this patch brought here are not the file's own.
    if (!lines) this.#lines = "all";
    else if (this.#lines !== "all" && this.now?.from === this.path) for (const line of lines) this.#lines.add(line);
  }

  touched(): TouchedFile | undefined {
    if (!this.onDisk || !this.#act) return undefined;
    const { bytes } = this.onDisk;
    const lines = this.#lines === "all" ? {} : { lines: [...this.#lines].sort((a, b) => a - b) };
    return { path: this.path, bytes, act: this.now ? "write" : this.#act, ...lines };
  }

  change(): FileChange | undefined {
    if (!this.now) return this.onDisk && { kind: "remove", path: this.path };
    const { bytes } = this.now;
    if (this.onDisk && Buffer.compare(bytes, this.onDisk.bytes) === 0) return undefined;
    return { kind: "write", path: this.path, bytes, ...(this.mode === undefined ? {} : { mode: this.mode }) };
  }

  written(): WrittenFile | undefined {
    if (!this.now || !this.#act) return undefined;
    const { bytes, document, from } = this.now;
    if (from === undefined) return { path: this.path, bytes, from: this.path };
    return { path: this.path, bytes, from, origins: document.lines.map((line) => line.origin) };
  }
}

/** The files of one patch, by real path, and the links it removes, by name. */
class Draft {
  #files: ProjectFiles;
  #entries = new Map<string, Entry>();
  #removedLinks = new Set<string>();

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  async open(path: string, operation: string): Promise<Entry> {
    const { real, name } = await this.#names(path);
    if (this.#removedLinks.has(name)) {
      throw new PatchProblem(`${operation}: an earlier operation of this patch removes that link; use two patches`);
    }
    const known = this.#entries.get(real);
    if (known) return known;
    const stat = await this.#files.stat(real);
    const bytes = stat && (await this.#files.read(real));
    const content = bytes && { bytes, document: openDocument(bytes), from: real };
    const entry = new Entry(real, content, stat?.mode);
    this.#entries.set(real, entry);
    return entry;
  }

  /** Notes the removal of `path` if it is a link; what the link points to stays. */
  async removeLink(path: string): Promise<boolean> {
    const { real, name } = await this.#names(path);
    if (real === name) return false;
    this.#removedLinks.add(name);
    return true;
  }

  result() {
    const entries = [...this.#entries.values()];
    return {
      touched: entries.flatMap((entry) => entry.touched() ?? []),
      written: entries.flatMap((entry) => entry.written() ?? []),
      removed: entries.flatMap((entry) => (entry.onDisk && !entry.now ? [entry.path] : [])),
      changes: [
        ...entries.flatMap((entry) => entry.change() ?? []),
        ...[...this.#removedLinks].map((path): FileChange => ({ kind: "remove", path })),
      ],
    };
  }

  async #names(path: string) {
    const real = await this.#files.realPath(path);
    const name = join(await this.#files.realPath(dirname(path)), basename(path));
    return { real, name };
  }
}
