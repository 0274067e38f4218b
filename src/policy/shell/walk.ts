import { wordsOf } from "./ast-findings.ts";
import { changeState, foldersAfter, forget, isMoving } from "./change-state.ts";
import { type Folders, fileEffects, textsOf } from "./effects.ts";
import { MAX_DEPTH, type Place } from "./place.ts";
import { isPlainVariable, isTelling } from "./readers.ts";
import type { Effect, Part } from "./reading.ts";
import { runWords } from "./run-words.ts";
import {
  type Arithmetic,
  type Assignment,
  type Command,
  type Condition,
  type Piece,
  type Redirection,
  type Script,
  type SimpleCommand,
  type Statement,
  Unreadable,
  type Word,
} from "./syntax.ts";
import { spell, textValue, type Value } from "./values.ts";
import { assignedIn, surveyVariables, type Variables } from "./variables.ts";
import { copy, distinct, joined, MAX_ALTERNATIVES, merged, ONE, type State, take, union } from "./walk-state.ts";
import { alternativesOf, expandWords } from "./word-values.ts";

/**
 * Every simple command of a script with what it does. What may not run is taken as run; what runs several times, with
 * every value its variables may have then.
 *
 * @throws Unreadable
 */
export function walkScript(script: Script, place: Place): readonly Part[] {
  if (place.depth > MAX_DEPTH) throw new Unreadable("it is nested too deep");
  const walk = new Walk(place, surveyVariables(script));
  walk.statements(script.statements, { folders: place.folders, variables: new Map(), functions: new Map() });
  return walk.parts;
}

const MAX_CALLS = 16;

class Walk {
  readonly parts: Part[] = [];
  readonly #place: Place;
  readonly #survey: Variables;
  /** For every function's body, by the folders it was entered in, the folders after it. */
  readonly #entered = new Map<Command, Map<string, Folders>>();

  constructor(place: Place, survey: Variables) {
    this.#place = place;
    this.#survey = survey;
  }

  statements(list: readonly Statement[], state: State): void {
    for (const statement of list) this.#statement(statement, state);
  }

