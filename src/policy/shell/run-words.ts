import { applyModel, Found, type Run } from "./apply-model.ts";
import { type Folders, textsOf } from "./effects.ts";
import { MAX_DEPTH, type Place } from "./place.ts";
import type { Effect, Part } from "./reading.ts";
import { Unreadable } from "./syntax.ts";
import { ANY, spell, textValue, type Value } from "./values.ts";
import { MAX_ALTERNATIVES, type State } from "./walk-state.ts";

/** What a text does that another shell is given. */
export type WalkText = (text: string, place: Place) => readonly Part[];

/**
 * One command of known words: what it does, and below which folders the files lie that it prints.
 *
 * @throws Unreadable
 */
export function runWords(
  typed: readonly Value[],
  state: State,
  place: Place,
  {
    depth,
    input,
    walkText,
    folders = state.folders,
  }: {
    readonly depth: number;
    readonly input: readonly string[] | undefined;
    readonly walkText: WalkText;
    readonly folders?: Folders;
  },
): { readonly part: Part; readonly lists: readonly string[] | undefined } {
  const { around, models } = place;
  const words = typed.flatMap((value): readonly Value[] => {
    if (value.kind !== "glob") return [value];
    return (
      textsOf(value, folders, around)
        ?.slice(0, MAX_ALTERNATIVES + 1)
        .map(textValue) ?? [ANY]
    );
  });
  const [name, ...args] = words;
  const make = (found: Pick<Found, "effects" | "inner">): Part => ({
    text: typed.map(spell).join(" "),
    ...(typed.every(({ kind }) => kind === "text") && {
      words: typed.map((value) => (value.kind === "text" ? value.text : "")),
    }),
    effects: found.effects,
    around: [],
    inner: found.inner,
  });
  const only = (effect: Effect) => ({ part: make({ effects: [effect], inner: [] }), lists: undefined });
  if (depth > MAX_DEPTH) throw new Unreadable("it is nested too deep");
  if (name?.kind !== "text" || typed[0]?.kind !== "text")
    return only({ kind: "unknown", concern: "which program it runs is not known" });
  if (depth === 0 && state.functions.has(name.text))
    return { part: make({ effects: [], inner: [] }), lists: undefined };
  const program = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/.exec(name.text)?.[1] ?? name.text;
  const model = models.get(program);
  if (!model) return only({ kind: "execute", concern: `it runs ${spell(name)}, of which nothing is known` });
  if (around.isShadowed(program)) return only({ kind: "execute", concern: `${program} is a file of this project` });
  const run: Run = {
    folders,
    around,
    options: place.options,
    ...(input && { input }),
    readCommand: (inner, at) =>
      runWords(inner, state, place, { depth: depth + 1, input: undefined, walkText, ...(at && { folders: at }) }).part,
    readScript: (text) => walkText(text, { ...place, folders }),
  };
  const found = new Found(run, program, depth > 0);
  applyModel(model, args, found);
  const texts = args.map((arg) => (arg.kind === "text" ? arg.text : undefined));
  const isFilter = texts.every((text) => text !== undefined) && FILTERS.get(program)?.test(texts.join("\n"));
  return { part: make(found), lists: found.lists ?? (isFilter ? input : undefined) };
}

const GREPPING = /^(?:-[vEFi]+\n)*[^-\n][^\n]*$/;
const CUTTING = /^(?:-\d+|-n\n?\d+)?$/;
/** Programs that print lines of their input unchanged, given these arguments and no file. */
const FILTERS: ReadonlyMap<string, RegExp> = new Map([
  ["grep", GREPPING],
  ["egrep", GREPPING],
  ["fgrep", GREPPING],
  ["head", CUTTING],
  ["tail", CUTTING],
  ["sort", /^(?:-[runV]+(?:\n|$))*$/],
  ["uniq", /^(?:-[ui]+(?:\n|$))*$/],
]);
