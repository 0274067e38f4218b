/**
 * Patch text → operations; pure. The grammar is the one of aura 3.1 with the corrections of 3.6: what follows a space,
 * `+` or `-` is always content. Every step of the one loop takes one line, so parsing ends after as many steps as there
 * are lines.
 */

export interface PatchLine {
  readonly kind: "context" | "remove" | "add";
  readonly text: string;
  /** A completely empty line, which a model may have meant as a separator. */
  readonly bare?: true;
}

export interface Chunk {
  /** Texts of the `@@` lines before the chunk, outermost first. */
  readonly headers: readonly string[];
  /** From `@@ -start,count +… @@`: where the lines were, before this patch. */
  readonly hint?: { readonly start: number; readonly count: number };
  readonly lines: readonly PatchLine[];
  /** Followed by `*** End of File`. */
  readonly atEnd: boolean;
  /** Whether the file shall end with a line ending, when `\ No newline at end of file` says so. */
  readonly finalNewline?: boolean;
  /** 1-based patch line before the chunk that begins with none of space, `+`, `-`, and so was left out. */
  readonly skipped?: number;
}

export type Operation =
  | { readonly kind: "add"; readonly path: string; readonly lines: readonly string[]; readonly finalNewline: boolean }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "update"; readonly path: string; readonly moveTo?: string; readonly chunks: readonly Chunk[] };

/** What is wrong with a patch, worded for the model. */
export class PatchProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PatchProblem";
  }
}

/** Throws PatchProblem, and nothing else. */
export function parsePatch(text: string): Operation[] {
  const lines = text.split(/\r?\n/);
  const begin = lines.find((line) => line.trim().startsWith(BEGIN));
  if (begin === undefined)
    throw new PatchProblem(`no '${BEGIN}' marker found: wrap the patch in '${BEGIN}' and '${END}'`);
  const parse = new Parse();
  // A patch indented as a whole, as in a heredoc, is read as if it were not.
  const indent = begin.slice(0, begin.length - begin.trimStart().length);
  lines.forEach((line, index) => {
    parse.take(line.startsWith(indent) ? line.slice(indent.length) : line, index + 1);
  });
  const operations = parse.end();
  if (operations.length === 0) {
    throw new PatchProblem(
      "no operations found in patch: use '*** Add File: ', '*** Update File: ' or '*** Delete File: '",
    );
  }
  return operations;
}

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const UNIFIED_HEADER = /^@@ -(\d+)(?:,(\d+))?(?: \+\d+(?:,\d+)?)?(?: @@|\s*$)/;

interface DraftChunk {
  headers: string[];
  hint?: { start: number; count: number };
  lines: PatchLine[];
  atEnd: boolean;
  finalNewline?: boolean;
  skipped?: number;
  /** Nothing more may join it. */
  closed: boolean;
  /** The patch line that closed it by being no diff line. */
  closedBy?: number;
}
type Draft =
  | { kind: "add"; path: string; lines: string[]; blanks: number; finalNewline: boolean; skipped?: number }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; moveTo?: string; chunks: DraftChunk[] };

/** The state between two lines. */
class Parse {
  #drafts: Draft[] = [];
  #current: Draft | undefined;
  #inside = false;

  take(line: string, number: number) {
    // Only a marker at the line's start is one: an indented look-alike is content or prose.
    const marker = this.#markerOf(line);
    if (marker.startsWith(BEGIN)) this.#openBlock(true);
    else if (!this.#inside) return;
    else if (marker.startsWith(END)) this.#openBlock(false);
    else if (!this.#open(marker, number) && this.#current) this.#takeBody(this.#current, line, marker, number);
  }

  end(): Operation[] {
    return this.#drafts.map(finish);
  }

  #openBlock(inside: boolean) {
    this.#inside = inside;
    this.#current = undefined;
  }

  /** The line as a `*** ` marker, or "". In an Update a leading space makes it content. */
  #markerOf(line: string): string {
    const trimmed = this.#inside && this.#current?.kind === "update" ? line.trimEnd() : line.trim();
    return trimmed.startsWith("*** ") ? trimmed : "";
  }

  #open(marker: string, number: number): boolean {
    const file = /^\*\*\* (Add|Delete|Update) File:(.*)$/.exec(marker);
    if (!file) return false;
    const path = (file[2] ?? "").trim();
    if (path === "") throw new PatchProblem(`patch line ${number}: '${marker}' names no path`);
    this.#current =
      file[1] === "Add"
        ? { kind: "add", path, lines: [], blanks: 0, finalNewline: true }
        : file[1] === "Delete"
          ? { kind: "delete", path }
          : { kind: "update", path, chunks: [] };
    this.#drafts.push(this.#current);
    return true;
  }

  #takeBody(draft: Draft, line: string, marker: string, number: number) {
    if (draft.kind === "add") takeAddLine(draft, line, marker, number);
    if (draft.kind === "update") takeUpdateLine(draft, line, marker, number);
  }
}

