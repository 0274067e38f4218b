import type { ConditionState } from "../toolkit/filter.ts";
import type { AbsentServer, KnownTool, ToolSource, Written } from "../toolkit/known-tool.ts";
import type { ToolSet } from "../toolkit/tool-set.ts";
import { createLoadTools } from "../tools/load-tools.ts";
import type { ToolsOfSession } from "./gather-tools.ts";

/** What of a session decides which tools are offered: what was loaded, what was offered, which conditions hold. */
export class Availability implements ToolsOfSession, ToolSource {
  loaded: readonly string[] = [];
  order: readonly string[] = [];
  readonly #states = new Map<string, ConditionState>();
  readonly #loadTools: KnownTool;
  #isDeciding = false;

  readonly #absent: () => readonly AbsentServer[];
  /** Built-in tools that lack what they stand on, and what that is. */
  readonly missing: ReadonlyMap<string, string>;

  /** `load` keeps the names for the session and gathers the tools anew. */
  constructor(
    tools: () => ToolSet,
    load: (names: readonly string[]) => void,
    absent: () => readonly AbsentServer[] = () => [],
    missing: ReadonlyMap<string, string> = new Map(),
  ) {
    this.missing = missing;
    this.#absent = absent;
    this.#loadTools = {
      tool: createLoadTools({ deferred: () => tools().deferred, load }),
      source: "meta",
      reaches: "deferred",
    };
  }

  known(): readonly KnownTool[] {
    return [this.#loadTools];
  }

  absent(): readonly AbsentServer[] {
    return this.#absent();
  }

  /** Nobody decides for an inspection; in a conversation what is not decided yet does not hold. */
  conditionState(condition: Written<string>): ConditionState {
    return this.#states.get(keyOf(condition)) ?? (this.#isDeciding ? "fails" : "undecided");
  }

  /** True when that changes anything. */
  decide(states: readonly (readonly [Written<string>, ConditionState])[]): boolean {
    const changed = states.filter(([condition, state]) => this.#states.get(keyOf(condition)) !== state);
    for (const [condition, state] of changed) this.#states.set(keyOf(condition), state);
    this.#isDeciding = true;
    return changed.length > 0;
  }

  /** A request goes out with these: they keep their places from now on, also while they are away for a while. */
  offered(names: readonly string[]): void {
    const known = new Set(this.order);
    const added = names.filter((name) => !known.has(name));
    if (added.length > 0) this.order = [...this.order, ...added];
  }

  /** Another session, or the same one emptied. */
  restart(loaded: readonly string[]): void {
    this.loaded = loaded;
    this.order = [];
  }
}

/** The same words in a file nobody trusts are another condition. */
const keyOf = ({ value, file }: Written<string>) => `${file ?? ""}\n${value}`;
