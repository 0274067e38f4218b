import { ENCODING_NAMES, nameCharacter, unencodable } from "../text/text-encoding.ts";
import { closestLine, findBlock, findHeader, standsAt } from "./find-lines.ts";
import { type Chunk, type PatchLine, PatchProblem } from "./patch-parse.ts";
import { type DocumentLine, newLine, type TextDocument } from "./text-document.ts";

export interface Updated {
  readonly document: TextDocument;
  /** 1-based lines of the opened file that the chunks name or stand beside. */
  readonly touched: readonly number[];
}

/**
 * The chunks of one Update applied in order, each below the one before it when it fits there (aura 3.2, 3.6). Context
 * lines keep the file's bytes. Throws PatchProblem naming `path`, the chunk and what to do.
 */
export function applyChunks(document: TextDocument, chunks: readonly Chunk[], path: string): Updated {
  const touched = new Set<number>();
  let now = document;
  let cursor = 0;
  chunks.forEach((chunk, index) => {
    const name = `Update File ${path}, chunk ${index + 1} of ${chunks.length}`;
    const place = findPlace(now, chunk, cursor, name);
    for (const line of place.beside) if (line.origin > 0) touched.add(line.origin);
    const replacement = rewrite(now, place);
    checkEncodable(replacement, now, name);
    now = splice(now, chunk, place, replacement);
    cursor = place.at + replacement.length;
  });
  return { document: now, touched: [...touched].sort((a, b) => a - b) };
}

/** Where a chunk goes. */
interface Place {
  /** 0-based index of the first line it names, or before which it inserts. */
  readonly at: number;
  /** The chunk's lines, without the empty edges the file does not have. */
  readonly lines: readonly PatchLine[];
  /** The lines a person must know to make this change. */
  readonly beside: readonly DocumentLine[];
}

function findPlace(document: TextDocument, chunk: Chunk, cursor: number, name: string): Place {
  const texts = document.lines.map((line) => line.text);
  // Further up only when nothing fits below the chunk before.
  for (const from of cursor > 0 ? [cursor, 0] : [0]) {
    const header = followHeaders(texts, chunk.headers, from);
    if (header === "missing") continue;
    for (const { lines, atEnd } of variants(chunk)) {
      const old = lines.filter((line) => line.kind !== "add").map((line) => line.text);
      const at =
        old.length === 0
          ? insertionPoint(document, chunk, header)
          : findOld({ document, texts, chunk, atEnd, name }, old, header === undefined ? from : header + 1);
      if (at === undefined) continue;
      const beside = old.length > 0 ? document.lines.slice(at, at + old.length) : besideInsertion(document, chunk, at);
      return { at, lines, beside };
    }
  }
  throw new PatchProblem(explain(texts, chunk, cursor, name));
}

/** The line of the last header, each looked for below the one before it; undefined without headers. */
function followHeaders(
  texts: readonly string[],
  headers: readonly string[],
  from: number,
): number | undefined | "missing" {
  let at: number | undefined;
  for (const header of headers) {
    const next = findHeader(texts, header, at === undefined ? from : at + 1);
    if (next === undefined) return "missing";
    at = next;
  }
  return at;
}

interface Variant {
  readonly lines: readonly PatchLine[];
  /** Only fits at the end of the file. */
  readonly atEnd: boolean;
}

/** The lines as they are, then without empty context at the edges, which models add as air. */
function variants({ lines, atEnd }: Chunk): Variant[] {
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from]?.bare) from++;
  while (to > from && isAir(lines[to - 1])) to--;
  const spans = new Map(
    [0, from].flatMap((start) => [lines.length, to].map((end) => [`${start} ${end}`, [start, end]])),
  );
  const all = [...spans.values()].map((span): Variant => ({ lines: lines.slice(...span), atEnd }));
  // Read shows an empty line after the last line end, and so a patch may name it above what it appends.
  const lastOld = lines.findLastIndex((line) => line.kind !== "add");
  if (isAir(lines[lastOld])) all.push({ lines: lines.toSpliced(lastOld, 1), atEnd: true });
  return all.filter((variant) => variant.lines.length > 0);
}

