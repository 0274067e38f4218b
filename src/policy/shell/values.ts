import { quote } from "./quote.ts";
import { type Piece, Unreadable, type Word } from "./syntax.ts";

/** What a word becomes when the shell has expanded it, as far as that can be told beforehand. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  /** The names of the files that fit; `pattern` has a backslash before every character that means itself. */
  | { readonly kind: "glob"; readonly pattern: string; readonly text: string }
  /** A regular file below one of these folders, as written, with the folder in front. */
  | { readonly kind: "under"; readonly folders: readonly string[] }
  /** Anything that begins with `prefix`; none or several words when `many`. */
  | { readonly kind: "any"; readonly prefix: string; readonly many: boolean };

/** The values variables have, one possibility of several. */
export type Lookup = (name: string) => Value | undefined;

export const textValue = (text: string): Value => ({ kind: "text", text });
export const ANY: Value = { kind: "any", prefix: "", many: true };

/**
 * The words that come of one word.
 *
 * @throws Unreadable for what nobody should rely on
 */
export function expandWord(word: Word, lookup: Lookup, home: string): readonly Value[] {
  return expandPieces(word.parts, lookup, home);
}

function expandPieces(pieces: readonly Piece[], lookup: Lookup, home: string): readonly Value[] {
  const at = pieces.findIndex(({ type }) => type === "BraceExpansion");
  if (at >= 0) {
    const brace = pieces[at] as Extract<Piece, { type: "BraceExpansion" }>;
    const found: Value[] = [];
    for (const item of alternatives(brace)) {
      if (item === undefined) return [ANY];
      found.push(...expandPieces([...pieces.slice(0, at), ...item, ...pieces.slice(at + 1)], lookup, home));
      if (found.length > MAX_WORDS) return [ANY];
    }
    return found;
  }
  const [only] = pieces;
  if (pieces.length === 1 && only?.type === "ParameterExpansion" && only.operation === null)
    return splitVariable(only.parameter, lookup);
  const draft = new Draft();
  for (const piece of pieces) addPiece(piece, draft, lookup, home, false);
  return draft.finish();
}

const MAX_WORDS = 256;

/** The values of `$name` without quotes: its value is cut at blanks. */
function splitVariable(name: string, lookup: Lookup): readonly Value[] {
  const value = valueFor(name, lookup);
  if (value === undefined) return [ANY];
  if (value.kind !== "text") return [value.kind === "any" ? { ...value, many: true } : value];
  return value.text
    .split(/[ \t\n]+/)
    .filter(Boolean)
    .map((text): Value => (/[*?[\\]/.test(text) ? { kind: "glob", pattern: text, text } : { kind: "text", text }));
}

/** `$?`, `$#` and `$$` are numbers. */
const valueFor = (name: string, lookup: Lookup): Value | undefined =>
  /^[?#$]$/.test(name) ? textValue("0") : lookup(name);

/** A word as it grows. Once a part is not known, what follows says nothing more about it. */
class Draft {
  #text = "";
  #pattern = "";
  #isGlob = false;
  #open: { many: boolean } | undefined;
  #under: readonly string[] | undefined;
  #isEmpty = true;

  add(text: string, isPattern = false): void {
    if (text !== "") this.#isEmpty = false;
    if (this.#under) this.unknown(false);
    if (this.#open) return;
    this.#text += text;
    this.#pattern += isPattern ? text : text.replace(/[^\w/.-]/g, "\\$&");
    this.#isGlob ||= isPattern;
  }

  addValue(value: Value | undefined, isQuoted: boolean): void {
    if (value === undefined) return this.unknown(!isQuoted);
    if (value.kind === "any") {
      this.add(value.prefix);
      return this.unknown(!isQuoted);
    }
    if (value.kind === "glob") {
      // In quotes the pattern itself is the text.
      if (isQuoted) this.add(value.text);
      else this.add(value.pattern, true);
      return;
    }
    if (value.kind === "under") {
      if (this.#isEmpty && !this.#open) {
        this.#under = value.folders;
        this.#isEmpty = false;
      } else this.unknown(false);
      return;
    }
    if (!isQuoted && /[\s*?[\\]/.test(value.text)) return this.unknown(true);
    this.add(value.text);
  }

  unknown(many: boolean): void {
    this.#isEmpty = false;
    this.#under = undefined;
    this.#open = { many: many || (this.#open?.many ?? false) };
  }

  finish(): readonly Value[] {
    if (this.#open) return [{ kind: "any", prefix: this.#text, many: this.#open.many }];
    if (this.#under) return [{ kind: "under", folders: this.#under }];
    // A lone bracket is the name of a command.
    if (this.#isGlob && /[*?]|\[[\s\S]*\]/.test(this.#text))
      return [{ kind: "glob", pattern: this.#pattern, text: this.#text }];
    return [textValue(this.#text)];
  }
}

function addPiece(piece: Piece, draft: Draft, lookup: Lookup, home: string, isQuoted: boolean): void {
  switch (piece.type) {
    case "Literal":
    case "SingleQuoted":
    case "Escaped":
      return draft.add(piece.value);
    case "DoubleQuoted":
      for (const part of piece.parts) addPiece(part, draft, lookup, home, true);
      return draft.add("");
    case "Glob":
      return isQuoted ? draft.add(piece.pattern) : draft.add(piece.pattern, true);
    case "TildeExpansion":
      return piece.user === null ? draft.add(home) : draft.unknown(false);
    case "ParameterExpansion":
      if (piece.operation === null)
        draft.addValue(valueFor(piece.parameter, lookup), isQuoted && !/^@$|\[@\]/.test(piece.parameter));
      else if (piece.operation.type === "Length") draft.add("0");
      else draft.unknown(!isQuoted);
      return;
    case "ArithmeticExpansion":
      // A number, and perhaps a minus before it.
      return draft.unknown(false);
    case "CommandSubstitution":
      return draft.unknown(!isQuoted);
    case "ProcessSubstitution":
      return draft.add("/dev/fd/63");
    default:
      throw new Unreadable("it holds an expansion that is not read");
  }
}

/** What stands for a brace, one list of pieces for each of its items; undefined for what is not counted out here. */
function alternatives({
  items,
}: Extract<Piece, { type: "BraceExpansion" }>): readonly (readonly Piece[] | undefined)[] {
  return items.flatMap((item): (readonly Piece[] | undefined)[] => {
    if (item.type === "Word") return [item.word.parts];
    const { start, end, step } = item;
    if (
      typeof start !== "number" ||
      typeof end !== "number" ||
      step !== undefined ||
      Math.abs(end - start) > 64 ||
      /^0\d/.test(item.startStr ?? "")
    )
      return [undefined];
    const way = start <= end ? 1 : -1;
    return Array.from({ length: Math.abs(end - start) + 1 }, (_, at) => [
      { type: "Literal" as const, value: String(start + at * way) },
    ]);
  });
}

/** How a value is shown: quoted where a shell would need it, `…` for what is not known. */
export function spell(value: Value): string {
  switch (value.kind) {
    case "text":
      return quote(value.text);
    case "glob":
      return value.text;
    case "under":
      return `${value.folders[0] ?? ""}/…`;
    case "any":
      return `${value.prefix}…`;
  }
}
