import type { Model, Subcommand, ValueKind } from "../models/model.ts";
import { type Options, optionsOf } from "../models/options.ts";
import { whyAwk, whyJq, whySed } from "../models/programs.ts";
import { type Deep, type Folders, fileEffects, holdsLinks, textsOf } from "./effects.ts";
import { whyGitRuns } from "./git-settings.ts";
import { isSecret } from "./protected-paths.ts";
import { READERS } from "./readers.ts";
import type { Effect, Part } from "./reading.ts";
import type { Surroundings } from "./surroundings.ts";
import { spell, textValue, type Value } from "./values.ts";

/** What a model needs to know about the place a command runs in. */
export interface Run {
  readonly folders: Folders;
  readonly around: Surroundings;
  readonly options: Map<object, Options>;
  /** Files that the command is given as words on its input, by find. */
  readonly input?: readonly string[];
  readCommand(words: readonly Value[], folders?: Folders): Part;
  readScript(text: string): readonly Part[];
}

/** Collects what a command does. */
export class Found {
  readonly effects: Effect[] = [];
  readonly inner: Part[] = [];
  /** Below which folders the regular files lie that it prints, one a line. */
  lists: readonly string[] | undefined;
  readonly run: Run;
  readonly name: string;

  /** It is run by another command: its words are cut at blanks where the shell itself would not do so. */
  readonly isWrapped: boolean;

  constructor(run: Run, name: string, isWrapped: boolean) {
    this.run = run;
    this.name = name;
    this.isWrapped = isWrapped;
  }

  ask(concern: string, kind: Effect["kind"] = "unknown"): void {
    this.effects.push({ kind, concern });
  }

  file(kind: "read" | "list" | "write" | "delete", value: Value, deep: Deep = false): void {
    if (value.kind === "text" && value.text === "-") return;
    this.effects.push(...fileEffects(kind, value, deep, this.run.folders, this.run.around));
  }

  command(words: readonly Value[], folders?: Folders): void {
    if (words.length > 0) this.inner.push(this.run.readCommand(words, folders));
  }

  script(value: Value): void {
    if (value.kind === "text" && (this.name === "bash" || !BASH_ONLY.test(value.text)))
      this.inner.push(...this.run.readScript(value.text));
    else if (value.kind === "text") this.ask(`${this.name} may read the shell text in another way`, "execute");
    else this.ask("it runs a shell text that only running it tells", "execute");
  }
}