function takeAddLine(draft: Draft & { kind: "add" }, line: string, marker: string, number: number) {
  if (marker !== "") return;
  if (isNoNewline(line)) {
    draft.finalNewline = false;
  } else if (line === "") {
    draft.blanks++;
  } else if (line.startsWith("+")) {
    // Empty lines count once something follows: those before the next marker only separate.
    for (; draft.blanks > 0; draft.blanks--) draft.lines.push("");
    draft.lines.push(line.slice(1));
  } else if (!line.startsWith("```")) {
    draft.skipped ??= number;
  }
}

function takeUpdateLine(draft: Draft & { kind: "update" }, line: string, marker: string, number: number) {
  const last = draft.chunks.at(-1);
  if (marker.startsWith("*** Move to:")) {
    const moveTo = marker.slice("*** Move to:".length).trim();
    if (moveTo === "") throw new PatchProblem(`patch line ${number}: '${marker}' names no path`);
    draft.moveTo = moveTo;
  } else if (marker.startsWith("*** End of File")) {
    const chunk = last && !last.closed ? last : addChunk(draft);
    chunk.atEnd = true;
    chunk.closed = true;
  } else if (line.startsWith("@@")) {
    takeHeader(draft, line);
  } else if (isNoNewline(line)) {
    if (last) noteNoNewline(last);
  } else {
    const content = contentOf(line);
    if (!content) {
      if (last && last.lines.length > 0) {
        last.closed = true;
        last.closedBy ??= number;
      }
    } else if (!content.bare || (last && !last.closed)) {
      (last && !last.closed ? last : addChunk(draft)).lines.push(content);
    }
  }
}

function addChunk(draft: Draft & { kind: "update" }): DraftChunk {
  const skipped = draft.chunks.at(-1)?.closedBy;
  const chunk: DraftChunk = { headers: [], lines: [], atEnd: false, closed: false, ...(skipped ? { skipped } : {}) };
  draft.chunks.push(chunk);
  return chunk;
}

/** A header directly below another one narrows it; below diff lines it opens the next chunk. */
function takeHeader(draft: Draft & { kind: "update" }, line: string) {
  const last = draft.chunks.at(-1);
  const isOpen = last !== undefined && !last.closed && last.lines.every((known) => known.bare);
  const chunk = isOpen ? last : addChunk(draft);
  chunk.lines.length = 0;
  const unified = UNIFIED_HEADER.exec(line);
  if (unified) chunk.hint = { start: Number(unified[1]), count: Number(unified[2] ?? 1) };
  else {
    // `@@ text @@` is a habit from unified diffs.
    const context = line
      .slice(2)
      .trim()
      .replace(/\s+@@$/, "");
    if (context !== "" && context !== "@@") chunk.headers.push(context);
  }
}

function contentOf(line: string): PatchLine | undefined {
  if (line === "") return { kind: "context", text: "", bare: true };
  const kind = line[0] === "+" ? "add" : line[0] === "-" ? "remove" : line[0] === " " ? "context" : undefined;
  return kind && { kind, text: line.slice(1) };
}

/** The marker of unified diffs: it speaks about the line before it. */
const isNoNewline = (line: string) => line.startsWith("\\ No newline");

function noteNoNewline(chunk: DraftChunk) {
  const above = chunk.lines.at(-1)?.kind;
  if (above === "add") chunk.finalNewline = false;
  // The old text had none; a new text that does not say the same has one.
  if (above === "remove") chunk.finalNewline = true;
}

function finish(draft: Draft): Operation {
  if (draft.kind === "delete") return draft;
  if (draft.kind === "add") {
    const { kind, path, lines, finalNewline, skipped } = draft;
    if (lines.length === 0 && skipped) {
      throw new PatchProblem(
        `Add File ${path}: patch line ${skipped} does not begin with '+'; every line of the new file must`,
      );
    }
    return { kind, path, lines, finalNewline };
  }
  const chunks = draft.chunks.map(withoutSeparators).filter((chunk) => chunk.lines.length > 0);
  return { kind: "update", path: draft.path, chunks, ...(draft.moveTo === undefined ? {} : { moveTo: draft.moveTo }) };
}

/** Empty lines between a chunk and the marker after it are not context. */
function withoutSeparators({ closed: _closed, closedBy: _by, ...chunk }: DraftChunk): Chunk {
  const lines = [...chunk.lines];
  while (lines.at(-1)?.bare) lines.pop();
  return { ...chunk, lines };
}
