import type { Surroundings } from "./surroundings.ts";
import type { Piece, Word } from "./syntax.ts";
import { expandWord, type Lookup, textValue, type Value } from "./values.ts";
import type { Variables } from "./variables.ts";
import { MAX_ALTERNATIVES, type State } from "./walk-state.ts";

interface Known {
  readonly survey: Variables;
  readonly around: Surroundings;
}

/** The words of a command, for every combination of the values its variables may have. */
export function alternativesOf(words: readonly Word[], state: State, known: Known): readonly (readonly Value[])[] {
  const names = new Set<string>();
  for (const word of words) collectNames(word.parts, names);
  if (names.size === 0) return [expandWords(words, known.around.home)];
  let choices: ReadonlyMap<string, Value>[] = [new Map()];
  for (const name of names) {
    const values = valuesOf(name, state, known);
    if (!values) continue;
    if (choices.length * values.length > MAX_ALTERNATIVES) return [expandWords(words, known.around.home)];
    choices = choices.flatMap((choice) => values.map((value) => new Map([...choice, [name, value]])));
  }
  return choices.map((choice) => expandWords(words, known.around.home, (name) => choice.get(name)));
}

export function expandWords(words: readonly Word[], home: string, lookup: Lookup = () => undefined): readonly Value[] {
  return words.flatMap((word) => expandWord(word, lookup, home));
}

function valuesOf(name: string, state: State, { survey, around }: Known): readonly Value[] | undefined {
  if (survey.isOpen || survey.inFunctions.has(name)) return undefined;
  // The shell itself sets this one, to the last word of each command.
  const known = name === "_" ? undefined : state.variables.get(name);
  if (known) return known;
  if (name === "HOME") return [textValue(around.home)];
  const [folder] = state.folders;
  return name === "PWD" && state.folders.length === 1 && folder !== undefined ? [textValue(folder)] : undefined;
}

function collectNames(pieces: readonly Piece[], names: Set<string>): void {
  for (const piece of pieces) {
    if (piece.type === "ParameterExpansion" && piece.operation === null && /^[A-Za-z_]\w*$/.test(piece.parameter))
      names.add(piece.parameter);
    if (piece.type === "DoubleQuoted") collectNames(piece.parts, names);
    if (piece.type === "BraceExpansion")
      for (const item of piece.items) if (item.type === "Word") collectNames(item.word.parts, names);
  }
}