/** What other shells take for something else: `((a))` is two subshells in one of them. */
const BASH_ONLY = /(?<!\$)\(\(|\[\[|\$['"]|&>|\|&|<<<|[<>]\(|\bfunction\b/;

/** Reads the words after the name. */
export function applyModel(model: Model | Subcommand, words: readonly Value[], found: Found): void {
  const [only] = words;
  if (words.length === 1 && only?.kind === "text" && optionsFor(model, found).about.has(only.text)) return;
  if (model.literal) return applyLiteral(model, words, found);
  for (const effect of model.effects ?? []) addFixed(effect, found);
  if (model.reader) return READERS[model.reader](words, found);
  const reading = readOptions(model, words, found);
  if (reading === undefined) return;
  const { operands, deep, hidden, isFirstGiven } = reading;
  if (model.subcommands) return applySubcommand(model, operands, found);
  applyOperands(model, operands, found, {
    deep: deep && model.skipsHidden && !hidden ? "visible" : deep,
    isFirstGiven,
  });
}

function applyLiteral(model: Model | Subcommand, words: readonly Value[], found: Found): void {
  const [first] = words;
  const subcommand =
    first?.kind === "text" && model.subcommands && Object.hasOwn(model.subcommands, first.text)
      ? model.subcommands[first.text]
      : undefined;
  if (subcommand) return applyModel(subcommand, words.slice(1), found);
  for (const effect of model.effects ?? []) addFixed(effect, found);
}

function addFixed({ kind, concern }: NonNullable<Model["effects"]>[number], found: Found): void {
  if (kind !== "git") return found.ask(concern, kind);
  const { folders, around } = found.run;
  const reason = whyGitRuns(folders, around);
  if (reason !== undefined) found.ask(reason, "execute");
}

function applySubcommand(model: Model | Subcommand, operands: readonly Value[], found: Found): void {
  const [first, ...rest] = operands;
  if (first === undefined) return model.bare ? addFixed(model.bare, found) : undefined;
  const subcommands = model.subcommands ?? {};
  const subcommand =
    first.kind === "text" && Object.hasOwn(subcommands, first.text) ? subcommands[first.text] : undefined;
  if (subcommand) return applyModel(subcommand, rest, found);
  if (model.operands) return applyOperands(model, operands, found, { deep: false, isFirstGiven: false });
  found.ask(`what "${found.name} ${spell(first)}" does is not known`);
}

function optionsFor(model: Model | Subcommand, { run }: Found): Options {
  let options = run.options.get(model);
  if (!options) {
    options = optionsOf(model);
    run.options.set(model, options);
  }
  return options;
}

interface ReadOptions {
  readonly operands: readonly Value[];
  readonly deep: boolean;
  readonly hidden: boolean;
  readonly isFirstGiven: boolean;
}

/** Undefined when a word is not known: then that was said. */
function readOptions(model: Model | Subcommand, words: readonly Value[], found: Found): ReadOptions | undefined {
  const options = optionsFor(model, found);
  const state = { operands: [] as Value[], deep: model.deep ?? false, hidden: false, isFirstGiven: false };
  // A command, or a sub-command, begins at an operand: what follows is its own.
  const commandAt = model.subcommands ? 0 : (model.operands?.indexOf("command") ?? -1);
  const use = (name: string) => {
    state.deep ||= options.deep.has(name);
    state.hidden ||= options.hidden.has(name);
    state.isFirstGiven ||= options.first.has(name);
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (commandAt >= 0 && state.operands.length > commandAt - (state.isFirstGiven ? 1 : 0)) {
      state.operands.push(...words.slice(at));
      break;
    }
    if (!mayBeOption(word, found)) {
      state.operands.push(word);
      continue;
    }
    if (word.kind !== "text") {
      found.ask(`${spell(word)} may be an option`);
      return undefined;
    }
    const { text } = word;
    if (text === "--") {
      state.operands.push(...words.slice(at + 1));
      break;
    }
    if (model.numbers && /^-\d+$/.test(text)) continue;
    const taken = text.startsWith("--") ? takeLong(text, words[at + 1]) : takeShort(text, words[at + 1]);
    if (taken === undefined) return undefined;
    at += taken;
  }
  return state;

  /** How many words more it took. */
  function takeLong(text: string, next: Value | undefined): number | undefined {
    const equals = text.indexOf("=");
    const name = equals < 0 ? text : text.slice(0, equals);
    const kind = options.kinds.get(name);
    if (kind === undefined) return unknown(name);
    use(name);
    if (kind === "flag") return 0;
    if (equals >= 0) return take(kind, name, textValue(text.slice(equals + 1)), 0);
    return take(kind, name, next, 1);
  }

  function takeShort(text: string, next: Value | undefined): number | undefined {
    for (let at = 1; at < text.length; at++) {
      const name = `-${text[at]}`;
      const kind = options.kinds.get(name);
      if (kind === undefined) return unknown(name);
      use(name);
      if (kind === "flag") continue;
      return at + 1 < text.length ? take(kind, name, textValue(text.slice(at + 1)), 0) : take(kind, name, next, 1);
    }
    return 0;
  }

  function take(kind: ValueKind, name: string, value: Value | undefined, count: number): number | undefined {
    if (value === undefined) {
      found.ask(`${name} has no value`);
      return undefined;
    }
    if (value.kind === "any" && value.many) {
      found.ask(`the value of ${name} is not known`);
      return undefined;
    }
    state.hidden ||= options.globs.has(name) && !(value.kind === "text" && SHOWN.test(value.text));
    if (kind === "ask") found.ask(`with ${name} it may do more than its name says`);
    else applyValue(kind, value, found, false);
    return count;
  }

  function unknown(name: string): undefined {
    found.ask(`what ${name} does is not known`);
    return undefined;
  }
}

/** Leaves files out, or fits only such as no secret file that begins with a dot is called. */
const SHOWN =
  /^!|^(?:[^[\]]*[\w*])?\.(?:tsx?|jsx?|[cm][jt]s|py|rs|go|java|kts?|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|mdx?|css|scss|html|vue|svelte|sql|\{(?:[cm]?[jt]sx?,?)+\})$|^(?:[jt]s|py|python|typescript|rust|go|java|kotlin|c|cpp|cs|html|css|md|markdown|ruby|php|swift|scala|sql|vue|svelte)$/;

/** A glob's files may have names that look like options. */
function mayBeOption(word: Value, { run }: Found): boolean {
  if (word.kind === "text") return word.text.length > 1 && word.text.startsWith("-");
  if (word.kind === "any") return word.many || word.prefix === "" || word.prefix.startsWith("-");
  const texts = textsOf(word, run.folders, run.around);
  return texts === undefined
    ? !/^[\w./]/.test(word.kind === "glob" ? word.pattern : "")
    : texts.some((text) => text.startsWith("-"));
}

function applyOperands(
  model: Model | Subcommand,
  given: readonly Value[],
  found: Found,
  { deep, isFirstGiven }: { readonly deep: Deep; readonly isFirstGiven: boolean },
): void {
  const kinds = isFirstGiven ? (model.operands ?? []).slice(1) : (model.operands ?? []);
  const commandAt = kinds.indexOf("command");
  const isOpen = given.some((value) => value.kind === "any" && value.many);
  for (const [at, value] of given.entries()) {
    if (commandAt >= 0 && at >= commandAt) {
      found.command(given.slice(at));
      return;
    }
    const isLast = model.last !== undefined && at === given.length - 1 && (given.length > 1 || value.kind === "any");
    const kind = isLast ? model.last : (kinds[at] ?? kinds.at(-1));
    // Words that may be several move the ones after them to another place.
    if (isOpen && new Set([...kinds, model.last]).size > 1 && model.operands?.some((each) => each !== "text")) {
      if (kinds.some((each) => each !== "text")) found.ask("which of its arguments is which is not known");
    }
    if (kind === undefined) found.ask(`what the argument ${spell(value)} is for is not known`);
    else applyValue(kind, value, found, deep);
    if (deep && model.followsLinks && holdsLinks(value, found.run.folders, found.run.around))
      found.ask(`a link below ${spell(value)} may lead anywhere`, "read");
  }
  if (given.length === 0 && model.bare && !isFirstGiven) addFixed(model.bare, found);
  const patterns = kinds.filter((kind) => PATTERNS.has(kind)).length;
  if (
    model.otherwise !== undefined &&
    given.length <= patterns &&
    (deep !== false || model.operands?.at(-1) === "list")
  )
    applyValue(kinds.at(-1) ?? "list", textValue(model.otherwise), found, deep);
}

const PATTERNS = new Set<ValueKind>(["text", "sed", "awk", "jq"]);

/** What a value is for, done. */
function applyValue(kind: ValueKind, value: Value, found: Found, deep: Deep): void {
  switch (kind) {
    case "text":
    case "host":
    case "process":
      return;
    case "read":
    case "list":
    case "write":
    case "delete":
      return found.file(kind, value, deep);
    case "move":
      found.file("delete", value, true);
      return;
    case "code":
      return found.ask(`it runs code: ${spell(value).slice(0, 60)}`, "execute");
    case "script":
      found.file("read", value);
      return found.ask(`it runs ${spell(value).slice(0, 60)}`, "execute");
    case "shell":
      return found.script(value);
    case "command":
      return found.command([value]);
    case "sed":
      return askIf(value, whySed, "a sed script", found);
    case "awk":
      return askIf(value, whyAwk, "an awk program", found);
    case "jq":
      return askIf(value, whyJq, "a filter", found);
    case "revision":
      return applyRevision(value, found);
    case "variable":
      if (value.kind !== "text" || !/^[a-z_]\w*$/.test(value.text))
        found.ask(`it changes the variable ${spell(value)}`, "state");
      return;
    case "document":
      if (spell(value).includes(":")) found.ask(`${spell(value)} may be on another machine`, "network");
      return found.file("read", value);
    case "date":
      if (value.kind !== "text" || !value.text.startsWith("+")) found.ask(`it may set the clock to ${spell(value)}`);
      return;
    case "ps":
      if (value.kind !== "text" || !/^[aAdfhjlrTuvwx]+$/.test(value.text))
        found.ask("it may show the environment of programs");
      return;
    case "ask":
      return found.ask(`what the argument ${spell(value)} is for is not known`);
  }
}

function askIf(value: Value, why: (text: string) => string | undefined, name: string, found: Found): void {
  const problem = value.kind === "text" ? why(value.text) : `it is given ${name} that only running it tells`;
  if (problem !== undefined) found.ask(problem, "execute");
}

/** A commit, a range, a path in a commit or a path. Outside the repository git reads files as they are. */
function applyRevision(value: Value, found: Found): void {
  const { run } = found;
  const texts = textsOf(value, run.folders, run.around);
  if (texts === undefined) return found.ask("it shows a file that only running it tells", "read");
  for (const text of texts) {
    const path = text.slice(text.lastIndexOf(":") + 1);
    if (isSecret(`/${path}`)) found.ask(`it shows ${path}, which may hold secrets`, "read");
    if (text.startsWith("/") || text.startsWith(":") || /(?:^|\/)\.\.(?:\/|$)/.test(text) || text.startsWith("~"))
      found.file("read", textValue(text));
    else if (/[./]/.test(text) && !text.includes("..")) found.file("list", textValue(text));
  }
}