const isAir = (line: PatchLine | undefined) => line?.kind === "context" && line.text === "";

interface Search {
  readonly document: TextDocument;
  readonly texts: readonly string[];
  readonly chunk: Chunk;
  readonly atEnd: boolean;
  readonly name: string;
}

function findOld(
  { document, texts, chunk, atEnd, name }: Search,
  old: readonly string[],
  from: number,
): number | undefined {
  if (atEnd) return endPositions(texts, old).find((at) => standsAt(texts, old, at));
  const hasHeader = chunk.headers.length > 0;
  const found =
    findBlock(texts, old, from) ??
    // A header line is often repeated as the first diff line.
    (hasHeader ? findBlock(texts, old, Math.max(0, from - old.length)) : undefined);
  const first = found?.at[0];
  if (!found || first === undefined || found.at.length === 1) return first;
  if (chunk.hint) return nearest(document, found.at, chunk.hint.start);
  if (found.fuzzy && !hasHeader) {
    const places = found.at
      .slice(0, 5)
      .map((at) => at + 1)
      .join(", ");
    throw new PatchProblem(
      `${name}: its lines match only roughly, and equally well at lines ${places}. ` +
        "Copy the lines exactly as Read shows them, or add an '@@' line naming the place above.",
    );
  }
  return first;
}

/** At the end of the file, and at the end without its empty last lines. */
function endPositions(texts: readonly string[], old: readonly string[]): number[] {
  const positions: number[] = [];
  for (let end = texts.length; end >= 0; end--) {
    positions.push(end - old.length);
    if (texts[end - 1]?.trim() !== "") break;
  }
  return positions;
}

function nearest(document: TextDocument, places: readonly number[], line: number): number | undefined {
  const distance = (at: number) => Math.abs((document.lines[at]?.origin || at + 1) - line);
  return [...places].sort((a, b) => distance(a) - distance(b))[0];
}

/** Where a chunk without old lines inserts; undefined when nothing says where. */
function insertionPoint(document: TextDocument, chunk: Chunk, header: number | undefined): number | undefined {
  const { lines } = document;
  if (chunk.atEnd || lines.length === 0) return lines.length;
  if (header !== undefined) return header + 1;
  if (chunk.hint?.count !== 0) return undefined;
  if (chunk.hint.start === 0) return 0;
  const above = lines.findIndex((line) => line.origin === chunk.hint?.start);
  return above < 0 ? undefined : above + 1;
}

function besideInsertion({ lines }: TextDocument, chunk: Chunk, at: number): readonly DocumentLine[] {
  return chunk.atEnd ? [] : lines.slice(Math.max(0, at - 1), at);
}

/** The lines that stand where the chunk's old lines stood. */
function rewrite(document: TextDocument, { at, lines }: Place): DocumentLine[] {
  const result: DocumentLine[] = [];
  let removed: DocumentLine[] = [];
  let added: string[] = [];
  let index = at;
  const settle = () => {
    result.push(...exchange(removed, added, document));
    removed = [];
    added = [];
  };
  for (const line of lines) {
    const old = line.kind === "add" ? undefined : document.lines[index++];
    if (line.kind === "add") added.push(line.text);
    else if (line.kind === "remove" && old) removed.push(old);
    else if (old) {
      settle();
      result.push(old);
    }
  }
  settle();
  return result;
}

/** `added` in place of `removed`, but a line put back as it was keeps its bytes. */
function exchange(removed: readonly DocumentLine[], added: readonly string[], document: TextDocument): DocumentLine[] {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head]?.text === added[head]) head++;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail)?.text === added.at(-1 - tail)) tail++;
  return [
    ...removed.slice(0, head),
    ...added.slice(head, added.length - tail).map((text) => newLine(text, document)),
    ...removed.slice(removed.length - tail),
  ];
}

function splice(
  document: TextDocument,
  chunk: Chunk,
  place: Place,
  replacement: readonly DocumentLine[],
): TextDocument {
  const old = place.lines.filter((line) => line.kind !== "add").length;
  const lines = [...document.lines.slice(0, place.at), ...replacement, ...document.lines.slice(place.at + old)];
  const reachesEnd = place.at + old === document.lines.length;
  const finalNewline = reachesEnd && chunk.finalNewline !== undefined ? chunk.finalNewline : document.finalNewline;
  return { ...document, lines, finalNewline };
}

