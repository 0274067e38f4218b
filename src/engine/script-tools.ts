import { AsyncLocalStorage } from "node:async_hooks";
import type { ScriptSession } from "../extensions/script/inner-calls.ts";
import type { KnownTool, ToolSource } from "../toolkit/known-tool.ts";
import { builtinTools } from "../tools/index.ts";
import type { Engine } from "./engine.ts";

/** Why the tools of homes are not there for an agent that has them turned off, while another one has them. */
export const SCRIPTS_OFF = "tools.scripts is off for this agent";

/** The script tools of the folders in force; they change with the configuration. */
export class ScriptTools implements ToolSource {
  readonly #engine: Engine;
  readonly #chain: ScriptSession["chain"];
  #names: ReadonlySet<string> = new Set();

  constructor(engine: Engine, chain: ScriptSession["chain"] = new AsyncLocalStorage()) {
    this.#engine = engine;
    this.#chain = chain;
  }

  /** The same for an agent that was set to work: its own settings say whether it has them, its calls are still ours. */
  below(child: Engine): ScriptTools {
    return new ScriptTools(child, this.#chain);
  }

  known(): readonly KnownTool[] {
    const { dirTools } = this.#engine.trusted;
    if (!dirTools) return [];
    const taken = this.#taken();
    const { scripts } = this.#engine.settings.features.tools;
    const known = dirTools.known(this.#session(), (name) => isTaken(name, taken), scripts);
    this.#names = new Set(known.map(({ tool }) => tool.name));
    return known;
  }

  /** One line for each that is not there because something of its name is: nothing is ever replaced. */
  conflicts(): readonly string[] {
    const { dirTools } = this.#engine.trusted;
    const taken = this.#taken();
    const all = dirTools?.known(this.#session(), () => false, true) ?? [];
    return all
      .filter(({ tool }) => isTaken(tool.name, taken))
      .map(({ tool, source }) => `name-conflict: ${source}: there is a tool "${tool.name}" already`);
  }

  #taken(): ReadonlySet<string> {
    const others = this.#engine.sources.filter((source) => source !== this).flatMap((source) => source.known());
    return new Set([...builtinTools, ...others.map(({ tool }) => tool)].map(({ name }) => name.toLowerCase()));
  }

  #session(): ScriptSession {
    const find = (tool: string) => this.#engine.tools.reach(tool);
    return {
      chain: this.#chain,
      isScript: (tool) => this.#names.has(tool),
      isParallel: (tool) => find(tool)?.parallel !== false,
      has: (tool) => find(tool) !== undefined,
    };
  }
}

/** A name under `mcp__` would answer to rules a person wrote for a server. */
const isTaken = (name: string, taken: ReadonlySet<string>) =>
  taken.has(name.toLowerCase()) || name.toLowerCase().startsWith("mcp__");