  #statement(statement: Statement, state: State): void {
    const before = state.folders;
    const inside = statement.background ? copy(state) : state;
    if (statement.background)
      this.#note("&", [{ kind: "process", concern: "it leaves something running in the background" }]);
    let branch: State = inside;
    for (const [at, pipeline] of statement.pipelines.entries()) {
      const operator = at === 0 ? undefined : statement.operators[at - 1];
      if (operator === "||") branch = { ...branch, folders: before };
      // What stands after && or || may not run.
      const { functions } = branch;
      const variables = new Map(branch.variables);
      this.#pipeline(pipeline, branch);
      if (at === 0) continue;
      branch.variables = joined(variables, branch.variables);
      branch.functions = functions;
    }
    if (branch !== inside) {
      const leaves = statement.operators.at(-1) === "||" && isLeaving(statement.pipelines.at(-1)?.commands[0]);
      const all = leaves ? inside.folders : union(inside.folders, branch.folders);
      inside.variables = joined(inside.variables, branch.variables);
      inside.folders = all;
    } else if (statement.pipelines.length > 1) inside.folders = union(before, inside.folders);
  }

  #pipeline(pipeline: Statement["pipelines"][number], state: State): void {
    if (pipeline.commands.length === 1) {
      this.#command(pipeline.commands[0]!, state, undefined);
      return;
    }
    let lists: readonly string[] | undefined;
    // Each runs in a shell of its own.
    for (const command of pipeline.commands) lists = this.#command(command, copy(state), lists);
  }

  /** Returns the folders below which the files lie that it prints. */
  #command(command: Command, state: State, input: readonly string[] | undefined): readonly string[] | undefined {
    if (command.type === "SimpleCommand") return this.#simple(command, state, input);
    const around = command.redirections.flatMap((redirection) => this.#redirection(redirection, state));
    if (around.length > 0) this.#note(`${command.type.toLowerCase()} with redirections`, around);
    this.#compound(command, state);
    return undefined;
  }

  #compound(command: Exclude<Command, SimpleCommand>, state: State): void {
    switch (command.type) {
      case "If": {
        let ends: State | undefined;
        for (const { condition, body } of command.clauses) {
          this.statements(condition, state);
          const branch = copy(state);
          this.statements(body, branch);
          ends = ends ? merged(ends, branch) : branch;
        }
        const other = copy(state);
        this.statements(command.elseBody ?? [], other);
        return take(state, ends ? merged(ends, other) : other);
      }
      case "While":
      case "Until":
        return this.#loop(command, state, (inside) => {
          this.statements(command.condition, inside);
          this.statements(command.body, inside);
        });
      case "For": {
        const values = (command.words ?? []).flatMap((word) => this.#loopValues(word, state));
        if (isTelling(command.variable)) this.#note(`for ${command.variable}`, [telling(command.variable)]);
        const isKnown = command.words !== null && values.length <= MAX_ALTERNATIVES;
        return this.#loop(command, state, (inside) => {
          inside.variables.set(command.variable, isKnown && values.length > 0 ? values : [ONE]);
          this.statements(command.body, inside);
        });
      }
      case "Case": {
        this.#inner([command.word, ...command.items.flatMap(({ patterns }) => patterns)], state);
        let ends = copy(state);
        for (const { body } of command.items) {
          // A branch may go on from the one before it.
          const branch = merged(state, ends);
          this.statements(body, branch);
          ends = merged(ends, branch);
        }
        return take(state, ends);
      }
      case "Subshell":
        return this.statements(command.body, copy(state));
      case "Group":
        return this.statements(command.body, state);
      case "FunctionDef":
        return this.#define(command, state);
      case "ArithmeticCommand":
        return this.#arithmetic(command.expression, state);
      case "ConditionalCommand":
        return this.#condition(command.expression, state);
      default:
        throw new Unreadable(`it holds a ${command.type}, which is not read`);
    }
  }

  /** What a round sets is there in the next one. */
  #loop(node: unknown, state: State, round: (inside: State) => void): void {
    const inside = copy(state);
    const assigned = assignedIn(node);
    const forgetAssigned = (at: State) => {
      for (const name of assigned) at.variables.set(name, [ONE]);
    };
    forgetAssigned(inside);
    round(inside);
    if (inside.folders.join("\0") !== state.folders.join("\0")) {
      // The next round begins somewhere else.
      inside.folders = [undefined];
      forgetAssigned(inside);
      round(inside);
    }
    take(state, merged(state, inside));
  }

  #loopValues(word: Word, state: State): readonly Value[] {
    this.#inner([word], state);
    return this.#alternatives([word], state).flatMap((values) =>
      values.flatMap((value): readonly Value[] => {
        if (value.kind === "any") return [{ ...value, many: false, prefix: value.many ? "" : value.prefix }];
        const texts = value.kind === "glob" ? textsOf(value, state.folders, this.#place.around) : undefined;
        return texts ? texts.map(textValue) : value.kind === "glob" ? [ONE] : [value];
      }),
    );
  }

  #define(command: Extract<Command, { type: "FunctionDef" }>, state: State): void {
    if (this.#place.models.has(command.name) || !/^[\w-]+$/.test(command.name))
      this.#note(`${command.name}()`, [
        { kind: "state", concern: `it gives the name ${command.name} another meaning` },
      ]);
    const functions = new Map([...state.functions, [command.name, command.body]]);
    state.functions = functions;
    this.#enter(command.name, command.body, { folders: state.folders, variables: new Map(), functions });
  }

  /** A function's body, wherever it may be called. Returns where it leaves the shell. */
  #enter(name: string, body: Command, inside: State): Folders {
    const key = [name, ...inside.folders].join("\0");
    const known = this.#entered.get(body)?.get(key);
    if (known) return known;
    const calls = this.#entered.get(body) ?? new Map<string, Folders>();
    // While it is being read: it may call itself.
    calls.set(key, [undefined]);
    this.#entered.set(body, calls);
    if (calls.size > MAX_CALLS) throw new Unreadable("a function is called in too many places");
    this.#command(body, inside, undefined);
    calls.set(key, inside.folders);
    return inside.folders;
  }

  #call(name: string, body: Command, state: State): void {
    const inside = { folders: state.folders, variables: new Map(), functions: state.functions };
    state.folders = union(state.folders, this.#enter(name, body, inside));
  }

  #arithmetic(expression: Arithmetic, state: State): void {
    for (const [name] of (expression.originalText ?? "").matchAll(/\$?[A-Za-z_]\w*/g))
      this.#evaluated(name.replace("$", ""), state);
    for (const name of assignedIn(expression)) state.variables.set(name, [ONE]);
  }

  /** A variable's value is itself read as arithmetic, which can run commands. */
  #evaluated(name: string, state: State): void {
    const isNumber = this.#survey.numeric.has(name) && state.variables.has(name);
    if (!isNumber)
      this.#note(`$((${name}))`, [
        { kind: "execute", concern: `the value of ${name} is evaluated, and may run something` },
      ]);
  }

  #condition(condition: Condition, state: State): void {
    switch (condition.type) {
      case "CondWord":
        return this.#inner([condition.word], state);
      case "CondUnary": {
        this.#inner([condition.operand], state);
        if (/^-[vRt]$/.test(condition.operator))
          this.#note(`[[ ${condition.operator} ]]`, [
            { kind: "execute", concern: "it looks at a variable by a name that may run something" },
          ]);
        else if (!/^-[znotR]$/.test(condition.operator)) this.#look([condition.operand], state);
        return;
      }
      case "CondBinary": {
        this.#inner([condition.left, condition.right], state);
        if (/^-(?:nt|ot|ef)$/.test(condition.operator)) this.#look([condition.left, condition.right], state);
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(condition.operator))
          for (const word of [condition.left, condition.right]) this.#compared(word, state);
        return;
      }
      case "CondNot":
        return this.#condition(condition.operand, state);
      case "CondAnd":
      case "CondOr":
        this.#condition(condition.left, state);
        return this.#condition(condition.right, state);
      case "CondGroup":
        return this.#condition(condition.expression, state);
    }
  }

  #look(words: readonly Word[], state: State): void {
    const effects = words.flatMap((word) =>
      this.#alternatives([word], state).flatMap((values) =>
        values.flatMap((value) => fileEffects("list", value, false, state.folders, this.#place.around)),
      ),
    );
    this.#note("[[ ]]", effects);
  }

  /** A side of an arithmetic comparison. */
  #compared(word: Word, state: State): void {
    const pieces = word.parts.flatMap((piece) => (piece.type === "DoubleQuoted" ? piece.parts : [piece]));
    for (const piece of pieces) {
      if (piece.type === "Literal" && /^-?\d+$/.test(piece.value)) continue;
      if (piece.type === "ArithmeticExpansion") continue;
      if (
        piece.type === "ParameterExpansion" &&
        (/^[#?$]$/.test(piece.parameter) || piece.operation?.type === "Length")
      )
        continue;
      this.#evaluated(piece.type === "ParameterExpansion" && piece.operation === null ? piece.parameter : "it", state);
    }
  }

  #simple(command: SimpleCommand, state: State, input: readonly string[] | undefined): readonly string[] | undefined {
    const words = [...(command.name ? [command.name] : []), ...command.args];
    this.#inner(words, state);
    const around = command.redirections.flatMap((redirection) => this.#redirection(redirection, state));
    around.push(
      ...command.assignments.flatMap((assignment) =>
        this.#assign(assignment, state, words.length > 0 ? nameOf(command) : undefined),
      ),
    );
    if (words.length === 0) {
      if (around.length > 0)
        this.#note(command.assignments.map(({ name }) => `${name}=`).join(" ") || "redirections", around);
      return undefined;
    }
    const alternatives = this.#alternatives(words, state);
    const read = alternatives.map((values) => runWords(values, state, this.#place, { depth: 0, input, walkText }));
    const shown = alternatives.length === 1 ? alternatives[0]! : expandWords(words, this.#place.around.home);
    const isKnown = alternatives.length === 1 && shown.every(({ kind }) => kind === "text");
    this.parts.push({
      text: shown.map(spell).join(" "),
      ...(isKnown && { words: shown.map((value) => (value.kind === "text" ? value.text : "")) }),
      effects: read.length === 1 ? read[0]!.part.effects : distinct(read.flatMap(({ part }) => part.effects)),
      around,
      inner: alternatives.length === 1 ? read[0]!.part.inner : read.flatMap(({ part }) => part.inner),
    });
    if (alternatives.length === 1)
      changeState(shown, state, this.#place.around, (name, body) => this.#call(name, body, state));
    else if (alternatives.every(([name, ...args]) => name?.kind === "text" && name.text === "cd" && args.length === 1))
      state.folders = alternatives.reduce<Folders>(
        (all, [, folder]) => union(all, foldersAfter(folder!, state.folders, this.#place.around)),
        [],
      );
    else if (
      alternatives.some(([name]) => name?.kind !== "text" || isMoving(name.text) || state.functions.has(name.text))
    )
      forget(state);
    return read.length === 1 ? read[0]!.lists : undefined;
  }

  #assign(
    { name, value, array, append }: Assignment,
    state: State,
    isForCommand: string | undefined,
  ): readonly Effect[] {
    const words = array ?? (value ? [value] : []);
    this.#inner(words, state);
    if (isForCommand === "read" && name === "IFS") return [];
    if (isForCommand !== undefined)
      return isPlainVariable(name) ? [] : [{ kind: "state", concern: `it sets ${name} for the command` }];
    const found =
      array || append
        ? []
        : this.#alternatives(words, state).flatMap((values) =>
            values.length === 1 ? values : values.length === 0 ? [textValue("")] : [ONE],
          );
    const known =
      found.every((each) => each.kind !== "text" || !/(?:^|:)~/.test(each.text)) && found.length <= MAX_ALTERNATIVES;
    state.variables.set(name, known && found.length > 0 ? found.map(single) : [ONE]);
    return isTelling(name) ? [telling(name)] : [];
  }

  #redirection({ fd, operator, target }: Redirection, state: State): readonly Effect[] {
    if (target.type === "HereDoc") {
      if (!target.quoted) this.#inner([target.content], state);
      return [];
    }
    this.#inner([target], state);
    if (operator === "<<<") return [];
    // Through /dev/stdout or /dev/fd/3 the file could be opened again, and emptied.
    if (operator.startsWith("<") && (fd ?? 0) !== 0)
      return [{ kind: "unknown", concern: `it gives what it reads the number ${fd}` }];
    return this.#alternatives([target], state).flatMap((values) => {
      const [value] = values;
      if (values.length !== 1 || value === undefined)
        return [{ kind: "unknown" as const, concern: "where it is redirected to is not known" }];
      if ((operator === ">&" || operator === "<&") && value.kind === "text" && /^(?:\d+-?|-)$/.test(value.text))
        return /^0/.test(value.text) && (fd ?? (operator === ">&" ? 1 : 0)) !== 0
          ? [{ kind: "unknown" as const, concern: "it writes to what it reads" }]
          : [];
      const kinds =
        operator === "<" || operator === "<&"
          ? (["read"] as const)
          : operator === "<>"
            ? (["read", "write"] as const)
            : (["write"] as const);
      return kinds.flatMap((kind) => fileEffects(kind, value, false, state.folders, this.#place.around));
    });
  }

  /** The scripts inside words, which run in a shell of their own. */
  #inner(words: readonly Word[], state: State): void {
    for (const word of words) for (const piece of word.parts) this.#innerPiece(piece, state);
  }

  #innerPiece(piece: Piece, state: State): void {
    switch (piece.type) {
      case "DoubleQuoted":
        for (const part of piece.parts) this.#innerPiece(part, state);
        return;
      case "BraceExpansion":
        for (const item of piece.items) if (item.type === "Word") this.#inner([item.word], state);
        return;
      case "CommandSubstitution":
      case "ProcessSubstitution":
        return this.statements(piece.body.statements, copy(state));
      case "ArithmeticExpansion":
        return this.#arithmetic(piece.expression, state);
      case "ParameterExpansion":
        if (
          /TOKEN|KEY|SECRET|PASS|CRED|AUTH|PRIVATE|COOKIE/i.test(piece.parameter) &&
          !state.variables.has(piece.parameter)
        )
          this.#note(`$${piece.parameter}`, [{ kind: "read", concern: `${piece.parameter} may hold a secret` }]);
        return this.#inner(wordsOf(piece), state);
      default:
        return;
    }
  }

  /** The words of a command, for every combination of the values its variables may have. */
  #alternatives(words: readonly Word[], state: State): readonly (readonly Value[])[] {
    return alternativesOf(words, state, { survey: this.#survey, around: this.#place.around });
  }

  #note(text: string, effects: readonly Effect[]): void {
    if (effects.length > 0) this.parts.push({ text, effects: [], around: effects, inner: [] });
  }
}

const telling = (name: string): Effect => ({
  kind: "state",
  concern: `it sets ${name}, which programs or the shell go by`,
});

const single = (value: Value): Value => (value.kind === "any" ? { ...value, many: false } : value);

/** The name of a command as far as it is written down. */
function nameOf({ name }: SimpleCommand): string {
  const [only] = name?.parts ?? [];
  return name?.parts.length === 1 && only?.type === "Literal" ? only.value : "";
}

const isLeaving = (command: Command | undefined): boolean =>
  command?.type === "SimpleCommand" && /^(?:exit|return)$/.test(nameOf(command));

/** What a text does that another shell is given. */
function walkText(text: string, place: Place): readonly Part[] {
  try {
    return walkScript(place.parse(text), { ...place, depth: place.depth + 1 });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const concern = `it runs a shell text that cannot be read: ${error.message}`;
    return [{ text, effects: [{ kind: "unknown", concern }], around: [], inner: [] }];
  }
}