function checkEncodable(lines: readonly DocumentLine[], { encoding }: TextDocument, name: string) {
  for (const line of lines) {
    const character = line.origin === 0 ? unencodable(line.text, encoding) : undefined;
    if (character === undefined) continue;
    throw new PatchProblem(
      `${name}: the file is ${ENCODING_NAMES[encoding]}, which cannot hold ${nameCharacter(character)}. ` +
        "Write that text without it.",
    );
  }
}

/** Why nothing was found, with the closest there is. */
function explain(texts: readonly string[], chunk: Chunk, cursor: number, name: string): string {
  const left =
    chunk.skipped === undefined
      ? ""
      : ` Patch line ${chunk.skipped} begins with none of ' ', '+', '-' and was left out.`;
  const missing = missingHeader(texts, chunk.headers);
  if (missing !== undefined) {
    return `${name}: finding context "${missing}": no line of the file holds it.${closest(texts, missing)} Use a line that is in the file after '@@'.${left}`;
  }
  const old = chunk.lines.filter((line) => line.kind !== "add").map((line) => line.text);
  if (old.length === 0) {
    return `${name}: it only adds lines and does not say where. Put the line above them as context (' line') or after '@@', or '*** End of File' below to append.${left}`;
  }
  const wanted = old.join("\n").slice(0, 100);
  return `${name}: finding lines to replace:\n${wanted}\n${difference(texts, chunk, old)}${applied(texts, chunk, cursor)}${left}`;
}

function missingHeader(texts: readonly string[], headers: readonly string[]): string | undefined {
  const count = headers.findIndex((_, index) => followHeaders(texts, headers.slice(0, index + 1), 0) === "missing");
  return headers[count];
}

/** How the best candidate differs. */
function difference(texts: readonly string[], chunk: Chunk, old: readonly string[]): string {
  const elsewhere = chunk.atEnd || chunk.headers.length > 0 ? findBlock(texts, old, 0)?.at[0] : undefined;
  if (elsewhere !== undefined) {
    const why = chunk.atEnd
      ? "not at the end of the file: leave out '*** End of File'"
      : "above the '@@' line: correct it";
    return `They stand at line ${elsewhere + 1}, ${why}.`;
  }
  const { count, at } = longestBeginning(texts, old);
  if (count > 0) {
    const line = at + count;
    const has = line < texts.length ? `has ${quote(texts[line] ?? "")}` : "has ended";
    return `The first ${count === 1 ? "line is" : `${count} lines are`} at line ${at + 1}, but then line ${line + 1} ${has} and the patch ${quote(old[count] ?? "")}. Correct the patch from what Read shows.`;
  }
  return `None of it is in the file.${closest(texts, old.find((line) => line.trim() !== "") ?? "")} Correct the patch from what Read shows.`;
}

/** How many of the first lines of `old` stand together somewhere, and where. */
function longestBeginning(texts: readonly string[], old: readonly string[]): { count: number; at: number } {
  let best = { count: 0, at: 0 };
  for (let low = 1, high = old.length - 1; low <= high; ) {
    const count = (low + high) >> 1;
    const at = findBlock(texts, old.slice(0, count), 0)?.at[0];
    if (at === undefined) high = count - 1;
    else {
      best = { count, at };
      low = count + 1;
    }
  }
  return best;
}

function applied(texts: readonly string[], chunk: Chunk, cursor: number): string {
  const next = chunk.lines.filter((line) => line.kind !== "remove").map((line) => line.text);
  if (!chunk.lines.some((line) => line.kind === "add")) return "";
  const at = (findBlock(texts, next, cursor) ?? findBlock(texts, next, 0))?.at[0];
  return at === undefined ? "" : ` The new lines are already at line ${at + 1}: this change may have been made before.`;
}

function closest(texts: readonly string[], wanted: string): string {
  const at = closestLine(texts, wanted);
  return at === undefined ? "" : ` The closest line is ${at + 1}: ${quote(texts[at] ?? "")}.`;
}

const quote = (line: string) => JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}…` : line);
